import { Effect } from "effect"
import { makeUuid } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"
import type { Authorized } from "../access/authorize.ts"
import { type Server, ServerNotFound } from "../servers/Server.ts"
import { ServerStore } from "../servers/ServerStore.ts"
import { type Cleanup, CleanupUuid } from "./Cleanup.ts"
import { CleanupStore } from "./CleanupStore.ts"

/** Lists what became of the cleanups of a server, newest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"server.cleanup.list">) {
  return yield* (yield* CleanupStore).ofServer(resource.server.uuid)
})

/** Adds a cleanup of a server in the running transaction. */
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

/** Asks for a cleanup of a server now; one that waits or runs is not asked for again. */
export const run = Effect.fnUntraced(function* ({ resource }: Authorized<"server.cleanup.run">) {
  const { uuid } = resource.server
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
