import { now } from "@slipway/domain"
import type { Application, Deletion, DeletionFlags, ForgeLink } from "@slipway/domain/deploy/apps"
import { ApplicationStore, DeletionStore, DeploymentStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { queueDeletion } from "../deletions/queueDeletion.ts"
import { formerPlaces } from "./leaving.ts"

/** Queues a job that removes an application's containers and other resources from a server. */
export const cleanUp = (
  { configuration, uuid }: Application,
  { destinationUuid, serverUuid }: Pick<Deletion, "destinationUuid" | "serverUuid">,
  flags: DeletionFlags,
  forgeLink: ForgeLink | null = null
) =>
  queueDeletion(
    {
      applicationUuid: uuid,
      applicationName: configuration.name ?? "",
      serverUuid,
      destinationUuid,
      forgeLink,
      leaseUntil: null
    },
    flags
  )

/**
 * Removes an application within a transaction. Queues the removal of its resources on the server, and of its webhook in
 * the linked repository.
 */
export const removeOne = Effect.fnUntraced(function* (
  application: Application,
  flags: DeletionFlags,
  forgeLink: ForgeLink | null = null
) {
  yield* (yield* DeploymentStore).cancelAll(application.uuid, yield* now)
  const moves = yield* (yield* DeletionStore).ofApplication(application.uuid)
  yield* Effect.orDie((yield* ApplicationStore).remove(application.uuid))
  for (const move of formerPlaces(moves, application.placement)) yield* cleanUp(application, move, flags)
  return yield* cleanUp(application, application.placement, flags, forgeLink)
})
