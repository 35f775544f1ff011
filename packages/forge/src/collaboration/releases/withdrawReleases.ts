import type { RepositoryId } from "@slipway/domain/forge/base"
import type { PushedRef } from "@slipway/domain/forge/code"
import { releases } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import type { SettledPush } from "../../base/subscribers/Subscribers.ts"

const tagRefs = "refs/tags/"

const deletedTags = (changed: ReadonlyArray<PushedRef>): ReadonlyArray<string> =>
  changed.flatMap(({ after, ref }) => (after === null && ref.startsWith(tagRefs) ? [ref.slice(tagRefs.length)] : []))

/** Converts published releases to drafts because their tags were deleted, in the current transaction. */
const withdrawReleases = Effect.fnUntraced(function* (repositoryId: RepositoryId, deleted: ReadonlyArray<string>) {
  if (deleted.length === 0) return
  const store = yield* releases.store
  const found = yield* store.lockManyBy(
    "tag",
    deleted.map((tag) => ({ repositoryId, tag }))
  )
  const published = found.filter(({ draft }) => !draft)
  yield* Effect.orDie(
    store.patchMany(
      { repositoryId },
      published.map(({ id }) => ({ id, change: { draft: true, publishedAt: null } }))
    )
  )
})

/** Converts the releases of tags that a push deleted to drafts. */
export const withdrawReleasesOf = ({ changed, repositoryId }: SettledPush) =>
  withdrawReleases(repositoryId, deletedTags(changed))
