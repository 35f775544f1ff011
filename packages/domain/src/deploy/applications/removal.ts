import { Effect } from "effect"
import { makeUuid } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { type Deletion, type DeletionFlags, DeletionUuid } from "../deletions/Deletion.ts"
import { DeletionStore } from "../deletions/DeletionStore.ts"
import { DeploymentStore } from "../deployments/DeploymentStore.ts"
import { notifyWorkers } from "../pipeline/WorkSignal.ts"
import type { Application } from "./Application.ts"
import { ApplicationStore } from "./ApplicationStore.ts"

/** Queues the removal of what an application has on a server. */
export const cleanUp = Effect.fnUntraced(function* (
  application: Application,
  { destinationUuid, serverUuid }: Pick<Deletion, "destinationUuid" | "serverUuid">,
  flags: DeletionFlags
) {
  const at = yield* now
  const deletion = yield* Effect.orDie(
    (yield* DeletionStore).insert({
      ...flags,
      uuid: yield* makeUuid(DeletionUuid),
      applicationUuid: application.uuid,
      applicationName: application.configuration.name ?? "",
      serverUuid,
      destinationUuid,
      status: "queued",
      removed: [],
      left: [],
      reason: null,
      attempts: 0,
      claimedBy: null,
      leaseUntil: null,
      createdAt: at,
      updatedAt: at
    })
  )
  yield* notifyWorkers
  return deletion
})

/** Removes an application, within a transaction, and queues the removal of what it has on servers. */
export const removeOne = Effect.fnUntraced(function* (application: Application, flags: DeletionFlags) {
  yield* (yield* DeploymentStore).cancelAll(application.uuid, yield* now)
  const moves = yield* (yield* DeletionStore).ofApplication(application.uuid)
  yield* Effect.orDie((yield* ApplicationStore).remove(application.uuid))
  const elsewhere = new Map(moves.map((move) => [move.serverUuid, move]))
  elsewhere.delete(application.placement.serverUuid)
  for (const move of elsewhere.values()) yield* cleanUp(application, move, flags)
  return yield* cleanUp(application, application.placement, flags)
})
