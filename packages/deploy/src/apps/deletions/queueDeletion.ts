import { makeUuid, now } from "@slipway/domain"
import { type Deletion, type DeletionFlags, DeletionStore, DeletionUuid } from "@slipway/domain/deploy/apps"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"

/**
 * The resources that a deletion job removes: their owner, server, destination and repository. Workers wait until
 * `leaseUntil` before they start the job.
 */
export type RemovedResources = Pick<
  Deletion,
  "applicationName" | "applicationUuid" | "destinationUuid" | "forgeLink" | "leaseUntil" | "serverUuid"
>

/** Queues a job that removes an application's containers and other resources from a server. */
export const queueDeletion = Effect.fnUntraced(function* (leaving: RemovedResources, flags: DeletionFlags) {
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
