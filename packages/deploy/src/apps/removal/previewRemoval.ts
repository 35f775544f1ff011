import type { DeletionFlags, Preview } from "@slipway/domain/deploy/apps"
import { ApplicationStore } from "@slipway/domain/deploy/apps"
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

/** Removes the previews of a removed application. The number of previews of an application is limited. */
export const removeAll = (previews: ReadonlyArray<Preview>, flags: DeletionFlags) =>
  Effect.forEach(previews, (preview) => removePreview(preview, flags), { discard: true })
