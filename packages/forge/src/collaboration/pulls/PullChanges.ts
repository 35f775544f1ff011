import type { PageRequest } from "@slipway/domain"
import { GitReader, type IgnoredWhitespace } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import * as Commits from "../../code/commits/Commits.ts"

type CodeProof = Proof<"pull.commit.list" | "pull.diff" | "pull.file.list" | "pull.patch">

/** Lists the commits of a pull request, newest first. */
export const commits = Effect.fnUntraced(function* (
  proof: Proof<"pull.commit.list">,
  details: Commits.CommitDetails,
  { page, perPage }: PageRequest
) {
  const { headSha, mergeBase, repositoryId } = proof.resource.pull
  const reader = yield* GitReader
  const history = { from: [headSha], not: [mergeBase] }
  const ids = yield* reader.log(repositoryId, history, { skip: (page - 1) * perPage, limit: perPage })
  const total = yield* reader.count(repositoryId, history)
  return { ...(yield* Commits.readDetails(proof, ids, details)), total }
})

/** The options for listing the changed files of a pull request. */
export interface FileListing {
  /** The path of the first file to list; files that come before it are omitted. */
  readonly from?: string | undefined
  readonly whitespace?: IgnoredWhitespace | undefined
}

/** Lists the changed files of a pull request by path. */
export const files = Effect.fnUntraced(function* (
  { resource: { pull } }: Proof<"pull.file.list">,
  { page, perPage }: PageRequest,
  { from, whitespace }: FileListing = {}
) {
  const difference = { from: pull.mergeBase, to: pull.headSha, whitespace }
  const all = yield* (yield* GitReader).changes(pull.repositoryId, difference)
  const at = from === undefined ? 0 : all.findIndex(({ after, before }) => (after ?? before)?.path === from)
  const rest = at < 0 ? [] : all.slice(at)
  return { rows: rest.slice((page - 1) * perPage, page * perPage), total: rest.length }
})

/**
 * Returns the changes of a pull request as text: one diff, or one patch email per commit. Also returns the two commits
 * that are compared.
 */
export const text = Effect.fnUntraced(function* ({ resource: { pull } }: CodeProof, style: "diff" | "mails") {
  const { headSha, mergeBase, repositoryId } = pull
  const reader = yield* GitReader
  return { from: mergeBase, to: headSha, text: reader.patch(repositoryId, { from: mergeBase, to: headSha }, { style }) }
})
