import { Effect } from "effect"
import { makeUuid } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"
import type { Authorized } from "../access/authorize.ts"
import { reading, removing } from "../access/reading.ts"
import { requirePrivateKey } from "../placement/requirePrivateKey.ts"
import { insertDestination } from "./Destinations.ts"
import { type Server, ServerNotFound, ServerUuid } from "./Server.ts"
import { ServerStore } from "./ServerStore.ts"

/** The fields of a server that its users set. */
export type ServerInput = Omit<Server, "id" | "uuid" | "createdAt" | "updatedAt">

/** What a server is when its user says no more than where it is. */
export const serverDefaults = {
  description: "",
  port: 22,
  user: "root",
  privateKeyUuid: null,
  isBuildServer: false,
  proxyType: "caddy",
  wildcardDomain: null,
  concurrentBuilds: 2,
  deploymentQueueLimit: 25,
  dynamicTimeout: 3600,
  connectionTimeout: 10
} as const satisfies Partial<ServerInput>

/** Creates a server with a destination on a network of the platform's name. */
export const create = Effect.fnUntraced(function* (_: Authorized<"server.create">, input: ServerInput) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      yield* requirePrivateKey(input.privateKeyUuid)
      const at = yield* now
      const uuid = yield* makeUuid(ServerUuid)
      const server = yield* Effect.orDie((yield* ServerStore).insert({ ...input, uuid, createdAt: at, updatedAt: at }))
      yield* Effect.orDie(insertDestination(server.uuid, { name: "slipway", network: "slipway" }))
      return server
    })
  )
})

/** Changes a server. */
export const update = Effect.fnUntraced(function* (
  _: Authorized<"server.update">,
  uuid: string,
  input: Partial<ServerInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* ServerStore
      const present = yield* store.lock(uuid as ServerUuid)
      if (present === undefined) return yield* new ServerNotFound()
      yield* requirePrivateKey(input.privateKeyUuid)
      const server = { ...present, ...input, updatedAt: yield* now }
      yield* Effect.orDie(store.replace(server))
      return server
    })
  )
})

/** Reads one server, a page of them, or all. */
export const { get, list, stream } = reading("server", ServerStore, () => new ServerNotFound())
/** Removes a server with its destinations, unless something runs there. */
export const remove = removing("server", ServerStore, () => new ServerNotFound())
