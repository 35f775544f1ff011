import { makeUuid, now, Transaction } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import {
  DestinationNotFound,
  DestinationStore,
  DestinationUuid,
  type Server,
  ServerNotFound,
  ServerStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { listUseCase, removeUseCase } from "../../base/reading/listUseCases.ts"

/** The fields of a destination (a network of a server in which containers run) that its users set. */
export interface DestinationInput {
  readonly name: string
  readonly network: string
}

/** Inserts a destination (container network) of an existing server. */
export const insertDestination = Effect.fnUntraced(function* (
  { teamId, uuid: serverUuid }: Pick<Server, "teamId" | "uuid">,
  input: DestinationInput
) {
  const at = yield* now
  const uuid = yield* makeUuid(DestinationUuid)
  return yield* (yield* DestinationStore).insert({
    ...input,
    uuid,
    serverUuid,
    teamId,
    createdAt: at,
    updatedAt: at
  })
})

/** Creates a destination on a server. Its network name must be unique on the server. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"destination.create">,
  input: DestinationInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const found = yield* (yield* ServerStore).lock(resource.server.uuid)
      if (found === undefined) return yield* new ServerNotFound()
      return yield* insertDestination(found, input)
    })
  )
})

/** Lists the destinations of a server, oldest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"server.destination.list">) {
  return yield* (yield* DestinationStore).ofServer(resource.server.uuid)
})

/** Renames a destination; its network keeps its name. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"destination.update">,
  input: Partial<Pick<DestinationInput, "name">>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* DestinationStore
      const present = yield* store.lock(resource.destination.uuid)
      if (present === undefined) return yield* new DestinationNotFound()
      const destination = { ...present, ...input, updatedAt: yield* now }
      yield* Effect.orDie(store.replace(destination))
      return destination
    })
  )
})

const all = listUseCase("destination", DestinationStore)
/** Lists a page of the destinations of all servers that the caller may read. */
export const listAll = all.list
/** Streams the destinations of all servers that the caller may read. */
export const streamAll = all.stream
/** Removes a destination. Fails if resources use it. */
export const remove = removeUseCase("destination", DestinationStore, () => new DestinationNotFound())
