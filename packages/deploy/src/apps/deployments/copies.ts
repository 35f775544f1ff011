import type { Deployment } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { copiesOf } from "../additional-destinations/copies.ts"
import { add, notLinked, type Request } from "./queue.ts"

const queueForCopies = Effect.fnUntraced(function* (
  application: ApplicationUuid,
  wanted: Request,
  requestedBy: Deployment["requestedBy"]
) {
  for (const copy of yield* copiesOf(application)) {
    const server = yield* (yield* ServerStore).find(copy.placement.serverUuid)
    yield* add(copy, notLinked, 0, server?.name ?? "", wanted, copy.placement, { requestedBy })
  }
})

/**
 * Queues the deployments that run the new release of an application at its additional destinations, within the
 * transaction that stores the end of its deployment. They need no room in the queues, because their number is limited.
 */
export const deployCopies = ({ applicationUuid, commit, commitMessage, pusher, requestedBy, trigger }: Deployment) =>
  queueForCopies(
    applicationUuid,
    {
      action: "deploy",
      releaseUuid: null,
      force: false,
      commit,
      pusher,
      trigger,
      ...(commitMessage === null ? {} : { commitMessage })
    },
    requestedBy
  )

/** Queues the stops of an application at its additional destinations, within a transaction. */
export const stopCopies = (application: ApplicationUuid, requestedBy: Deployment["requestedBy"]) =>
  queueForCopies(application, { action: "stop", releaseUuid: null, force: false }, requestedBy)
