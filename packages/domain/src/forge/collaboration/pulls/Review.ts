import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { IssueId } from "../issues/Issue.ts"
import type { PullRequest } from "./PullRequest.ts"

/** The states of a review. A pending review is visible only to its author; a requested review is not yet given. */
export const reviewStates = ["pending", "approved", "rejected", "commented", "requested"] as const
export type ReviewState = (typeof reviewStates)[number]

/** A review of a pull request. */
export interface Review {
  readonly id: number
  readonly issueId: IssueId
  readonly repositoryId: RepositoryId
  /** The reviewer; null if a team was requested, or if the reviewer's account was deleted. */
  readonly reviewerId: UserId | null
  /** The team of which the review was requested; null for a review by a user. */
  readonly teamId: TeamId | null
  readonly state: ReviewState
  readonly body: string
  /** The head commit that was reviewed. */
  readonly commit: ObjectId
  /** The `baseVersion` of the pull request at the time of the review: the number of changes of its base branch. */
  readonly baseVersion: number
  /** Whether the reviewer was eligible to approve when the review was submitted. */
  readonly official: boolean
  readonly dismissed: boolean
  readonly submittedAt: string
  readonly updatedAt: string
}

/** Returns whether a caller sees a pending review: only its author does, and not with a public-only token. */
export const seesPending = (
  { facts, userId }: { readonly facts: { readonly publicOnly: boolean }; readonly userId: UserId | undefined },
  { reviewerId }: Pick<Review, "reviewerId">
): boolean => !facts.publicOnly && reviewerId === userId

/** The reviews of pull requests, including review requests, which are reviews with the state `requested`. */
export const reviews = owned<Review>()("review", {
  within: ["issueId", "repositoryId"],
  fields: {
    issueId: Fields.reference("issue"),
    repositoryId: Fields.reference("repository"),
    reviewerId: Fields.looseReference("user"),
    teamId: Fields.nullable(Fields.reference("team")),
    state: Fields.oneOf(...reviewStates),
    body: Fields.text(),
    commit: Fields.text(),
    baseVersion: Fields.integer(),
    official: Fields.boolean(),
    dismissed: Fields.boolean(),
    submittedAt: Fields.time(),
    updatedAt: Fields.time()
  },
  orders: { submitted: ascending("submittedAt") },
  filters: ["state", "reviewerId", "teamId"]
})

/** A comment of a review on a line of a file. */
export interface ReviewComment {
  readonly id: number
  readonly issueId: IssueId
  readonly repositoryId: RepositoryId
  readonly reviewId: number
  readonly authorId: UserId
  /** The id of the first comment of the thread, if this comment is a reply; otherwise null. */
  readonly repliesToId: number | null
  readonly path: string
  /** The side of the diff with the line: `old` is the base, `new` is the head. */
  readonly side: "old" | "new"
  /** The line number when the comment was written. */
  readonly originalLine: number
  /** The line number in the current revision; zero when the comment is outdated because the line changed. */
  readonly line: number
  readonly originalCommit: ObjectId
  readonly commit: ObjectId
  readonly hunk: string
  readonly body: string
  readonly resolverId: UserId | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The comments of reviews. */
export const reviewComments = owned<ReviewComment>()("reviewComment", {
  within: ["issueId", "repositoryId", "reviewId"],
  fields: {
    issueId: Fields.reference("issue"),
    repositoryId: Fields.reference("repository"),
    reviewId: Fields.reference("review"),
    authorId: Fields.integer(),
    repliesToId: Fields.nullable(Fields.reference("reviewComment")),
    path: Fields.text(),
    side: Fields.oneOf("old", "new"),
    originalLine: Fields.integer(),
    line: Fields.integer(),
    originalCommit: Fields.text(),
    commit: Fields.text(),
    hunk: Fields.text(),
    body: Fields.text(),
    resolverId: Fields.nullable(Fields.integer()),
    createdAt: Fields.time(),
    updatedAt: Fields.time()
  },
  counters: { comments: { of: "reviewId" }, reviewComments: { of: "issueId" } }
})

/** Returns whether the head or the base of the pull request has changed since a review. */
export const isStale = (
  { baseVersion, commit }: Pick<Review, "baseVersion" | "commit">,
  pull: Pick<PullRequest, "baseVersion" | "headSha">
): boolean => commit !== pull.headSha || baseVersion !== pull.baseVersion

/** Reports that a pull request has no review with this id. */
export class ReviewNotFound extends Schema.TaggedError<ReviewNotFound>()("ReviewNotFound", { id: Schema.Number }) {}
/** Reports that an action on a review is not possible in its state, for example because it is already submitted. */
export class ReviewNotPossible extends Schema.TaggedError<ReviewNotPossible>()("ReviewNotPossible", {
  because: Schema.Literals([
    "already-submitted",
    "not-dismissible",
    "own-approval",
    "empty",
    "stale-commit",
    "closed",
    "public-only"
  ])
}) {}
/** Reports that a comment is on a line outside of the diff. */
export class LineNotFound extends Schema.TaggedError<LineNotFound>()("LineNotFound", {
  path: Schema.String,
  line: Schema.Number
}) {}
/** Reports that a user cancels a review request of another user, without permission to request reviews. */
export class RequestsOfOthers extends Schema.TaggedError<RequestsOfOthers>()("RequestsOfOthers", {}) {}
/** Reports that a user cannot be requested as a reviewer. */
export class ReviewerNotPossible extends Schema.TaggedError<ReviewerNotPossible>()("ReviewerNotPossible", {
  /** The request field that contains the invalid user or team. */
  field: Schema.Literals(["reviewers", "team_reviewers"]),
  name: Schema.String
}) {}
