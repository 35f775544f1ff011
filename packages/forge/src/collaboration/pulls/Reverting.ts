import { Transaction } from "@slipway/domain"
import {
  type Commit,
  GitMissing,
  GitReader,
  GitWriter,
  type ObjectId,
  type Repository
} from "@slipway/domain/forge/code"
import { PullImpossible, PullNotMerged, type PullRequest } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import { type CommitTree, commit } from "../../code/contents/commit.ts"
import * as Entry from "../../entry/Entry.ts"
import { PullConflicts } from "./Merges.ts"
import * as Pulls from "./Pulls.ts"

/** The longest title of a pull request, in characters. */
const longestTitle = 255

/** Reads existing commits in the given order. */
const commitsAt = Effect.fnUntraced(function* ({ id }: Repository, ids: ReadonlyArray<ObjectId>) {
  const found = yield* (yield* GitReader).commits(id, ids)
  const known: ReadonlyArray<Commit> = found.flatMap((each) => each ?? [])
  return known.length === ids.length ? known : yield* new GitMissing({ what: "object" })
})

/**
 * Returns the commit of the base branch without the merged changes: the first parent of a merge commit, otherwise the
 * base of the pull request at its merge, from which a squash or a rebase started.
 */
const beforeMerge = Effect.fnUntraced(function* (repository: Repository, pull: PullRequest, merged: ObjectId) {
  const [mergeCommit] = yield* commitsAt(repository, [merged])
  const [first = pull.baseSha, ...others] = mergeCommit?.parents ?? []
  return others.length > 0 ? first : pull.baseSha
})

/** Removes the merged changes from the tree of a commit; fails with the files that were changed again. */
const revertedTree = Effect.fnUntraced(function* (
  repository: Repository,
  pull: PullRequest,
  merged: ObjectId,
  tip: ObjectId
) {
  const before = yield* beforeMerge(repository, pull, merged)
  const result = yield* (yield* GitWriter).merge(repository.id, { ours: tip, theirs: before, base: merged })
  if (result._tag === "Conflicted") return yield* new PullConflicts({ paths: result.paths })
  const [current] = yield* commitsAt(repository, [tip])
  if (current?.tree === result.tree) return yield* new PullImpossible({ because: "nothing-new" })
  return result.tree
})

/**
 * Opens a pull request that undoes a merged one, with a commit on a new branch.
 *
 * The caller also needs permission to commit to a new branch and to open a pull request.
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
  yield* commit(commits, { branch: baseBranch, newBranch: head, message }, (tip = mergeCommit) =>
    Effect.map(
      revertedTree(repository, pull, mergeCommit, tip),
      (tree): CommitTree => ({ tree, largest: { object: "revert", size: 0 }, message })
    )
  )
  yield* (yield* Transaction).run(record(proof, { details: { pull: issue.number, branch: head } }))
  return yield* Pulls.create(opens, { title, body: `Reverts #${issue.number}.`, head, base: baseBranch })
})
