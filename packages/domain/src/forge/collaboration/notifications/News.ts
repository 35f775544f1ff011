import { Schema } from "effect"
import { UserId } from "../../identity/users/User.ts"
import { CommentId, type IssueId } from "../issues/Issue.ts"

/** What happens that people want to hear of. */
export const happenings = [
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
export type Happening = (typeof happenings)[number]

/** Whom news of an issue are for: everybody who follows it, or those alone who are to see to it or to review it. */
export const audiences = ["followers", "assignees", "reviewers"] as const
export type Audience = (typeof audiences)[number]

/** Why somebody hears of a thing, the strongest first, in the words that mail programs have rules for. */
export const newsReasons = [
  "review_requested",
  "assign",
  "author",
  "mention",
  "comment",
  "manual",
  "subscribed",
  "your_activity"
] as const
export type NewsReason = (typeof newsReasons)[number]

/** The fields that say by which words something is news: a comment, a review, or a comment of a review. */
export const SaidWhere = {
  commentId: Schema.NullOr(CommentId),
  reviewId: Schema.optionalKey(Schema.Int),
  remarkId: Schema.optionalKey(Schema.Int)
}

/** Something that happened to an issue or a pull request. */
export interface News {
  readonly issueId: IssueId
  readonly what: Happening
  readonly audience: Audience
  readonly commentId: CommentId | null
  readonly reviewId?: number
  readonly remarkId?: number
  /** Those of the audience whom it is news for, where it isn't for all of them. */
  readonly only?: ReadonlyArray<UserId>
}

/** The schema of somebody who gets a letter with news. */
export const NewsReceiver = Schema.Struct({
  userId: UserId,
  because: Schema.Literals(newsReasons),
  /** Whether the news are for them in person: the very words name them, or they were assigned or asked. */
  personal: Schema.Boolean
})
export type NewsReceiver = typeof NewsReceiver.Type
