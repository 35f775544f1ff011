import { now } from "@slipway/domain"
import type { Issue } from "@slipway/domain/forge/collaboration"
import { type ReviewComment, reviewComments, reviews, seesPending } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import type { UserId } from "@slipway/domain/forge/identity"
import { type Actor, signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { issueAfter } from "../issues/snapshots.ts"
import { type PeopleById, peopleOf } from "../issues/views.ts"

/** A review comment with its author, and the user who resolved it. */
export interface ReviewCommentView {
  readonly comment: ReviewComment
  readonly issue: Issue
  readonly people: PeopleById
}

const commentViews = Effect.fnUntraced(function* (actor: Actor, issue: Issue, rows: ReadonlyArray<ReviewComment>) {
  const ids = rows.flatMap(({ authorId, resolverId }) => (resolverId === null ? [authorId] : [authorId, resolverId]))
  const people = yield* peopleOf(actor, ids)
  return rows.map((comment): ReviewCommentView => ({ comment, issue, people }))
})

/** Lists the comments of a review in order. */
export const list = Effect.fnUntraced(function* ({
  resource: { actor, issue, review }
}: Proof<"pull.review.comment.list">) {
  const { rows } = yield* (yield* reviewComments.store).list({ reviewId: review.id }, { limit: 10_000 })
  return yield* commentViews(actor, issue, rows)
})

/**
 * Lists the comments of all reviews of a pull request in order. Comments of a pending review are listed only for its
 * author.
 */
export const listAll = Effect.fnUntraced(function* ({ resource: { actor, issue } }: Proof<"pull.comment.list">) {
  const scope = { issueId: issue.id }
  const pending = yield* (yield* reviews.store).list(scope, { limit: 1_000 }, { filter: { state: "pending" } })
  const hidden = new Set(pending.rows.flatMap((review) => (seesPending(actor, review) ? [] : [review.id])))
  const { rows } = yield* (yield* reviewComments.store).list(scope, { limit: 10_000 })
  return yield* commentViews(
    actor,
    issue,
    rows.filter(({ reviewId }) => !hidden.has(reviewId))
  )
})

/** Adds a reply to a review comment; the reply belongs to the same review. */
export const reply = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"pull.comment.reply">, body: string) {
    const { actor, comment, issue } = resource
    const at = yield* now
    const { id: _, ...where } = comment
    const insertedComment = yield* Effect.orDie(
      (yield* reviewComments.store).insert({
        ...where,
        authorId: signedInUser(resource).id,
        repliesToId: comment.repliesToId ?? comment.id,
        body,
        resolverId: null,
        createdAt: at,
        updatedAt: at
      })
    )
    const [view] = yield* commentViews(actor, issue, [insertedComment])
    return view as ReviewCommentView
  }),
  ({ comment, issue }) => ({
    details: { pull: issue.number, comment: comment.id, review: comment.reviewId },
    notification: { issueId: issue.id, what: "replied", commentId: null, remarkId: comment.id, audience: "followers" }
  }),
  (proof) => issueAfter(proof.resource.issue)
)

const setResolver = Effect.fnUntraced(function* (
  { comment, issue }: Proof<"pull.comment.resolve" | "pull.comment.unresolve">["resource"],
  resolverId: UserId | null
) {
  yield* Effect.orDie(
    (yield* reviewComments.store).patch({ issueId: issue.id }, comment.repliesToId ?? comment.id, { resolverId })
  )
  return { issue, comment }
})

const eventDetailsOf = ({ comment, issue }: Pick<ReviewCommentView, "comment" | "issue">) => ({
  details: { pull: issue.number, comment: comment.id }
})

/** Marks the conversation that begins with a review comment as resolved. */
export const resolve = audited(
  ({ resource }: Proof<"pull.comment.resolve">) => setResolver(resource, signedInUser(resource).id),
  eventDetailsOf
)

/** Marks the conversation that begins with a review comment as unresolved. */
export const unresolve = audited(
  ({ resource }: Proof<"pull.comment.unresolve">) => setResolver(resource, null),
  eventDetailsOf
)
