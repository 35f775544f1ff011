import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../../identity/users/User.ts"

import type { CommentId, IssueId } from "./Issue.ts"

/** The types of timeline events of issues and pull requests, without comments, as in API responses. */
export const timelineEventTypes = [
  "reopen",
  "close",
  "issue_ref",
  "commit_ref",
  "comment_ref",
  "pull_ref",
  "label",
  "milestone",
  "assignees",
  "change_title",
  "delete_branch",
  "start_tracking",
  "stop_tracking",
  "add_time_manual",
  "cancel_tracking",
  "delete_time_manual",
  "change_time_estimate",
  "added_deadline",
  "modified_deadline",
  "removed_deadline",
  "add_dependency",
  "remove_dependency",
  "review",
  "dismiss_review",
  "review_request",
  "lock",
  "unlock",
  "pin",
  "unpin",
  "change_target_branch",
  "change_issue_ref",
  "merge_pull",
  "pull_push",
  "pull_scheduled_merge",
  "pull_cancel_scheduled_merge"
] as const
export type TimelineEventType = (typeof timelineEventTypes)[number]

/** The effects that a reference in a commit or text can have on the referenced issue. */
export const referenceActions = ["none", "closes", "reopens"] as const
export type ReferenceAction = (typeof referenceActions)[number]

/** The repository units that can contain the source of an event; only users who may read the unit see the event. */
export const sourceUnits = ["repo.code", "repo.issues", "repo.pulls"] as const
export type SourceUnit = (typeof sourceUnits)[number]

/** The details of a timeline event, by event type. They refer to resources by id; these may no longer exist. */
export interface TimelineDetails {
  readonly body?: string
  readonly labelId?: number
  readonly milestoneId?: number
  readonly oldMilestoneId?: number
  readonly assigneeId?: number
  readonly assigneeTeamId?: number
  /** Whether a label or an assignee was removed. */
  readonly removed?: boolean
  readonly oldTitle?: string
  readonly newTitle?: string
  readonly oldRef?: string
  readonly newRef?: string
  readonly refAction?: ReferenceAction
  readonly commit?: string
  readonly reviewId?: number
  readonly trackedTimeId?: number
}

/** An event in the timeline of an issue or a pull request. */
export interface TimelineEvent {
  readonly id: number
  readonly issueId: IssueId
  readonly type: TimelineEventType
  /** The id of the user who caused the event; it is kept after the account is deleted. */
  readonly actorId: UserId
  /** The other issue or pull request: the one that contains the reference, or the dependency; otherwise null. */
  readonly otherIssueId: IssueId | null
  /** The comment that contains the reference; otherwise null. */
  readonly otherCommentId: CommentId | null
  /** The repository that contains the reference; only users who may read its unit `sourceUnit` see the event. */
  readonly sourceRepositoryId: RepositoryId | null
  readonly sourceUnit: SourceUnit | null
  readonly details: TimelineDetails
  readonly createdAt: string
}

/** The table of timeline events of issues and pull requests, in order of their creation. */
export const timelineEvents = owned<TimelineEvent>()("timelineEvent", {
  within: ["issueId", "otherIssueId"],
  fields: {
    issueId: Fields.reference("issue"),
    type: Fields.oneOf(...timelineEventTypes),
    actorId: Fields.integer(),
    otherIssueId: Fields.nullable(Fields.reference("issue")),
    otherCommentId: Fields.nullable(Fields.reference("comment")),
    sourceRepositoryId: Fields.nullable(Fields.reference("repository")),
    sourceUnit: Fields.nullable(Fields.oneOf(...sourceUnits)),
    details: Fields.json(),
    createdAt: Fields.time()
  },
  orders: { happened: ascending("createdAt") },
  filters: ["type"]
})
