import { issueOrders, issueStates, milestoneStates } from "@slipway/domain/forge/collaboration"
import { Schema } from "effect"
import { all, check, create, done, edit, endpoints, list, read, remove } from "../base/endpoints.ts"
import { ConflictBody, PreconditionFailedBody } from "../base/errors.ts"
import { Instant, Label, Moment, optionalNullable, QueryFlag, QueryNumber, text, title, User } from "../base/schemas.ts"
import { CreateLabelOption, EditLabelOption } from "../identity/organizations.ts"
import { Team } from "../identity/teams.ts"

const instant = Moment

/** The maximum length of the text of an issue or a comment, in characters. */
const longestText = 262_144
/** The maximum size of a request body with the text of an issue or a comment, in bytes. */
const largest = 1024 * 1024

/** A due date in a request, limited to years that calendars support. */
export const DueDate = Instant.check(
  Schema.makeFilter((value: string) => {
    const year = new Date(value).getUTCFullYear()
    return year >= 1970 && year <= 9999 ? undefined : "must be in the years 1970 to 9999"
  })
)

/** A file attached to an issue, a comment or a release; an external attachment is a link to another host. */
export const Attachment = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  size: Schema.Int,
  download_count: Schema.Int,
  created_at: instant,
  uuid: Schema.String,
  browser_download_url: Schema.String,
  type: Schema.Literals(["attachment", "external"])
}).annotate({ identifier: "Attachment" })

/** A milestone as returned by the API. */
export const Milestone = Schema.Struct({
  id: Schema.Int,
  title: Schema.String,
  description: Schema.String,
  state: Schema.Literals(milestoneStates),
  open_issues: Schema.Int,
  closed_issues: Schema.Int,
  created_at: instant,
  updated_at: instant,
  closed_at: Schema.NullOr(instant),
  due_on: Schema.NullOr(instant)
}).annotate({ identifier: "Milestone" })

/** The id and names of a repository, as returned within an issue or a milestone. */
export const RepositoryRef = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  owner: Schema.String,
  full_name: Schema.String
})

/** An issue or a pull request as returned by the API. */
export const Issue = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  html_url: Schema.String,
  number: Schema.Int,
  user: User,
  original_author: Schema.String,
  original_author_id: Schema.Int,
  title: Schema.String,
  body: Schema.String,
  content_version: Schema.Int.annotate({
    description: "The number of changes of the text; an edit of an older version is rejected."
  }),
  ref: Schema.String,
  assets: Schema.Array(Attachment),
  labels: Schema.Array(Label),
  milestone: Schema.NullOr(Milestone),
  assignee: Schema.NullOr(User),
  assignees: Schema.NullOr(Schema.Array(User)),
  state: Schema.Literals(issueStates),
  is_locked: Schema.Boolean,
  comments: Schema.Int,
  created_at: instant,
  updated_at: instant,
  closed_at: Schema.NullOr(instant),
  due_date: Schema.NullOr(instant),
  time_estimate: Schema.Int.annotate({ description: "In seconds." }),
  pull_request: Schema.NullOr(
    Schema.Struct({
      merged: Schema.Boolean,
      merged_at: Schema.NullOr(instant),
      draft: Schema.Boolean,
      html_url: Schema.String
    })
  ),
  repository: RepositoryRef,
  pin_order: Schema.Int
}).annotate({ identifier: "Issue" })

/** A comment as returned by the API. */
export const Comment = Schema.Struct({
  id: Schema.Int,
  html_url: Schema.String,
  pull_request_url: Schema.String,
  issue_url: Schema.String,
  user: User,
  original_author: Schema.String,
  original_author_id: Schema.Int,
  body: Schema.String,
  content_version: Schema.Int,
  assets: Schema.Array(Attachment),
  created_at: instant,
  updated_at: instant
}).annotate({ identifier: "Comment" })

/** The time that a user tracked for work on an issue. */
export const TrackedTime = Schema.Struct({
  id: Schema.Int,
  created: instant,
  time: Schema.Int.annotate({ description: "In seconds." }),
  user_id: Schema.Int,
  user_name: Schema.String,
  issue_id: Schema.Int,
  issue: Issue
}).annotate({ identifier: "TrackedTime" })

/** A comment or an event of a timeline as returned by the API. */
export const TimelineComment = Schema.Struct({
  id: Schema.Int,
  type: Schema.String,
  html_url: Schema.String,
  pull_request_url: Schema.String,
  issue_url: Schema.String,
  user: User,
  body: Schema.String,
  created_at: instant,
  updated_at: instant,
  old_project_id: Schema.Int,
  project_id: Schema.Int,
  old_milestone: Schema.NullOr(Milestone),
  milestone: Schema.NullOr(Milestone),
  tracked_time: Schema.NullOr(TrackedTime),
  old_title: Schema.String,
  new_title: Schema.String,
  old_ref: Schema.String,
  new_ref: Schema.String,
  ref_issue: Schema.NullOr(Issue),
  ref_comment: Schema.NullOr(Comment),
  ref_action: Schema.String,
  ref_commit_sha: Schema.String,
  review_id: Schema.Int,
  label: Schema.NullOr(Label),
  assignee: Schema.NullOr(User),
  assignee_team: Schema.NullOr(Team),
  removed_assignee: Schema.Boolean,
  resolve_doer: Schema.NullOr(User),
  dependent_issue: Schema.NullOr(Issue)
}).annotate({ identifier: "TimelineComment" })

