import { type Release, releases } from "@slipway/domain/forge/collaboration"
import { nobody } from "@slipway/domain/forge/identity"
import type { Occurrence } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { showReleasesTo } from "../collaboration/releases.ts"
import { messageAt, type PayloadContext } from "./hookParts.ts"
import type { HookEventRecord } from "./issueHookEvents.ts"

const wordOf = ({ before, event }: HookEventRecord, release: Release): string | undefined => {
  // Only its writers may see a draft.
  if (release.draft) return undefined
  if (event.action.startsWith("repository.release.delete")) return "deleted"
  return event.action === "repository.release.edit" && before.release?.draft === false ? "updated" : "published"
}

/** Builds the webhook payload of a release event. */
export const ofRelease = Effect.fnUntraced(function* (place: PayloadContext, record: HookEventRecord) {
  const { repository } = place
  const id = record.before.release?.id ?? Number(record.event.details.id)
  const stored = record.after?.release
  const release =
    stored?.release ??
    (yield* (yield* releases.store).find({ repositoryId: repository.id }, id)) ??
    record.before.release
  const action = release && wordOf(record, release)
  if (release === undefined || action === undefined) return []
  const [shown] = yield* showReleasesTo(
    { actor: nobody, repository },
    [release],
    stored && new Map([[release.id, stored.assets]])
  )
  const link = action === "deleted" ? place.url : (shown?.html_url ?? place.url)
  return [
    {
      event: "release",
      branch: undefined,
      payload: { action, release: shown, ...place.parts },
      message: messageAt(place, `release ${action}: ${release.title}`, link, [release.body])
    }
  ] satisfies ReadonlyArray<Occurrence>
})
