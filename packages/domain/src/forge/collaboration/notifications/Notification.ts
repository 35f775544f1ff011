import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { CommentId, IssueId } from "../issues/Issue.ts"

/** The statuses of a notification, set by the user; a new notification is `unread`. */
export const notificationStatuses = ["unread", "read", "pinned"] as const
export type NotificationStatus = (typeof notificationStatuses)[number]

/** A notification of a user about an issue or a pull request; each user has at most one per issue. */
export interface Notification {
  readonly id: number
  readonly userId: UserId
  readonly repositoryId: RepositoryId
  readonly issueId: IssueId
  /** The id of the newest comment that caused the notification; null if no comment did. */
  readonly commentId: CommentId | null
  readonly status: NotificationStatus
  readonly updatedAt: string
}

/** The notifications of users. */
export const notifications = owned<Notification>()("notification", {
  within: ["userId", "repositoryId", "issueId"],
  fields: {
    userId: Fields.reference("user"),
    repositoryId: Fields.reference("repository"),
    issueId: Fields.reference("issue"),
    commentId: Fields.looseReference("comment"),
    status: Fields.oneOf(...notificationStatuses),
    updatedAt: Fields.time()
  },
  unique: { thread: ["userId", "issueId"] }
})

/**
 * A user's choice to be notified of one issue or pull request, or not to be (`subscribed` is false). It is independent
 * of watching the repository.
 */
export interface IssueSubscription {
  readonly id: number
  readonly issueId: IssueId
  readonly userId: UserId
  readonly subscribed: boolean
  readonly createdAt: string
}

/** The explicit subscriptions of users to issues and pull requests, and their opt-outs. */
export const issueSubscriptions = owned<IssueSubscription>()("issueSubscription", {
  within: ["issueId", "userId"],
  fields: {
    issueId: Fields.reference("issue"),
    userId: Fields.reference("user"),
    subscribed: Fields.boolean(),
    createdAt: Fields.time()
  },
  filters: ["subscribed"],
  unique: { pair: ["issueId", "userId"] }
})

/** Reports that the caller has no notification with this id, or can no longer see its issue or repository. */
export class NotificationNotFound extends Schema.TaggedError<NotificationNotFound>()("NotificationNotFound", {
  id: Schema.Number
}) {}