const names = Schema.Array(text(255)).check(Schema.isMaxLength(100))
const ids = Schema.Array(Schema.Int).check(Schema.isMaxLength(100))
const version = optionalNullable(Schema.Int)

/** The request body that opens an issue. */
export const CreateIssueOption = Schema.Struct({
  title,
  body: optionalNullable(text(longestText)),
  ref: optionalNullable(text(255)),
  assignee: optionalNullable(text(255)),
  assignees: optionalNullable(names),
  due_date: optionalNullable(DueDate),
  milestone: optionalNullable(Schema.Int),
  labels: optionalNullable(ids),
  closed: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreateIssueOption" })

/** The request body that changes an issue; a milestone of 0 removes it. */
export const EditIssueOption = Schema.Struct({
  title: optionalNullable(title),
  body: optionalNullable(text(longestText)),
  content_version: version,
  ref: optionalNullable(text(255)),
  assignee: optionalNullable(text(255)),
  assignees: optionalNullable(names),
  milestone: optionalNullable(Schema.Int),
  state: optionalNullable(Schema.Literals(issueStates)),
  due_date: optionalNullable(DueDate),
  unset_due_date: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "EditIssueOption" })

/** The request body that sets the due date of an issue; null removes it. */
export const EditDeadlineOption = Schema.Struct({ due_date: optionalNullable(DueDate) }).annotate({
  identifier: "EditDeadlineOption"
})

/** The due date of an issue. */
export const IssueDeadline = Schema.Struct({ due_date: Schema.NullOr(instant) }).annotate({
  identifier: "IssueDeadline"
})

/** The request body that locks a conversation. */
export const LockIssueOption = Schema.Struct({ lock_reason: optionalNullable(text(255)) }).annotate({
  identifier: "LockIssueOption"
})

/** The request body with labels of an issue, by id or name. */
export const IssueLabelsOption = Schema.Struct({
  labels: Schema.Array(Schema.Union([Schema.Int, text(255)])).check(Schema.isMaxLength(100))
}).annotate({ identifier: "IssueLabelsOption" })

/** The request body that identifies another issue, for dependencies. */
export const IssueMeta = Schema.Struct({ index: Schema.Int, owner: text(255), repo: text(255) }).annotate({
  identifier: "IssueMeta"
})

/** The request body with the names of users to assign. */
export const IssueAssigneesOption = Schema.Struct({ assignees: names }).annotate({ identifier: "IssueAssigneesOption" })

/** The request body that creates a comment. */
export const CreateIssueCommentOption = Schema.Struct({
  body: text(longestText).check(Schema.isNonEmpty()),
  updated_at: optionalNullable(Instant)
}).annotate({ identifier: "CreateIssueCommentOption" })

/** The request body that changes a comment. */
export const EditIssueCommentOption = Schema.Struct({
  body: text(longestText).check(Schema.isNonEmpty()),
  content_version: version
}).annotate({ identifier: "EditIssueCommentOption" })

/** Whether more issues and pull requests may be pinned. */
export const NewIssuePinsAllowed = Schema.Struct({
  issues: Schema.Boolean,
  pull_requests: Schema.Boolean
}).annotate({ identifier: "NewIssuePinsAllowed" })

const [, ...shownOrders] = [...issueOrders].toReversed()

const period = { since: Schema.optionalKey(Instant), before: Schema.optionalKey(Instant) }

const filters = {
  state: Schema.optionalKey(Schema.Literals(["open", "closed", "all"])),
  type: Schema.optionalKey(Schema.Literals(["issues", "pulls", "all"])),
  q: Schema.optionalKey(text(255)),
  labels: Schema.optionalKey(
    text(2_000).annotate({ description: "Names of labels, any of which matches; `-` before a name excludes it." })
  ),
  milestones: Schema.optionalKey(
    text(2_000).annotate({ description: "Titles or ids of milestones, any of which matches." })
  ),
  ...period,
  created_by: Schema.optionalKey(text(255)),
  assigned_by: Schema.optionalKey(text(255)),
  mentioned_by: Schema.optionalKey(text(255)),
  sort: Schema.optionalKey(Schema.Literals(shownOrders))
}

const byOthers = { body: IssueMeta }
const stale = { errors: [ConflictBody] }
const closing = { errors: [ConflictBody, PreconditionFailedBody] }

/** The endpoints of issues, which also serve pull requests. */
export const issueEndpoints = endpoints("issues", "Issues, and the properties that pull requests share with them.", {
  "issue.search": list(Issue, {
    query: {
      ...filters,
      owner: Schema.optionalKey(text(255)),
      team: Schema.optionalKey(text(255)),
      assigned: Schema.optionalKey(QueryFlag),
      created: Schema.optionalKey(QueryFlag),
      mentioned: Schema.optionalKey(QueryFlag),
      reviewed: Schema.optionalKey(QueryFlag),
      review_requested: Schema.optionalKey(QueryFlag),
      priority_repo_id: Schema.optionalKey(QueryNumber)
    }
  }),
  "issue.list": list(Issue, { query: filters }),
  "issue.create": create(Issue, { body: CreateIssueOption, largest }),
  "issue.list-pinned": all(Issue),
  "issue.read": read(Issue),
  "issue.edit": create(Issue, { body: EditIssueOption, largest, ...closing }),
  "issue.delete": remove(),
  "issue.deadline.set": create(IssueDeadline, { body: EditDeadlineOption }),
  "issue.assignee.add": create(Issue, { body: IssueAssigneesOption }),
  "issue.assignee.remove": edit(Issue, { body: IssueAssigneesOption }),
  "issue.assignee.check": check(),
  "issue.dependency.list": list(Issue),
  "issue.dependency.add": create(Issue, byOthers),
  "issue.dependency.remove": edit(Issue, byOthers),
  "issue.block.list": list(Issue),
  "issue.block.add": create(Issue, byOthers),
  "issue.block.remove": edit(Issue, byOthers),
  "issue.pin": done({ errors: [ConflictBody] }),
  "issue.unpin": done(),
  "issue.pin.move": done(),
  "issue.lock": done({ body: LockIssueOption }),
  "issue.unlock": done(),
  "repository.pin.allowed": read(NewIssuePinsAllowed)
})

/** The endpoints of the comments and timelines of issues and pull requests. */
export const commentEndpoints = endpoints("comments", "Comments on issues and pull requests.", {
  "issue.comment.list-all": list(Comment, { query: period }),
  "issue.comment.list": list(Comment, { query: period }),
  "issue.comment.create": create(Comment, { body: CreateIssueCommentOption, largest }),
  "issue.comment.read": read(Comment),
  "issue.comment.edit": edit(Comment, { body: EditIssueCommentOption, largest, ...stale }),
  "issue.comment.delete": remove(),
  "issue.comment.edit-deprecated": edit(Comment, { body: EditIssueCommentOption, largest, ...stale }),
  "issue.comment.delete-deprecated": remove(),
  "issue.timeline.list": list(TimelineComment, { query: period })
})

/** The endpoints of the labels of repositories and of issues. */
export const repositoryLabelEndpoints = endpoints("repository-labels", "Labels of repositories and of their issues.", {
  "label.list": list(Label),
  "label.create": create(Label, { body: CreateLabelOption }),
  "label.read": read(Label),
  "label.edit": edit(Label, { body: EditLabelOption }),
  "label.delete": remove(),
  "issue.label.list": all(Label),
  "issue.label.add": all(Label, { body: IssueLabelsOption }),
  "issue.label.replace": all(Label, { body: IssueLabelsOption }),
  "issue.label.clear": done(),
  "issue.label.remove": done()
})

/** The endpoints of the users who can be assigned in a repository. */
export const assigneeEndpoints = endpoints("assignees", "Users who can be assigned in a repository.", {
  "repository.assignee.list": list(User),
  "repository.assignee.check": check()
})

/** A template from which an issue is opened. */
export const IssueTemplate = Schema.Struct({
  name: Schema.String,
  title: Schema.String,
  about: Schema.String,
  labels: Schema.Array(Schema.String),
  assignees: Schema.Array(Schema.String),
  ref: Schema.String,
  content: Schema.String,
  body: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      type: Schema.String,
      attributes: Schema.Record(Schema.String, Schema.Unknown),
      validations: Schema.Record(Schema.String, Schema.Unknown),
      visible: Schema.Array(Schema.String)
    })
  ),
  file_name: Schema.String
}).annotate({ identifier: "IssueTemplate" })

/** The settings for new issues in a repository. */
export const IssueConfig = Schema.Struct({
  blank_issues_enabled: Schema.Boolean,
  contact_links: Schema.Array(Schema.Struct({ name: Schema.String, url: Schema.String, about: Schema.String }))
}).annotate({ identifier: "IssueConfig" })

/** Whether the settings of issues are valid. */
export const IssueConfigValidation = Schema.Struct({ valid: Schema.Boolean, message: Schema.String }).annotate({
  identifier: "IssueConfigValidation"
})

/** The endpoints of the templates and settings of issues, which are files in the default branch. */
export const issueTemplateEndpoints = endpoints("issue-templates", "Templates for new issues.", {
  "repository.issue-template.list": all(IssueTemplate),
  "repository.issue-config.read": read(IssueConfig),
  "repository.issue-config.validate": read(IssueConfigValidation)
})
