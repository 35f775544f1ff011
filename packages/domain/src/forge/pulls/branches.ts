import { Effect } from "effect"
import { GitReader } from "../git/GitReader.ts"
import type { ObjectId } from "../git/objectIds.ts"
import { type RefName, Revision } from "../git/refNames.ts"
import type { RepositoryId } from "../repositories/Repository.ts"

/** Reads the commit that a ref names; nothing where there is none. */
export const refCommit = Effect.fnUntraced(function* (repository: RepositoryId, ref: RefName) {
  return (yield* (yield* GitReader).resolve(repository, Revision.make(ref)))?.commit
})

/** How the two sides of a pull request lie to each other. */
export interface Sides {
  readonly head: ObjectId
  readonly base: ObjectId
  readonly mergeBase: ObjectId
  readonly ahead: number
  readonly behind: number
}

/** Tells how two commits of a repository lie to each other; nothing where their histories have nothing in common. */
export const sidesOf = Effect.fnUntraced(function* (repository: RepositoryId, base: ObjectId, head: ObjectId) {
  const found = yield* (yield* GitReader).divergence(repository, base, head)
  if (found?.mergeBase === undefined) return undefined
  return { base, head, mergeBase: found.mergeBase, ahead: found.ahead, behind: found.behind } satisfies Sides
})
