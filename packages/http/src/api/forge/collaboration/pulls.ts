import { mergeStyleNames } from "@slipway/domain/forge/collaboration"
import { Schema } from "effect"
import { all, check, create, done, edit, endpoints, list, raw, read } from "../base/endpoints.ts"
import { ConflictBody, NotMergeableBody, PreconditionFailedBody } from "../base/errors.ts"
import {
  Instant,
  Label,
  Moment,
  optionalNullable,
  QueryFlag,
  QueryNumber,
  Repository,
  text,
  title,
  User
} from "../base/schemas.ts"
import { Commit } from "../code/commits.ts"
import { Team } from "../identity/teams.ts"
import { Milestone } from "./issues.ts"

const instant = Moment
const longestText = 262_144
const largest = 1024 * 1024
const names = Schema.Array(text(255)).check(Schema.isMaxLength(50))
const numbers = Schema.Array(Schema.Int).check(Schema.isMaxLength(100))

/** The head or base of a pull request: branch, commit and repository. */
export const PRBranchInfo = Schema.Struct({
  label: Schema.String,
  ref: Schema.String,
  sha: Schema.String,
  repo_id: Schema.Int,
  repo: Schema.NullOr(Repository)
}).annotate({ identifier: "PRBranchInfo" })

/** A pull request as returned by the API. */
export const PullRequest = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  number: Schema.Int,
  user: User,
  title: Schema.String,
  body: Schema.String,
  labels: Schema.Array(Label),
  milestone: Schema.NullOr(Milestone),
  assignee: Schema.NullOr(User),
  assignees: Schema.NullOr(Schema.Array(User)),
  requested_reviewers: Schema.Array(User),
  requested_reviewers_teams: Schema.Array(Team),
  state: Schema.Literals(["open", "closed"]),
  draft: Schema.Boolean,
  is_locked: Schema.Boolean,
  comments: Schema.Int,
  review_comments: Schema.Int,
  additions: Schema.Int,
  deletions: Schema.Int,
  changed_files: Schema.Int,
  html_url: Schema.String,
  diff_url: Schema.String,
  patch_url: Schema.String,
  mergeable: Schema.Boolean.annotate({ description: "Whether it has no conflicts and no missing requirements." }),
  merged: Schema.Boolean,
  merged_at: Schema.NullOr(instant),
  merge_commit_sha: Schema.NullOr(Schema.String),
  merged_by: Schema.NullOr(User),
  allow_maintainer_edit: Schema.Boolean,
  base: PRBranchInfo,
  head: PRBranchInfo,
  merge_base: Schema.String,
  due_date: Schema.NullOr(instant),
  created_at: instant,
  updated_at: instant,
  closed_at: Schema.NullOr(instant),
  pin_order: Schema.Int,
  content_version: Schema.Int,
  conflicted_files: Schema.Array(Schema.String).annotate({ description: "The files with conflicts." }),
  blocked_by: Schema.Array(Schema.String).annotate({
    description: "The missing requirements of the base branch's protection."
  })
}).annotate({ identifier: "PullRequest" })

