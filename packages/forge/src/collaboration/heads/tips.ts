import { branchRef, type ObjectId, RefName } from "@slipway/domain/forge/code"
import { origins, type PullRequest, pullRef } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import { refCommit } from "../../code/git/branches.ts"

/** The current commits of a pull request's branches. */
export interface Tips {
  readonly head: ObjectId | undefined
  readonly base: ObjectId | undefined
}

/** Returns the current commits of the base and head branch of a pull request; undefined for a missing branch. */
export const tipsOf = Effect.fnUntraced(function* (
  { baseBranch, headBranch, headRepositoryId, headSha, issueId, pushedBy, repositoryId }: PullRequest,
  number: number
) {
  const base = yield* refCommit(repositoryId, branchRef(baseBranch))
  if (headRepositoryId !== null) return { base, head: yield* refCommit(headRepositoryId, branchRef(headBranch)) }
  if (pushedBy !== null) {
    // Right after it was opened, its ref does not exist yet.
    return { base, head: (yield* refCommit(repositoryId, RefName.make(pullRef(number)))) ?? headSha }
  }
  // The branch of an imported pull request stayed at the other host; its commits are here.
  const copied = yield* (yield* origins.store).listFor("issueId", [issueId], 1, { filter: { kind: "issue" } })
  const head = copied.size === 0 ? undefined : yield* refCommit(repositoryId, RefName.make(pullRef(number)))
  return { head, base } satisfies Tips
})
