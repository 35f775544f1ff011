import type { Repository } from "@slipway/domain/forge/code"
import { branchRef, GitReader, GitWriter, isObjectId, type ObjectId, RefName } from "@slipway/domain/forge/code"
import type { Issue } from "@slipway/domain/forge/collaboration"
import { betweenOf, type PullRequest, pullRef } from "@slipway/domain/forge/collaboration"
import { type OtherPull, storedText, storedTime } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { sidesOf } from "../../code/git/branches.ts"
import { sizeOf } from "../../collaboration/pulls/refresh.ts"

/** The refs at another host, by name. */
export type OtherRefs = ReadonlyMap<RefName, ObjectId>

/** The fields of a copied pull request, apart from its issue. */
export type CopiedPull = Omit<PullRequest, "id" | "issueId" | "open" | "openBetween">

const idOf = (text: string | null | undefined): ObjectId | undefined => (text && isObjectId(text) ? text : undefined)

/** Creates the refs `refs/pull/<number>/head` of the other host in the repository. */
export const keepHeads = Effect.fnUntraced(function* (repository: Repository, refs: OtherRefs) {
  const heads = [...refs].flatMap(([ref, to]) => (/^refs\/pull\/\d+\/head$/.test(ref) ? [{ ref, to }] : []))
  if (heads.length > 0) yield* (yield* GitWriter).updateRefs(repository.id, heads)
})

/** The commits of a pull request at another host. */
interface NamedCommits {
  readonly head: ObjectId | undefined
  readonly base: ObjectId | undefined
  readonly mergeBase: ObjectId | undefined
}

const namedCommits = ({ base, head, merge_base, number }: OtherPull, refs: OtherRefs): NamedCommits => ({
  head: refs.get(RefName.make(pullRef(number))) ?? idOf(head.sha),
  base: idOf(base.sha),
  mergeBase: idOf(merge_base)
})

/** Returns which of the named commits exist in a repository. */
const presentOf = Effect.fnUntraced(function* (repository: Repository, named: ReadonlyArray<NamedCommits>) {
  const ids = [...new Set(named.flatMap(({ base, head, mergeBase }) => [head, base, mergeBase]))]
  const wanted = ids.filter((id) => id !== undefined)
  const commits = yield* (yield* GitReader).commits(repository.id, wanted)
  return new Set(wanted.filter((_, at) => commits[at] !== undefined))
})

/** Reads merge base and diff size of a pull request; if a commit is missing, all commits are `tip` and all counts 0. */
const between = Effect.fnUntraced(function* (repository: Repository, named: NamedCommits, tip: ObjectId) {
  const { base, head } = named
  const sides = head !== undefined && base !== undefined ? yield* sidesOf(repository.id, base, head) : undefined
  if (head === undefined || sides === undefined) {
    return { headSha: tip, baseSha: tip, mergeBase: tip, behind: 0, additions: 0, deletions: 0, changedFiles: 0 }
  }
  const mergeBase = named.mergeBase ?? sides.mergeBase
  return {
    headSha: head,
    baseSha: sides.base,
    mergeBase,
    behind: sides.behind,
    ...(yield* sizeOf(repository.id, mergeBase, head))
  }
})

/** Converts pull requests of another host to rows, by number; their commits must have been fetched before. */
export const copiedPulls = Effect.fnUntraced(function* (
  repository: Repository,
  pulls: ReadonlyArray<OtherPull>,
  refs: OtherRefs,
  tip: ObjectId
) {
  const named = pulls.map((pull) => namedCommits(pull, refs))
  const present = yield* presentOf(repository, named)
  const known = (id: ObjectId | undefined) => (id !== undefined && present.has(id) ? id : undefined)
  const copied = yield* Effect.forEach(pulls, (pull, at) => {
    const { base, head, mergeBase } = named[at] ?? namedCommits(pull, refs)
    const there = { head: known(head), base: known(base), mergeBase: known(mergeBase) }
    return Effect.map(copiedPull(repository, pull, refs, there, tip), (row) => [pull.number, row] as const)
  })
  return new Map(copied)
})

/** Converts one pull request of another host; its head branch is kept only if it is in the same repository. */
const copiedPull = Effect.fnUntraced(function* (
  repository: Repository,
  { allow_maintainer_edit, base, head, merge_commit_sha, merged_at }: OtherPull,
  refs: OtherRefs,
  commits: NamedCommits,
  tip: ObjectId
) {
  const mergedAt = storedTime(merged_at)
  const baseId = base.repo?.id ?? base.repo_id
  const isHere = baseId !== undefined && baseId !== null && baseId === (head.repo?.id ?? head.repo_id)
  const known = yield* between(repository, commits, tip)
  return {
    repositoryId: repository.id,
    headRepositoryId: isHere && refs.has(branchRef(head.ref)) ? repository.id : null,
    headOwner: isHere ? repository.owner.name : storedText(head.repo?.owner?.login),
    headBranch: storedText(head.ref),
    pushedBy: null,
    baseBranch: storedText(base.ref),
    baseVersion: 0,
    allowMaintainerEdit: allow_maintainer_edit === true,
    // A branch lent at the other host grants nothing here.
    lenderId: null,
    merged: mergedAt !== undefined,
    mergedAt: mergedAt ?? null,
    mergerId: null,
    mergeCommit: mergedAt === undefined ? null : (idOf(merge_commit_sha) ?? null),
    check: mergedAt === undefined ? "checking" : "contained",
    conflicts: [],
    ...known
  } satisfies CopiedPull
})

/** Returns the row to store for a pull request that is copied from another host. */
export const pullRowOf = (pull: CopiedPull, { id, state }: Issue) => {
  const open = state === "open"
  return {
    ...pull,
    issueId: id,
    open,
    openBetween: open && pull.headRepositoryId !== null ? betweenOf(pull) : null
  }
}