/** The request body that opens a pull request. */
export const CreatePullRequestOption = Schema.Struct({
  title,
  head: text(600).check(Schema.isNonEmpty()),
  base: text(255).check(Schema.isNonEmpty()),
  body: optionalNullable(text(longestText)),
  assignee: optionalNullable(text(255)),
  assignees: optionalNullable(names),
  milestone: optionalNullable(Schema.Int),
  labels: optionalNullable(numbers),
  due_date: optionalNullable(Instant),
  reviewers: optionalNullable(names),
  team_reviewers: optionalNullable(names),
  allow_maintainer_edit: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreatePullRequestOption" })

/** The request body that changes a pull request. */
export const EditPullRequestOption = Schema.Struct({
  title: optionalNullable(title),
  body: optionalNullable(text(longestText)),
  base: optionalNullable(text(255).check(Schema.isNonEmpty())),
  state: optionalNullable(Schema.Literals(["open", "closed"])),
  assignee: optionalNullable(text(255).check(Schema.isNonEmpty())),
  assignees: optionalNullable(names),
  milestone: optionalNullable(Schema.Int).annotate({
    description: "0 keeps the milestone; to remove it, edit the issue of the same number."
  }),
  labels: optionalNullable(numbers),
  due_date: optionalNullable(Instant),
  unset_due_date: optionalNullable(Schema.Boolean),
  allow_maintainer_edit: optionalNullable(Schema.Boolean),
  content_version: optionalNullable(Schema.Int)
}).annotate({ identifier: "EditPullRequestOption" })

/** The request body that merges a pull request. */
export const MergePullRequestOption = Schema.Struct({
  Do: Schema.Literals(mergeStyleNames),
  MergeTitleField: optionalNullable(text(255)),
  MergeMessageField: optionalNullable(text(16_384)),
  MergeCommitID: optionalNullable(text(64).check(Schema.isNonEmpty())),
  head_commit_id: optionalNullable(text(64).check(Schema.isNonEmpty())),
  delete_branch_after_merge: optionalNullable(Schema.Boolean),
  force_merge: optionalNullable(Schema.Boolean),
  merge_when_checks_succeed: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "MergePullRequestOption" })

/** A file that a pull request changes. */
export const ChangedFile = Schema.Struct({
  filename: Schema.String,
  previous_filename: Schema.optionalKey(Schema.String),
  status: Schema.Literals(["added", "changed", "copied", "deleted", "renamed"]),
  additions: Schema.Int,
  deletions: Schema.Int,
  changes: Schema.Int,
  html_url: Schema.String,
  contents_url: Schema.String,
  raw_url: Schema.String
}).annotate({ identifier: "ChangedFile" })

const ReviewState = Schema.Literals(["APPROVED", "PENDING", "COMMENT", "REQUEST_CHANGES", "REQUEST_REVIEW"])
const ReviewEvent = Schema.Literals(["APPROVED", "APPROVE", "PENDING", "COMMENT", "REQUEST_CHANGES"])

/** A review as returned by the API. */
export const PullReview = Schema.Struct({
  id: Schema.Int,
  user: Schema.NullOr(User),
  team: Schema.NullOr(Team),
  state: ReviewState,
  body: Schema.String,
  commit_id: Schema.String,
  stale: Schema.Boolean,
  official: Schema.Boolean,
  dismissed: Schema.Boolean,
  comments_count: Schema.Int,
  submitted_at: instant,
  updated_at: instant,
  html_url: Schema.String,
  pull_request_url: Schema.String
}).annotate({ identifier: "PullReview" })

/** A comment of a review as returned by the API. */
export const PullReviewComment = Schema.Struct({
  id: Schema.Int,
  body: Schema.String,
  user: User,
  resolver: Schema.NullOr(User),
  pull_request_review_id: Schema.Int,
  created_at: instant,
  updated_at: instant,
  path: Schema.String,
  commit_id: Schema.String,
  original_commit_id: Schema.String,
  diff_hunk: Schema.String,
  position: Schema.Int.annotate({ description: "The line in the head; 0 if it is outdated or in the base." }),
  original_position: Schema.Int.annotate({ description: "The line in the base; 0 if it is in the head." }),
  html_url: Schema.String,
  pull_request_url: Schema.String
}).annotate({ identifier: "PullReviewComment" })

const CreatePullReviewComment = Schema.Struct({
  path: text(4_096).check(Schema.isNonEmpty()),
  body: text(longestText).check(Schema.isNonEmpty()),
  old_position: optionalNullable(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  new_position: optionalNullable(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
}).annotate({ identifier: "CreatePullReviewComment" })

/** The request body that submits a review. */
export const CreatePullReviewOptions = Schema.Struct({
  event: optionalNullable(ReviewEvent),
  body: optionalNullable(text(longestText)),
  commit_id: optionalNullable(text(64)),
  comments: optionalNullable(Schema.Array(CreatePullReviewComment).check(Schema.isMaxLength(300)))
}).annotate({ identifier: "CreatePullReviewOptions" })

/** The request body that submits a pending review. */
export const SubmitPullReviewOptions = Schema.Struct({
  event: optionalNullable(ReviewEvent),
  body: optionalNullable(text(longestText))
}).annotate({ identifier: "SubmitPullReviewOptions" })

/** The request body that dismisses a review. */
export const DismissPullReviewOptions = Schema.Struct({
  message: optionalNullable(text(16_384)),
  priors: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "DismissPullReviewOptions" })

/** The request body with the names of reviewers. */
export const PullReviewRequestOptions = Schema.Struct({
  reviewers: optionalNullable(names),
  team_reviewers: optionalNullable(names)
}).annotate({ identifier: "PullReviewRequestOptions" })

/** The request body that replies to a comment of a review. */
export const ReplyPullReviewCommentOption = Schema.Struct({
  body: text(longestText).check(Schema.isNonEmpty())
}).annotate({ identifier: "ReplyPullReviewCommentOption" })

const orders = [
  "newest",
  "oldest",
  "recentupdate",
  "recentclose",
  "leastupdate",
  "mostcomment",
  "leastcomment",
  "priority"
] as const

const plain = "text/plain; charset=utf-8"

/** The endpoints of pull requests. */
export const pullEndpoints = endpoints("pulls", "Pull requests and their merges.", {
  "pull.list": list(PullRequest, {
    query: {
      state: Schema.optionalKey(Schema.Literals(["open", "closed", "all"])),
      sort: Schema.optionalKey(Schema.Literals(orders)),
      base_branch: Schema.optionalKey(text(255)),
      milestone: Schema.optionalKey(QueryNumber),
      labels: Schema.optionalKey(text(2_000).annotate({ description: "Ids of labels, separated by commas." })),
      poster: Schema.optionalKey(text(255))
    }
  }),
  "pull.list-pinned": all(PullRequest),
  "pull.create": create(PullRequest, { body: CreatePullRequestOption, largest, errors: [ConflictBody] }),
  "pull.read": read(PullRequest),
  "pull.read-by-branches": read(PullRequest),
  "repository.commit.pull": read(PullRequest),
  "pull.edit": create(PullRequest, {
    body: EditPullRequestOption,
    largest,
    errors: [ConflictBody, PreconditionFailedBody]
  }),
  "pull.diff": raw({ contentType: plain }),
  "pull.patch": raw({ contentType: plain }),
  "pull.commit.list": list(Commit, {
    query: { verification: Schema.optionalKey(QueryFlag), files: Schema.optionalKey(QueryFlag) }
  }),
  "pull.file.list": list(ChangedFile, {
    query: {
      "skip-to": Schema.optionalKey(text(4_096)),
      whitespace: Schema.optionalKey(
        Schema.Literals(["ignore-all", "ignore-change", "ignore-eol", "show-all"])
      ).annotate({
        description: "The whitespace differences to ignore; files without other differences are omitted."
      })
    }
  }),
  "pull.revert": create(PullRequest, { errors: [ConflictBody] }),
  "pull.update": done({
    query: { style: Schema.optionalKey(Schema.Literals(["merge", "rebase"])) },
    status: 200,
    errors: [ConflictBody, NotMergeableBody]
  }),
  "pull.merge.check": check(),
  "pull.merge": raw({ body: MergePullRequestOption, status: 200, errors: [ConflictBody, NotMergeableBody] }),
  "pull.merge.cancel": done()
})

/** The endpoints of reviews. */
export const reviewEndpoints = endpoints("reviews", "Reviews of pull requests, and review requests.", {
  "pull.review.list": list(PullReview),
  "pull.review.create": edit(PullReview, { body: CreatePullReviewOptions, largest }),
  "pull.review.read": read(PullReview),
  "pull.review.submit": edit(PullReview, { body: SubmitPullReviewOptions, largest }),
  "pull.review.delete": done(),
  "pull.review.comment.list": all(PullReviewComment),
  "pull.comment.list": all(PullReviewComment),
  "pull.review.dismiss": edit(PullReview, { body: DismissPullReviewOptions }),
  "pull.review.undismiss": edit(PullReview),
  "pull.requested-reviewer.add": all(PullReview, { body: PullReviewRequestOptions, status: 201 }),
  "pull.requested-reviewer.remove": done({ body: PullReviewRequestOptions }),
  "pull.comment.reply": create(PullReviewComment, { body: ReplyPullReviewCommentOption, largest }),
  "pull.comment.resolve": done(),
  "pull.comment.unresolve": done(),
  "repository.reviewer.list": all(User)
})
