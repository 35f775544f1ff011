import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { MilestoneId } from "../milestones/Milestone.ts"

/** The schema of the id of an issue or pull request, which is unique on the site. */
export const IssueId = Schema.Int.pipe(Schema.brand("IssueId"))
export type IssueId = typeof IssueId.Type

/** The schema of the id of a comment. */
export const CommentId = Schema.Int.pipe(Schema.brand("CommentId"))
export type CommentId = typeof CommentId.Type

/** The states of an issue. */
export const issueStates = ["open", "closed"] as const
export type IssueState = (typeof issueStates)[number]

/** An issue or a pull request; both share one sequence of numbers in their repository. */
export interface Issue {
  readonly id: IssueId
  readonly repositoryId: RepositoryId
  /** The number in the repository, from 1; there are gaps only after deletions. */
  readonly number: number
  /** Whether this is a pull request, not an issue. */
  readonly pull: boolean
  readonly title: string
  readonly body: string
  /** The version of the body, to detect edit conflicts: an edit of an older version is rejected. */
  readonly contentVersion: number
  readonly state: IssueState
  /** The id of the author; it is kept after the account is deleted. */
  readonly authorId: UserId
  readonly milestoneId: MilestoneId | null
  /** The branch or tag that the issue is about; empty if there is none. */
  readonly ref: string
  readonly locked: boolean
  readonly lockReason: string
  /** The position among the pinned issues or pull requests, from 1; 0 if not pinned. */
  readonly pinOrder: number
  /** The estimated working time in seconds; 0 if there is no estimate. */
  readonly timeEstimate: number
  readonly dueAt: string | null
  readonly closedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The table of issues and pull requests. */
export const issues = owned<Issue>()("issue", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    number: Fields.integer(),
    pull: Fields.boolean(),
    title: Fields.text(),
    body: Fields.text(),
    contentVersion: Fields.integer(),
    state: Fields.oneOf(...issueStates),
    authorId: Fields.integer(),
    milestoneId: Fields.looseReference("milestone"),
    ref: Fields.text(),
    locked: Fields.boolean(),
    lockReason: Fields.text(),
    pinOrder: Fields.integer(),
    timeEstimate: Fields.integer(),
    dueAt: Fields.nullable(Fields.time()),
    closedAt: Fields.nullable(Fields.time()),
    createdAt: Fields.time(),
    updatedAt: Fields.time()
  },
  numbered: "number",
  orders: { newest: descending("number") },
  filters: ["state", "pull", "milestoneId", "authorId"],
  counters: {
    openIssues: { of: "repositoryId", where: { pull: false, state: "open" } },
    openPulls: { of: "repositoryId", where: { pull: true, state: "open" } },
    issuesOpen: { of: "milestoneId", where: { pull: false, state: "open" } },
    issuesClosed: { of: "milestoneId", where: { pull: false, state: "closed" } },
    pullsOpen: { of: "milestoneId", where: { pull: true, state: "open" } },
    pullsClosed: { of: "milestoneId", where: { pull: true, state: "closed" } }
  }
})

/** A comment on an issue or a pull request. */
export interface Comment {
  readonly id: CommentId
  readonly issueId: IssueId
  readonly repositoryId: RepositoryId
  readonly authorId: UserId
  readonly body: string
  readonly contentVersion: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** The table of comments on issues and pull requests. */
export const comments = owned<Comment>()("comment", {
  within: ["issueId", "repositoryId"],
  fields: {
    issueId: Fields.reference("issue"),
    repositoryId: Fields.reference("repository"),
    authorId: Fields.integer(),
    body: Fields.text(),
    contentVersion: Fields.integer(),
    createdAt: Fields.time(),
    updatedAt: Fields.time()
  },
  filters: ["updatedAt"],
  counters: { comments: { of: "issueId" } }
})

/** Reports that an assignee, label or milestone in a request body does not exist. */
export class NameUnknown extends Schema.TaggedError<NameUnknown>()("NameUnknown", {
  field: Schema.String,
  value: Schema.String
}) {}

/** Reports that the repository has no issue with this number, or that the number is a pull request. */
export class IssueNotFound extends Schema.TaggedError<IssueNotFound>()("IssueNotFound", { number: Schema.Number }) {}

/** Reports that the repository has no comment with this id. */
export class CommentNotFound extends Schema.TaggedError<CommentNotFound>()("CommentNotFound", { id: Schema.Number }) {}

/** Reports an edit conflict: the text has changed since the version on which the edit is based. */
export class StaleContent extends Schema.TaggedError<StaleContent>()("StaleContent", { version: Schema.Number }) {}

/** Reports that a user cannot be assigned in this repository. */
export class AssigneeInvalid extends Schema.TaggedError<AssigneeInvalid>()("AssigneeInvalid", {
  name: Schema.String
}) {}

/** Reports that an issue cannot be closed, because it depends on issues that are still open. */
export class DependenciesOpen extends Schema.TaggedError<DependenciesOpen>()("DependenciesOpen", {}) {}

/** Reports that a new dependency would be circular: between two issues, or of an issue on itself. */
export class DependencyCircular extends Schema.TaggedError<DependencyCircular>()("DependencyCircular", {}) {}

/** Reports that a repository has the maximum number of pinned issues or pull requests. */
export class TooManyPins extends Schema.TaggedError<TooManyPins>()("TooManyPins", { most: Schema.Int }) {}
