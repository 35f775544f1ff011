import { Transaction } from "@slipway/domain"
import { branchRef, GitReader, GitWriter, type ObjectId, type Repository } from "@slipway/domain/forge/code"
import {
  MergeBaseUnknown,
  PullImpossible,
  PullNotMerged,
  type PullRequest,
  pulls
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import { commitAt } from "../../code/commits/mergeCommits.ts"
import { type CommitTree, commit } from "../../code/contents/commit.ts"
import { refCommit } from "../../code/git/branches.ts"
import * as Entry from "../../entry/Entry.ts"
import { PullConflicts } from "./Merges.ts"
import * as Pulls from "./Pulls.ts"

/** The maximum length of the title of a pull request, in characters. */
const longestTitle = 255

/** Returns whether the history of a commit contains another commit. */
const contains = Effect.fnUntraced(function* ({ id }: Repository, commit: ObjectId, other: ObjectId) {
  return commit === other || (yield* (yield* GitReader).divergence(id, commit, other))?.ahead === 0
})

/**
 * Returns the commit of the base branch before the merge of a pull request.
 *
 * For a merge commit or a squash, this is its first parent; after a fast-forward or a rebase, the recorded base. Fails
 * with `MergeBaseUnknown` if no base is recorded, as for pull requests copied from other hosts or merged by hand.
 */
const beforeMerge = Effect.fnUntraced(function* (repository: Repository, pull: PullRequest, merged: ObjectId) {
  const { baseSha, headSha, mergerId } = pull
  const mergeCommit = yield* commitAt(repository.id, merged)
  const [first, ...others] = mergeCommit.parents ?? []
  const isHead = merged === headSha
  if (!isHead && first !== undefined && (first === baseSha || others.includes(headSha))) return first
  const isRecorded =
    mergerId !== null &&
    merged !== baseSha &&
    (isHead || (others.length === 0 && !(yield* contains(repository, merged, headSha)))) &&
    (yield* contains(repository, merged, baseSha))
  return isRecorded ? baseSha : yield* new MergeBaseUnknown({ commit: merged })
})

/**
 * Returns the tree of a commit without the changes of a merged pull request. Fails with the files that were changed
 * again since.
 */
const revertedTree = Effect.fnUntraced(function* (
  repository: Repository,
  pull: PullRequest,
  merged: ObjectId,
  tip: ObjectId
) {
  const before = yield* beforeMerge(repository, pull, merged)
  const result = yield* (yield* GitWriter).merge(repository.id, { ours: tip, theirs: before, base: merged })
  if (result._tag === "Conflicted") return yield* new PullConflicts({ paths: result.paths })
  const current = yield* commitAt(repository.id, tip)
  if (current.tree === result.tree) return yield* new PullImpossible({ because: "nothing-new" })
  return result.tree
})

/**
 * Returns whether a branch contains only the revert commit and has no pull request. Then an earlier attempt was
 * interrupted before it opened the pull request, and can be continued.
 */
const isPrepared = Effect.fnUntraced(function* (
  repository: Repository,
  pull: PullRequest,
  merged: ObjectId,
  { branch, message }: { readonly branch: string; readonly message: string }
) {
  const tip = yield* refCommit(repository.id, branchRef(branch))
  const base = yield* refCommit(repository.id, branchRef(pull.baseBranch))
  if (tip === undefined || base === undefined) return false
  const scope = { headRepositoryId: repository.id }
  const { rows } = yield* (yield* pulls.store).list(scope, { limit: 1 }, { filter: { headBranch: branch } })
  const reverting = yield* commitAt(repository.id, tip)
  const [parent, ...others] = reverting.parents ?? []
  if (rows.length > 0 || reverting.message.trimEnd() !== message) return false
  if (parent === undefined || others.length > 0 || !(yield* contains(repository, base, parent))) return false
  return (yield* revertedTree(repository, pull, merged, parent)) === reverting.tree
})

/**
 * Opens a pull request that reverts a merged one, with a commit on a new branch.
 *
 * The caller also needs permission to commit to a new branch and to open a pull request. If an earlier attempt was
 * interrupted after the commit, it is continued.
 */
export const revert = Effect.fnUntraced(function* (proof: Proof<"pull.revert">) {
  const { actor, issue, pull, repository } = proof.resource
  const { baseBranch, mergeCommit, merged } = pull
  if (!merged || mergeCommit === null) return yield* new PullNotMerged()
  const about = { kind: "repository", id: repository.id } as const
  const commits = yield* Entry.authorizeElsewhere("repository.contents.change", actor, about)
  const opens = yield* Entry.authorizeElsewhere("pull.create", actor, about)
  const head = `revert-${issue.number}-${mergeCommit.slice(0, 10)}`
  const title = `Revert "${issue.title}"`.slice(0, longestTitle).toWellFormed()
  const message = `${title}\n\nThis reverts commit ${mergeCommit}, the merge of #${issue.number}.`
  const isRetry = yield* isPrepared(repository, pull, mergeCommit, { branch: head, message })
  const push = commit(commits, { branch: baseBranch, newBranch: head, message }, (tip = mergeCommit) =>
    Effect.map(
      revertedTree(repository, pull, mergeCommit, tip),
      (tree): CommitTree => ({ tree, largest: { object: "revert", size: 0 }, message })
    )
  )
  if (!isRetry) yield* push
  const opened = yield* Pulls.create(opens, { title, body: `Reverts #${issue.number}.`, head, base: baseBranch })
  yield* (yield* Transaction).run(record(proof, { details: { pull: issue.number, branch: head } }))
  return opened
})
