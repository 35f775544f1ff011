import type { NotifiedEvent } from "@slipway/domain/forge/collaboration"
import {
  comments,
  type Issue,
  type Review,
  type ReviewComment,
  reviewComments,
  reviews
} from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"

/** The maximum number of review comments that a notification contains. */
const mostComments = 20

/** The text that caused a notification, such as a comment, and its anchor on the page of the issue. */
export interface NotificationText {
  readonly text: string
  /** The fragment with which the URL of the issue points to the text, such as `#issuecomment-7`. */
  readonly anchor: string
  readonly review?: Review
}

const nothing: NotificationText = { text: "", anchor: "" }

const lineCommentText = ({ body, originalLine, path }: ReviewComment): string =>
  `\`${path.replaceAll(/[`\p{Cc}]/gu, " ")}\`, line ${originalLine}:\n\n${body}`

const inReview = Effect.fnUntraced(function* ({ id: issueId }: Issue, reviewId: number) {
  const review = yield* (yield* reviews.store).find({ issueId }, reviewId)
  if (review === undefined || review.state === "pending") return undefined
  const { rows } = yield* (yield* reviewComments.store).list({ reviewId }, { limit: mostComments })
  const parts = [review.body, ...rows.map(lineCommentText)].filter((text) => text.trim() !== "")
  return { text: parts.join("\n\n"), anchor: `#review-${reviewId}`, review } satisfies NotificationText
})

/**
 * Reads the text that caused a notification; undefined if the text was deleted, so that the notification is not sent.
 */
export const readNotificationText = Effect.fnUntraced(function* (
  issue: Issue,
  { commentId, remarkId, reviewId, what }: Pick<NotifiedEvent, "commentId" | "remarkId" | "reviewId" | "what">
) {
  const { id: issueId } = issue
  if (commentId !== null) {
    const comment = yield* (yield* comments.store).find({ issueId }, commentId)
    return comment && ({ text: comment.body, anchor: `#issuecomment-${commentId}` } satisfies NotificationText)
  }
  if (remarkId !== undefined) {
    const remark = yield* (yield* reviewComments.store).find({ issueId }, remarkId)
    const review = remark && (yield* (yield* reviews.store).find({ issueId }, remark.reviewId))
    if (remark === undefined || review === undefined || review.state === "pending") return undefined
    return { text: lineCommentText(remark), anchor: `#issuecomment-${remarkId}` } satisfies NotificationText
  }
  if (reviewId !== undefined) return yield* inReview(issue, reviewId)
  return what === "opened" ? ({ text: issue.body, anchor: "" } satisfies NotificationText) : nothing
})
