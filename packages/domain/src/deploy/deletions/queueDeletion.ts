import { Effect } from "effect"
import { makeUuid } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { notifyWorkers } from "../pipeline/WorkSignal.ts"
import { type Deletion, type DeletionFlags, DeletionUuid } from "./Deletion.ts"
import { DeletionStore } from "./DeletionStore.ts"

/** Whose things go from where; nobody takes it before `leaseUntil`. */
export type Leaving = Pick<
  Deletion,
  "applicationName" | "applicationUuid" | "destinationUuid" | "leaseUntil" | "serverUuid"
>

/** Queues the removal of what somebody owns on a server. */
export const queueDeletion = Effect.fnUntraced(function* (leaving: Leaving, flags: DeletionFlags) {
  const at = yield* now
  const deletion = yield* Effect.orDie(
    (yield* DeletionStore).insert({
      ...flags,
      ...leaving,
      uuid: yield* makeUuid(DeletionUuid),
      status: "queued",
      removed: [],
      left: [],
      reason: null,
      attempts: 0,
      claimedBy: null,
      createdAt: at,
      updatedAt: at
    })
  )
  yield* notifyWorkers
  return deletion
})
