import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type BranchRename, renameIn } from "@slipway/domain/forge/code"
import { betweenOf, type PullRequest, pulls, timelineEvents } from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { SettledPush } from "../../base/subscribers/Subscribers.ts"
import { timelineEvent } from "../issues/insert.ts"

/** The number of pull requests that are changed in one batch. */
const batch = 200

/**
 * Updates open pull requests after their branch was renamed, in the current transaction.
 *
 * Reviews still count, because the branch has the same commits. If the rename would create a duplicate of another open
 * pull request, the pull request is not updated, and is closed because its branch is missing.
 */
export const followBranch = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  { from, to }: BranchRename,
  actorId: UserId
) {
  const store = yield* pulls.store
  const events = yield* timelineEvents.store
  const at = yield* now
  const sides = [
    { scope: { repositoryId }, field: "baseBranch", type: "change_target_branch" },
    { scope: { headRepositoryId: repositoryId }, field: "headBranch", type: "change_issue_ref" }
  ] as const
  for (const { field, scope, type } of sides) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: { rows: ReadonlyArray<PullRequest>; next: string | undefined } = yield* store.list(
        scope,
        { limit: batch, ...(after === "" ? {} : { after }) },
        { filter: { [field]: from, open: true } }
      )
      after = page.next
      // A concurrent close or retarget takes precedence.
      const present = yield* store.lockManyBy("issue", page.rows)
      const wanted = present
        .filter((pull) => pull.open && pull[field] === from)
        .map((pull) => ({ ...pull, openBetween: betweenOf({ ...pull, [field]: to }) }))
      const taken = yield* store.findManyBy("between", wanted)
      const followers = wanted.filter(
        (pull) =>
          !taken.some((other) => other.repositoryId === pull.repositoryId && other.openBetween === pull.openBetween)
      )
      const changes = followers.map(({ id, openBetween }) => ({ id, change: { [field]: to, openBetween } }))
      const happened = followers.map(({ issueId }) =>
        timelineEvent({ id: issueId }, type, actorId, at, { details: { oldRef: from, newRef: to } })
      )
      yield* Effect.orDie(store.patchMany(scope, changes))
      yield* Effect.orDie(events.insertMany(happened))
    }
  }
})

/** Updates open pull requests if a push renamed their branch. */
export const followRenamedBranch = ({ actor, changed, details, repositoryId }: SettledPush) => {
  const rename = renameIn(details)
  return rename === undefined || actor === null || !changed.some(({ after }) => after === null)
    ? Effect.void
    : followBranch(repositoryId, rename, actor.id)
}
