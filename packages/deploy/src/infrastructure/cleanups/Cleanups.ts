import { makeUuid, now, Transaction } from "@slipway/domain"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import {
  type Cleanup,
  CleanupStore,
  CleanupUuid,
  type Server,
  ServerNotFound,
  ServerStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/** Lists the disk cleanups of a server, newest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"server.cleanup.list">) {
  return yield* (yield* CleanupStore).ofServer(resource.server.uuid)
})

/** Inserts a cleanup of a server within the running transaction. */
export const add = Effect.fnUntraced(function* ({ uuid }: Server, status: Cleanup["status"]) {
  const at = yield* now
  const cleanup: Cleanup = {
    uuid: yield* makeUuid(CleanupUuid),
    serverUuid: uuid,
    status,
    message: null,
    createdAt: at,
    updatedAt: at,
    finishedAt: null
  }
  yield* (yield* CleanupStore).insert(cleanup)
  return cleanup
})

/** Requests an immediate cleanup of a server. Does nothing if a cleanup already waits or runs. */
const request = Effect.fnUntraced(function* (uuid: Server["uuid"]) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const server = yield* (yield* ServerStore).lock(uuid)
      if (server === undefined) return yield* new ServerNotFound()
      const [newest] = yield* (yield* CleanupStore).ofServer(uuid)
      if (newest === undefined || newest.finishedAt !== null) yield* add(server, "queued")
    })
  )
})

/** Requests an immediate cleanup of a server for a caller. Does nothing if a cleanup already waits or runs. */
export const run = ({ resource }: Authorized<"server.cleanup.run">) => request(resource.server.uuid)

/**
 * Stops a resource, and requests a cleanup of its server in the same transaction.
 *
 * Fails without stopping the resource if the caller may not clean up the server.
 */
export const withStop = Effect.fnUntraced(function* <A, E, R>(
  { resource }: Authorized<"application.deploy" | "database.deploy" | "service.deploy">,
  stop: Effect.Effect<A, E, R>
) {
  const { placement } = "database" in resource ? resource.database : resource.application
  const server = yield* (yield* ServerStore).find(placement.serverUuid)
  if (server === undefined) return yield* new ServerNotFound()
  const cleanup = yield* authorize(resource.caller, "server.cleanup.run", { server })
  return yield* (yield* Transaction).run(Effect.tap(stop, () => run(cleanup)))
})
