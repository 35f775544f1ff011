import { Schema } from "effect"
import { UserId } from "../../identity/users/User.ts"
import { CommentId, type IssueId } from "../issues/Issue.ts"

/** The events that users can be notified of. */
export const notificationEvents = [
  "opened",
  "closed",
  "reopened",
  "merged",
  "commented",
  "reviewed",
  "replied",
  "assigned",
  "review-requested",
  "published"
] as const
export type NotificationEvent = (typeof notificationEvents)[number]

/**
 * The audiences of a notification about an issue: all followers, only its assignees, or only its requested reviewers.
 */
export const audiences = ["followers", "assignees", "reviewers"] as const
export type Audience = (typeof audiences)[number]

/**
 * The reasons for a notification, the strongest first. Emails contain the reason, so that email clients can filter by
 * it.
 */
export const notificationReasons = [
  "review_requested",
  "assign",
  "author",
  "mention",
  "comment",
  "manual",
  "subscribed",
  "your_activity"
] as const
export type NotificationReason = (typeof notificationReasons)[number]

/** The fields that identify the text that caused a notification: a comment, a review, or a review comment. */
export const NotificationTextFields = {
  commentId: Schema.NullOr(CommentId),
  reviewId: Schema.optionalKey(Schema.Int),
  remarkId: Schema.optionalKey(Schema.Int)
}

/** An event of an issue or a pull request that users are notified of. */
export interface NotifiedEvent {
  readonly issueId: IssueId
  readonly what: NotificationEvent
  readonly audience: Audience
  readonly commentId: CommentId | null
  readonly reviewId?: number
  readonly remarkId?: number
  /** The users of the audience who are notified; all of the audience if omitted. */
  readonly only?: ReadonlyArray<UserId>
}

/** The schema of the receiver of a notification email. */
export const EmailReceiver = Schema.Struct({
  userId: UserId,
  because: Schema.Literals(notificationReasons),
  /**
   * Whether the receiver is personally concerned: the text mentions them, or they were assigned or requested as a
   * reviewer.
   */
  personal: Schema.Boolean
})
export type EmailReceiver = typeof EmailReceiver.Type
