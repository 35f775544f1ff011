import { now, Transaction } from "@slipway/domain"
import { isObjectId } from "@slipway/domain/forge/code"
import { type PullRequest, pulls, type ReviewState, reviewComments, reviews } from "@slipway/domain/forge/collaboration"
import { UserId } from "@slipway/domain/forge/identity"
import { OtherForge as Other } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"

/** The user id of copied reviews: no user, so that a copied approval does not count for merging. */
const nobody = UserId.make(0)

const states: Readonly<Record<string, ReviewState>> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "rejected",
  CHANGES_REQUESTED: "rejected",
  COMMENT: "commented",
  COMMENTED: "commented",
  DISMISSED: "commented"
}

const commitOf = (text: string | null | undefined, { headSha }: PullRequest) =>
  text && isObjectId(text) ? text : headSha

/** Returns line and side of a review comment, from the fields of either API (Gitea or GitHub). */
const placeOf = ({ line, original_line, original_position, position, side }: Other.OtherLineComment) => {
  if (side)
    return { side: side === "LEFT" ? ("old" as const) : ("new" as const), line: line ?? 0, first: original_line ?? 0 }
  const isOld = !position && (original_position ?? 0) > 0
  const at = Math.max(0, (isOld ? original_position : position) ?? 0)
  return { side: isOld ? ("old" as const) : ("new" as const), line: at, first: at }
}

/** Stores the reviews of one pull request, all or none. */
const store = Effect.fnUntraced(function* (
  pull: PullRequest,
  copies: ReadonlyArray<Other.OtherReview & { readonly said: ReviewState }>,
  remarks: Other.OtherReviews["remarks"]
) {
  const { issueId, repositoryId } = pull
  const at = yield* now
  const inserted = yield* Effect.orDie(
    (yield* reviews.store).insertMany(
      copies.map(({ body, commit_id, dismissed, said, state, submitted_at, updated_at }) => {
        const submittedAt = Other.storedTime(submitted_at) ?? at
        return {
          issueId,
          repositoryId,
          reviewerId: null,
          teamId: null,
          state: said,
          body: Other.storedText(body),
          commit: commitOf(commit_id, pull),
          baseVersion: pull.baseVersion,
          official: false,
          dismissed: dismissed === true || state === "DISMISSED",
          submittedAt,
          updatedAt: Other.storedTime(updated_at) ?? submittedAt
        }
      })
    )
  )
  const ids = new Map(copies.map(({ id }, index) => [id, inserted[index]?.id]))
  const rows = remarks.flatMap(({ remark, reviewId }) => {
    const review = ids.get(reviewId)
    if (review === undefined) return []
    const { first, line, side } = placeOf(remark)
    const createdAt = Other.storedTime(remark.created_at) ?? at
    return {
      issueId,
      repositoryId,
      reviewId: review,
      authorId: nobody,
      repliesToId: null,
      path: Other.storedText(remark.path),
      side,
      originalLine: first,
      line,
      originalCommit: commitOf(remark.original_commit_id, pull),
      commit: commitOf(remark.commit_id, pull),
      hunk: Other.storedText(remark.diff_hunk),
      body: Other.storedText(remark.body),
      resolverId: remark.resolver ? nobody : null,
      createdAt,
      updatedAt: Other.storedTime(remark.updated_at) ?? createdAt
    }
  })
  if (rows.length > 0) yield* Effect.orDie((yield* reviewComments.store).insertMany(rows))
})

/** How many pull requests are read per query. */
const some = 200
/** How many reviews of a pull request are searched for copied ones. */
const mostLookedAt = 1_000

/**
 * Copies the reviews of copied pull requests; copied approvals do not count for merging.
 *
 * Pull requests are given by their number at the other host.
 */
export const copyReviews = Effect.fnUntraced(function* (
  reader: Other.ForgeReader,
  numbers: ReadonlyMap<number, PullRequest["issueId"]>
) {
  const [known, reviewStore] = [yield* pulls.store, yield* reviews.store]
  const all = [...numbers]
  for (let at = 0; at < all.length; at += some) {
    const these = all.slice(at, at + some)
    const ids = these.map(([, issueId]) => issueId)
    const found = yield* known.listFor("issueId", ids, 1)
    const here = yield* reviewStore.listFor("issueId", ids, mostLookedAt)
    for (const [number, issueId] of these) {
      const [pull] = found.get(issueId) ?? []
      const isCopied = here.get(issueId)?.some(({ reviewerId, teamId }) => reviewerId === null && teamId === null)
      if (pull === undefined || isCopied) continue
      const remoteReviews = yield* reader.reviews(number)
      const distinct = new Map(remoteReviews.reviews.map((review) => [review.id, review]))
      const copies = [...distinct.values()].flatMap((review) => {
        const said = states[review.state]
        return said === undefined ? [] : [{ ...review, said }]
      })
      if (copies.length > 0) yield* (yield* Transaction).run(store(pull, copies, remoteReviews.remarks))
    }
  }
})
