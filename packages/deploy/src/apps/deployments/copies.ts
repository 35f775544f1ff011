import type { Deployment } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Effect } from "effect"
import { copiesOf, serverNamesOf } from "../additional-destinations/copies.ts"
import { add, notLinked, type Request } from "./queue.ts"

const queueForCopies = Effect.fnUntraced(function* (
  application: ApplicationUuid,
  wanted: Request,
  requestedBy: Deployment["requestedBy"]
) {
  const copies = yield* copiesOf(application)
  const nameOf = yield* serverNamesOf(copies)
  for (const copy of copies) {
    yield* add(copy, notLinked, 0, nameOf(copy.placement.serverUuid) ?? "", wanted, copy.placement, { requestedBy })
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
