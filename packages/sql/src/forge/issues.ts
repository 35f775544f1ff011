import type { Comment, CommentId, Issue, IssueId, IssueState, RepositoryId, UserId } from "@slipway/domain/forge"
import { boolean, integer, nullable, text, time } from "../collection/columns.ts"
import { reader } from "./rows.ts"

/** Reads issues and pull requests. */
export const issueReader = reader<Issue>({
  id: integer<IssueId>("id"),
  repositoryId: integer<RepositoryId>("repository_id"),
  number: integer("number"),
  pull: boolean("pull"),
  title: text("title"),
  body: text("body"),
  contentVersion: integer("content_version"),
  state: text<IssueState>("state"),
  authorId: integer<UserId>("author_id"),
  milestoneId: nullable(integer("milestone_id")),
  ref: text("ref"),
  locked: boolean("locked"),
  lockReason: text("lock_reason"),
  pinOrder: integer("pin_order"),
  comments: integer("comments"),
  timeEstimate: integer("time_estimate"),
  dueAt: nullable(time("due_at")),
  closedAt: nullable(time("closed_at")),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

/** Reads comments. */
export const commentReader = reader<Comment>({
  id: integer<CommentId>("id"),
  issueId: integer<IssueId>("issue_id"),
  repositoryId: integer<RepositoryId>("repository_id"),
  authorId: integer<UserId>("author_id"),
  body: text("body"),
  contentVersion: integer("content_version"),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})
