// The comments of a review on single lines.

import { now } from "@slipway/domain"
import type { ObjectId } from "@slipway/domain/forge/code"
import type { Issue, PullRequest } from "@slipway/domain/forge/collaboration"
import { LineNotFound, type Review, reviewComments } from "@slipway/domain/forge/collaboration"
import { type Actor, signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { filePatch, hunksAt, linesBehind } from "./lines.ts"

/** A new comment on a line of a diff, on the old or the new side. */
export interface LineComment {
  readonly path: string
  readonly body: string
  readonly side: "old" | "new"
  readonly line: number
}

interface LineCommentPlace {
  readonly remark: LineComment
  readonly hunk: string
  readonly line: number
  readonly commit: ObjectId
}

/**
 * Finds commented lines in the diff. If an older head was reviewed, also finds their line numbers in the current head.
 */
export const lineCommentPlaces = Effect.fnUntraced(function* (
  pull: PullRequest,
  commit: ObjectId,
  remarks: ReadonlyArray<LineComment>
) {
  const { headSha, mergeBase, repositoryId } = pull
  // One file at a time, so that only one diff is in memory.
  const places = new Map<LineComment, LineCommentPlace>()
  for (const [path, all] of Map.groupBy(remarks, (remark) => remark.path)) {
    const hunks = hunksAt(yield* filePatch(repositoryId, mergeBase, commit, path), all)
    const moves = commit !== headSha && all.some(({ side }) => side === "new")
    const behind = linesBehind(moves ? yield* filePatch(repositoryId, commit, headSha, path, 0) : [])
    for (const [n, remark] of all.entries()) {
      const { line, side } = remark
      const hunk = hunks[n]
      if (hunk === undefined) return yield* new LineNotFound({ path, line })
      const moved = commit === headSha || side === "old" ? line : behind(line)
      const at = commit === headSha || side === "old" || moved === undefined ? commit : headSha
      places.set(remark, { remark, hunk, line: moved ?? 0, commit: at })
    }
  }
  return remarks.flatMap((remark) => places.get(remark) ?? [])
})

/** Inserts the comments of a review with their line numbers. */
export const addLineComments = Effect.fnUntraced(function* (
  { actor, issue }: { readonly actor: Actor; readonly issue: Issue },
  review: Review,
  remarks: ReadonlyArray<LineCommentPlace>
) {
  const at = yield* now
  return yield* Effect.orDie(
    (yield* reviewComments.store).insertMany(
      remarks.map(({ commit, hunk, line, remark }) => ({
        issueId: issue.id,
        repositoryId: issue.repositoryId,
        reviewId: review.id,
        authorId: signedInUser({ actor }).id,
        repliesToId: null,
        path: remark.path,
        side: remark.side,
        originalLine: remark.line,
        line,
        originalCommit: review.commit,
        commit,
        hunk,
        body: remark.body,
        resolverId: null,
        createdAt: at,
        updatedAt: at
      }))
    )
  )
})
