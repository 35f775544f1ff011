import type { RepositoryId } from "@slipway/domain/forge/base"
import type { Commit, CommitData, Ident, MergeStyle, ObjectId } from "@slipway/domain/forge/code"
import { GitMissing, GitReader, GitWriter } from "@slipway/domain/forge/code"
import { Data, Effect } from "effect"

/** The maximum number of commits that a rebase may contain. */
export const mostRebased = 1_000

/** Reports that a merge or rebase has a conflict, with the commit of the head that conflicts. */
export class MergeConflict extends Data.TaggedError("MergeConflict")<{
  readonly paths: ReadonlyArray<string>
  readonly commit: ObjectId
}> {}

/** Reports that commits cannot be merged with the requested merge style, with the reason. */
export class MergeImpossible extends Data.TaggedError("MergeImpossible")<{
  readonly because: "diverged" | "too-many" | "unrelated"
}> {}

/** The two commits to merge, and the author, committer and message of the new commits. */
export interface MergeInput {
  readonly repository: RepositoryId
  readonly base: ObjectId
  readonly head: ObjectId
  readonly committer: Ident
  /** The author of the new commit if the style is `squash`. */
  readonly author: Ident
  readonly message: string
}

/** The merge styles for which the service creates the merge; excludes `manually-merged`. */
export type JoinStyle = Exclude<MergeStyle, "manually-merged">

const requireCommit = (commit: Commit | undefined) =>
  commit === undefined ? Effect.fail(new GitMissing({ what: "object" })) : Effect.succeed(commit)

/** Reads a commit; fails if it is missing. */
export const commitAt = Effect.fnUntraced(function* (repository: RepositoryId, id: ObjectId) {
  const [commit] = yield* (yield* GitReader).commits(repository, [id])
  return yield* requireCommit(commit)
})

/** Merges two commits and returns the id of the resulting tree. `base` replaces the computed merge base. */
const mergedTree = Effect.fnUntraced(function* (
  repository: RepositoryId,
  ours: ObjectId,
  theirs: ObjectId,
  base?: ObjectId
) {
  const result = yield* (yield* GitWriter).merge(repository, { ours, theirs, base })
  if (result._tag === "Merged") return result.tree
  return yield* new MergeConflict({ paths: result.paths, commit: theirs })
})

/**
 * Returns the commits that are in the history of the head but not of the base, without merge commits, parents first.
 */
const between = Effect.fnUntraced(function* (repository: RepositoryId, base: ObjectId, head: ObjectId) {
  const reader = yield* GitReader
  const ids = yield* reader.log(repository, { from: [head], not: [base] }, { skip: 0, limit: mostRebased + 1 })
  if (ids.length > mostRebased) return yield* new MergeImpossible({ because: "too-many" })
  const found = yield* reader.commits(repository, ids)
  return inOrder(found.flatMap((each) => each ?? []))
})

/**
 * Returns commits with parents before their children. Otherwise they are in the reverse of the given order.
 *
 * The given order is by commit time, which may be wrong because the clocks of authors differ.
 */
export const inOrder = (newestFirst: ReadonlyArray<Commit>): ReadonlyArray<Commit> => {
  const byId = new Map(newestFirst.map((commit) => [commit.id, commit]))
  const done = new Set<ObjectId>()
  const sorted: Array<Commit> = []
  for (const start of [...newestFirst].reverse()) {
    const open = [start]
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const before = last.parents.flatMap((id) => (done.has(id) ? [] : (byId.get(id) ?? [])))[0]
      if (before !== undefined) open.push(before)
      else {
        open.pop()
        if (!done.has(last.id)) sorted.push(last)
        done.add(last.id)
      }
    }
  }
  return sorted
}

const empty = Effect.fnUntraced(function* (repository: RepositoryId, who: Ident) {
  const writer = yield* GitWriter
  const tree = yield* writer.writeTree(repository, undefined, [])
  return yield* writer.writeCommit(repository, { tree, parents: [], author: who, committer: who, message: "" })
})

/**
 * Rebases the commits of the head onto the base, and returns the last new commit. Merge commits are skipped.
 *
 * A commit is also skipped if the base already contains its change. A commit that was empty from the start is kept.
 */
const rebased = Effect.fnUntraced(function* ({ base, committer, head, repository }: MergeInput) {
  const writer = yield* GitWriter
  const commits = yield* between(repository, base, head)
  const reader = yield* GitReader
  const parents = [...new Set(commits.flatMap((commit) => commit.parents.slice(0, 1)))]
  const trees = new Map(
    (yield* reader.commits(repository, parents)).flatMap((commit) => (commit ? [[commit.id, commit.tree]] : []))
  )
  let last = yield* commitAt(repository, base)
  for (const commit of commits) {
    if (commit.parents.length > 1) continue
    const [parent] = commit.parents
    if (parent === last.id) {
      last = commit
      continue
    }
    const from = parent ?? (yield* empty(repository, committer))
    const tree = yield* mergedTree(repository, last.id, commit.id, from)
    const changesNothing = parent !== undefined && trees.get(parent) === commit.tree
    if (tree === last.tree && !changesNothing) continue
    const data: CommitData = {
      tree,
      parents: [last.id],
      author: commit.author,
      committer,
      message: commit.message
    }
    last = { ...data, id: yield* writer.writeCommit(repository, data) }
  }
  return last
})

const merged = Effect.fnUntraced(function* (input: MergeInput, theirs: ObjectId, tree: ObjectId) {
  const { base, committer, message, repository } = input
  return yield* (yield* GitWriter).writeCommit(repository, {
    tree,
    parents: [base, theirs],
    author: committer,
    committer,
    message
  })
})

/**
 * Merges a head into a base, and returns the commit for the base branch. No work tree is needed; git in a work tree
 * creates the same trees.
 *
 * No ref points to the new objects yet, so users cannot see them.
 */
export const joinCommits = Effect.fnUntraced(function* (style: JoinStyle, input: MergeInput) {
  const { author, base, committer, head, message, repository } = input
  const between = yield* (yield* GitReader).divergence(repository, base, head)
  if (between?.mergeBase === undefined) return yield* new MergeImpossible({ because: "unrelated" })
  switch (style) {
    case "merge":
      return yield* merged(input, head, yield* mergedTree(repository, base, head))
    case "squash": {
      const tree = yield* mergedTree(repository, base, head)
      return yield* (yield* GitWriter).writeCommit(repository, { tree, parents: [base], author, committer, message })
    }
    case "rebase":
      return (yield* rebased(input)).id
    case "rebase-merge": {
      const { id, tree } = yield* rebased(input)
      return yield* merged(input, id, tree)
    }
    case "fast-forward-only":
      if (between.mergeBase !== base) return yield* new MergeImpossible({ because: "diverged" })
      return head
  }
})
