import { Effect } from "effect"
import { GitReader } from "../git/GitReader.ts"
import { GitWriter } from "../git/GitWriter.ts"
import { isObjectId, type ObjectId } from "../git/objectIds.ts"
import { branchRef, RefName } from "../git/refNames.ts"
import type { Issue } from "../issues/Issue.ts"
import { sidesOf } from "../pulls/branches.ts"
import { betweenOf, type PullRequest, pullRef } from "../pulls/PullRequest.ts"
import { sizeOf } from "../pulls/refresh.ts"
import type { Repository } from "../repositories/Repository.ts"
import { keptText, keptTime, type OtherPull } from "./otherForge.ts"

/** The refs at another host, by their names. */
export type OtherRefs = ReadonlyMap<RefName, ObjectId>

/** What a copied pull request has besides its issue. */
export type CopiedPull = Omit<PullRequest, "id" | "issueId" | "open" | "openBetween">

const idOf = (text: string | null | undefined): ObjectId | undefined => (text && isObjectId(text) ? text : undefined)

/** Keeps the heads of pull requests that another host keeps, under the same refs. */
export const keepHeads = Effect.fnUntraced(function* (repository: Repository, refs: OtherRefs) {
  const heads = [...refs].flatMap(([ref, to]) => (/^refs\/pull\/\d+\/head$/.test(ref) ? [{ ref, to }] : []))
  if (heads.length > 0) yield* (yield* GitWriter).updateRefs(repository.id, heads)
})

/** Reads of git what is between the sides of a pull request; what the other host has no commits of any more changes nothing. */
const between = Effect.fnUntraced(function* (
  repository: Repository,
  [head, base, merged]: readonly [ObjectId | undefined, ObjectId | undefined, ObjectId | undefined],
  tip: ObjectId
) {
  const reader = yield* GitReader
  const wanted = [head ?? tip, base ?? tip, merged ?? tip]
  const isThere = (yield* reader.commits(repository.id, wanted)).map((commit) => commit !== undefined)
  const sides =
    head !== undefined && isThere[0] && base !== undefined && isThere[1]
      ? yield* sidesOf(repository.id, base, head)
      : undefined
  if (head === undefined || sides === undefined) {
    return { headSha: tip, baseSha: tip, mergeBase: tip, behind: 0, additions: 0, deletions: 0, changedFiles: 0 }
  }
  const mergeBase = merged !== undefined && isThere[2] ? merged : sides.mergeBase
  return {
    headSha: head,
    baseSha: sides.base,
    mergeBase,
    behind: sides.behind,
    ...(yield* sizeOf(repository.id, mergeBase, head))
  }
})

/** Returns what a pull request of another host is here; its head lies here where it lay in that very repository. */
export const copiedPull = Effect.fnUntraced(function* (
  repository: Repository,
  { allow_maintainer_edit, base, head, merge_base, merge_commit_sha, merged_at, number }: OtherPull,
  refs: OtherRefs,
  tip: ObjectId
) {
  const mergedAt = keptTime(merged_at)
  const baseId = base.repo?.id ?? base.repo_id
  const isHere = baseId !== undefined && baseId !== null && baseId === (head.repo?.id ?? head.repo_id)
  const kept = refs.get(RefName.make(pullRef(number))) ?? idOf(head.sha)
  const known = yield* between(repository, [kept, idOf(base.sha), idOf(merge_base)], tip)
  return {
    repositoryId: repository.id,
    headRepositoryId: isHere && refs.has(branchRef(head.ref)) ? repository.id : null,
    headOwner: isHere ? repository.owner.name : keptText(head.repo?.owner?.login),
    headBranch: keptText(head.ref),
    baseBranch: keptText(base.ref),
    baseVersion: 0,
    allowMaintainerEdit: allow_maintainer_edit === true,
    merged: mergedAt !== undefined,
    mergedAt: mergedAt ?? null,
    mergerId: null,
    mergeCommit: mergedAt === undefined ? null : (idOf(merge_commit_sha) ?? null),
    check: mergedAt === undefined ? "checking" : "contained",
    conflicts: [],
    ...known
  } satisfies CopiedPull
})

/** Returns the row of a copied pull request. */
export const pullRowOf = (pull: CopiedPull, { id, state }: Issue) => {
  const open = state === "open"
  return {
    ...pull,
    issueId: id,
    open,
    openBetween: open && pull.headRepositoryId !== null ? betweenOf(pull) : null
  }
}
