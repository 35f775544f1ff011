import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { LabelId } from "../../code/labels/Label.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { IssueId } from "./Issue.ts"

/** A label of an issue. */
export interface IssueLabel {
  readonly id: number
  readonly issueId: IssueId
  readonly labelId: LabelId
}

/** The labels of issues and pull requests. */
export const issueLabels = owned<IssueLabel>()("issueLabel", {
  within: ["issueId", "labelId"],
  fields: { issueId: Fields.reference("issue"), labelId: Fields.reference("label") },
  filters: ["labelId"],
  unique: { pair: ["issueId", "labelId"] }
})

/** An assignee of an issue. */
export interface Assignee {
  readonly id: number
  readonly issueId: IssueId
  readonly userId: UserId
}

/** The assignees of issues and pull requests. */
export const assignees = owned<Assignee>()("assignee", {
  within: ["issueId", "userId"],
  fields: { issueId: Fields.reference("issue"), userId: Fields.reference("user") },
  filters: ["userId"],
  unique: { pair: ["issueId", "userId"] }
})

/** A mention of a user in an issue, or in a comment on it. */
export interface Mention {
  readonly id: number
  readonly issueId: IssueId
  readonly userId: UserId
}

/** The users mentioned in issues and pull requests. */
export const mentions = owned<Mention>()("mention", {
  within: ["issueId", "userId"],
  fields: { issueId: Fields.reference("issue"), userId: Fields.reference("user") },
  unique: { pair: ["issueId", "userId"] }
})

/** A dependency between issues: an issue cannot be closed while the issue that it depends on is open. */
export interface Dependency {
  readonly id: number
  readonly issueId: IssueId
  /** The id of the issue that must be closed first. */
  readonly dependsOnId: IssueId
}

/** The dependencies of issues. */
export const dependencies = owned<Dependency>()("dependency", {
  within: ["issueId", "dependsOnId"],
  fields: { issueId: Fields.reference("issue"), dependsOnId: Fields.reference("issue") },
  unique: { pair: ["issueId", "dependsOnId"] }
})

/** A previous revision of the text of an issue, a pull request or a comment, kept when the text is edited. */
export interface ContentRevision {
  readonly id: number
  readonly issueId: IssueId
  /** The id of the comment that was edited; null for the text of the issue itself. */
  readonly commentId: number | null
  /** The version number that this text had. */
  readonly version: number
  /** The user who replaced this text by an edit. */
  readonly editorId: UserId
  readonly body: string
  readonly replacedAt: string
}

/** The previous texts of issues, pull requests and comments. */
export const contentRevisions = owned<ContentRevision>()("contentRevision", {
  within: ["issueId"],
  fields: {
    issueId: Fields.reference("issue"),
    commentId: Fields.nullable(Fields.reference("comment")),
    version: Fields.integer(),
    editorId: Fields.integer(),
    body: Fields.text(),
    replacedAt: Fields.time()
  },
  orders: { version: ascending("version") }
})
