import { GitReader } from "@slipway/domain/forge/code"
import { commitStatuses } from "@slipway/domain/forge/collaboration"
import type { Occurrence } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { commitsOf } from "./hookCommits.ts"
import { messageAt, notedCommit, type PayloadContext } from "./hookParts.ts"
import type { HookEventRecord } from "./issueHookEvents.ts"

/** Builds the webhook payload of a new commit status. */
export const ofStatus = Effect.fnUntraced(function* (place: PayloadContext, { event }: HookEventRecord) {
  const { id: repositoryId } = place.repository
  const status = yield* (yield* commitStatuses.store).find({ repositoryId }, Number(event.details.id))
  if (status === undefined) return []
  const found = yield* (yield* GitReader)
    .commits(repositoryId, [status.commit])
    .pipe(Effect.catchTag("GitOverloaded", () => Effect.succeed([])))
  const noted = found.flatMap((commit) => (commit === undefined ? [] : [notedCommit(commit)]))
  const [commit] = yield* commitsOf(place, noted)
  const { commit: sha, context, createdAt, description, id, state, targetUrl, updatedAt } = status
  return [
    {
      event: "status",
      branch: undefined,
      payload: {
        id,
        sha,
        commit: commit ?? null,
        context,
        state,
        description,
        target_url: targetUrl,
        created_at: createdAt,
        updated_at: updatedAt,
        ...place.parts
      },
      message: messageAt(place, `${context}: ${state} for ${sha.slice(0, 10)}`, `${place.url}/commit/${sha}`, [
        description
      ])
    }
  ] satisfies ReadonlyArray<Occurrence>
})
