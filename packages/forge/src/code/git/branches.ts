import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId } from "@slipway/domain/forge/code"
import { branchRef, GitReader, GitWriter, RefName, Revision } from "@slipway/domain/forge/code"
import { Effect } from "effect"

/** Reads the commit of a ref; undefined if the repository has no such ref. */
export const refCommit = Effect.fnUntraced(function* (repository: RepositoryId, ref: RefName) {
  return (yield* (yield* GitReader).resolve(repository, Revision.make(ref)))?.commit
})

/** A branch of a repository, with its current commit. */
export interface Tip {
  readonly repository: RepositoryId
  readonly branch: string
  readonly commit: ObjectId
}

/**
 * Runs an effect while the commits of another repository's branch are available in a repository.
 *
 * A temporary ref keeps the commits during that time, and is removed afterwards. Then git keeps only those commits that
 * another ref reaches.
 */
export const withCommitsOf = Effect.fnUntraced(function* <A, E, R>(
  at: RepositoryId,
  { branch, commit, repository }: Tip,
  use: Effect.Effect<A, E, R>
) {
  if (repository === at) return yield* use
  const writer = yield* GitWriter
  const ref = RefName.make(`refs/slipway/${commit}`)
  const fetched = Effect.orDie(writer.fetchFrom(at, repository, [{ from: branchRef(branch), to: ref }]))
  const dropped = Effect.ignore(writer.updateRefs(at, [{ ref, to: null }]))
  return yield* Effect.ensuring(Effect.andThen(fetched, use), dropped)
})

/** The base and head commit of a pull request, their merge base, and how many commits each has after it. */
export interface Sides {
  readonly head: ObjectId
  readonly base: ObjectId
  readonly mergeBase: ObjectId
  readonly ahead: number
  readonly behind: number
}

/**
 * Returns the merge base of two commits, and how many commits each has after it; undefined if their histories are
 * unrelated.
 */
export const sidesOf = Effect.fnUntraced(function* (repository: RepositoryId, base: ObjectId, head: ObjectId) {
  const found = yield* (yield* GitReader).divergence(repository, base, head)
  if (found?.mergeBase === undefined) return undefined
  return { base, head, mergeBase: found.mergeBase, ahead: found.ahead, behind: found.behind } satisfies Sides
})
