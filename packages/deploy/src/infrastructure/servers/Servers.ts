import { InvalidInput, makeUuid, noProblems, now, type Problems, required, Transaction, Vault } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import {
  type Server,
  ServerNotFound,
  ServerStore,
  ServerUuid,
  usualFrequency
} from "@slipway/domain/deploy/infrastructure"
import { Effect, type Redacted } from "effect"
import { listUseCaseWithKey, removeUseCase } from "../../base/reading/listUseCases.ts"
import { record } from "../../identity/audit/record.ts"
import { requirePrivateKey } from "../keys/requirePrivateKey.ts"
import { insertDestination } from "./Destinations.ts"

/** The fields of a server that its users set. */
export interface ServerInput
  extends Omit<
    Server,
    "id" | "uuid" | "teamId" | "createdAt" | "updatedAt" | "diskCheck" | "engineKey" | "transfer" | "validation"
  > {
  readonly engineKey: Redacted.Redacted | null
}

/** The default settings of a server, for requests that only contain its address. */
export const serverDefaults = {
  description: "",
  port: 22,
  user: "root",
  privateKeyUuid: null,
  isBuildServer: false,
  proxyType: "caddy",
  proxyConfiguration: null,
  wildcardDomain: null,
  concurrentBuilds: 2,
  deploymentQueueLimit: 25,
  dynamicTimeout: 3600,
  connectionTimeout: 10,
  engineTransport: "ssh",
  engineSocket: null,
  enginePort: 2376,
  engineAuthority: null,
  engineCertificate: null,
  engineKey: null,
  cleanupFrequency: usualFrequency,
  diskCheckFrequency: "0 23 * * *",
  diskThreshold: 80,
  isMetricsEnabled: false,
  metricsInterval: 60,
  metricsDays: 7,
  isTerminalEnabled: false,
  logDrains: []
} as const satisfies Partial<ServerInput>

const engineKeyOf = (uuid: ServerUuid) => ({ uuid, field: "engine_key" })

const seal = Effect.fnUntraced(function* (uuid: ServerUuid, key: Redacted.Redacted | null) {
  return key === null ? null : yield* (yield* Vault).seal(engineKeyOf(uuid), key)
})

/** Decrypts the private key of the client certificate for a server's engine; null for an engine without TLS. */
export const openEngineKey = Effect.fnUntraced(function* ({ engineKey, uuid }: Server) {
  return engineKey === null ? null : yield* (yield* Vault).open(engineKeyOf(uuid), engineKey)
})

type EngineFacts = Pick<Server, "engineTransport" | "engineAuthority" | "engineCertificate" | "engineKey">

/** Fails if a server with a TLS engine lacks the TLS settings. */
const requireEngine = (server: EngineFacts) => {
  const missing: Problems =
    server.engineTransport === "ssh"
      ? {}
      : {
          ...(server.engineAuthority === null ? { engine_authority: [required] } : {}),
          ...(server.engineCertificate === null ? { engine_certificate: [required] } : {}),
          ...(server.engineKey === null ? { engine_key: [required] } : {})
        }
  return noProblems(missing) ? Effect.void : Effect.fail(new InvalidInput({ problems: missing }))
}

/** Creates a server, and a destination on it with the platform's default network. */
export const create = Effect.fnUntraced(function* ({ resource }: Authorized<"server.create">, input: ServerInput) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const teamId = teamOf(resource.caller.access)
      yield* requirePrivateKey(input.privateKeyUuid, teamId)
      const at = yield* now
      const uuid = yield* makeUuid(ServerUuid)
      const draft = {
        ...input,
        engineKey: yield* seal(uuid, input.engineKey),
        diskCheck: null,
        validation: null,
        transfer: null,
        teamId,
        uuid,
        createdAt: at,
        updatedAt: at
      }
      yield* requireEngine(draft)
      const server = yield* Effect.orDie((yield* ServerStore).insert(draft))
      yield* Effect.orDie(insertDestination(server, { name: "slipway", network: "slipway" }))
      return server
    })
  )
})

/** Changes the settings of a server. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"server.update">,
  input: Partial<ServerInput>
) {
  const transaction = yield* Transaction
  const { engineKey, ...plain } = input
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* ServerStore
      const present = yield* store.lock(resource.server.uuid)
      if (present === undefined) return yield* new ServerNotFound()
      yield* requirePrivateKey(input.privateKeyUuid, present.teamId)
      const sealed = engineKey === undefined ? {} : { engineKey: yield* seal(present.uuid, engineKey) }
      const server = { ...present, ...plain, ...sealed, updatedAt: yield* now }
      yield* requireEngine(server)
      yield* Effect.orDie(store.replace(server))
      if (server.isTerminalEnabled !== present.isTerminalEnabled) {
        const detail = server.isTerminalEnabled ? "enabled terminals" : "disabled terminals"
        yield* record(resource.caller, "done", {
          teamId: server.teamId,
          action: "server.update",
          object: server.uuid,
          detail
        })
      }
      return server
    })
  )
})

/** List use cases: `list` reads one page of servers, `stream` reads all. */
export const { list, stream } = listUseCaseWithKey("server", ServerStore)
/** Removes a server with its destinations. Fails if resources run on the server. */
export const remove = removeUseCase("server", ServerStore, () => new ServerNotFound())
