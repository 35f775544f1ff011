import type { DeletionFlags, Deployment, Preview } from "@slipway/domain/deploy/apps"
import { ApplicationStore, DeploymentStore, previewAs, ReleaseStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { queueRemovalReport } from "../commit-reports/report.ts"
import { linkOf } from "../forge-links/link.ts"
import { removeOne } from "./applicationRemoval.ts"

/** The resources to remove with a preview: everything, because previews keep no data. */
export const all: DeletionFlags = {
  deleteConfigurations: true,
  deleteVolumes: true,
  dockerCleanup: true,
  deleteConnectedNetworks: true
}

/**
 * Removes a preview within a transaction, and queues the removal of its resources on the server. Does nothing if the
 * preview no longer exists.
 */
export const removePreview = Effect.fnUntraced(function* ({ previewUuid }: Preview, flags: DeletionFlags = all) {
  const application = yield* (yield* ApplicationStore).lock(previewUuid)
  if (application === undefined) return undefined
  const linked = yield* linkOf(application)
  if (linked !== undefined) yield* queueRemovalReport(previewUuid, linked.link)
  return yield* removeOne(application, { ...flags, deleteVolumes: true })
})

/** Locks the preview of a deployment, before the deployment as requests do; undefined if it deploys no preview. */
export const lockPreview = Effect.fnUntraced(function* ({ applicationUuid, pullRequestId }: Deployment) {
  return pullRequestId === 0 ? undefined : yield* (yield* ApplicationStore).lock(applicationUuid)
})

/** The most deployments of a preview that are examined to decide whether it was ever deployed. */
const examined = 100

/**
 * Removes the preview of a deployment that was not approved, within a transaction. Keeps a preview with a deployment
 * that started or is still queued.
 */
export const removeUnapproved = Effect.fnUntraced(function* ({ applicationUuid, pullRequestId }: Deployment) {
  const preview = pullRequestId === 0 ? undefined : yield* previewAs(applicationUuid)
  if (preview === undefined) return
  const deployments = yield* (yield* DeploymentStore).ofApplication(applicationUuid, { limit: examined })
  if (deployments.some(({ startedAt, status }) => status !== "cancelled" || startedAt !== null)) return
  if ((yield* (yield* ReleaseStore).serving(applicationUuid)) !== undefined) return
  yield* removePreview(preview)
})

/** Removes the previews of a removed application. The number of previews of an application is limited. */
export const removeAll = (previews: ReadonlyArray<Preview>, flags: DeletionFlags) =>
  Effect.forEach(previews, (preview) => removePreview(preview, flags), { discard: true })
