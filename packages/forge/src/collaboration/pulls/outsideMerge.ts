import type { ObjectId } from "@slipway/domain/forge/code"
import { branchRef, GitReader, PushStore } from "@slipway/domain/forge/code"
import type { PullRequest } from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The maximum number of commits of the base branch, and of pushes, that are searched for a merge. */
const most = { commits: 10_000, pushes: 50 }

/**
 * A merge that was made with git and pushed: the first commit of the base branch that contains the head, and the user
 * who pushed it.
 */
export interface OutsideMerge {
  readonly commit: ObjectId
  readonly mergerId: UserId | null
}

/** Returns the commits of the base branch that contain the head, newest first; only first parents are followed. */
const containing = Effect.fnUntraced(function* (
  { baseSha, repositoryId }: PullRequest,
  base: ObjectId,
  head: ObjectId
) {
  const reader = yield* GitReader
  const history = { from: [base], not: [baseSha], firstParent: true }
  const commits = yield* reader.log(repositoryId, history, { skip: 0, limit: most.commits })
  // Every commit after the merge contains the head too, so that a binary search finds the first one.
  let [found, missing] = [0, commits.length]
  while (missing - found > 1) {
    const middle = (found + missing) >> 1
    const commit = commits[middle]
    const contains = commit !== undefined && (yield* reader.divergence(repositoryId, commit, head))?.ahead === 0
    if (contains) found = middle
    else missing = middle
  }
  return commits.slice(0, found + 1)
})

/**
 * Finds the commit with which the head of a pull request was merged into the base branch with git.
 *
 * The user who merged is the one who pushed that commit; `null` if the push is not among the recent ones.
 */
export const findOutsideMerge = Effect.fnUntraced(function* (pull: PullRequest, base: ObjectId, head: ObjectId) {
  const commits = yield* containing(pull, base, head)
  const after = new Set<string | null>(commits)
  const ref = branchRef(pull.baseBranch)
  const { rows } = yield* (yield* PushStore).list(pull.repositoryId, { page: 1, perPage: most.pushes })
  const push = rows.findLast(({ refs }) => refs.some((each) => each.ref === ref && after.has(each.after)))
  const mergerId = (push?.event.actor?.id ?? null) as UserId | null
  return { commit: commits.at(-1) ?? head, mergerId } satisfies OutsideMerge
})
