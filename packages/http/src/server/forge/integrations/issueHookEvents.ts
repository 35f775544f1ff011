import type { Issue } from "@slipway/domain/forge/collaboration"
import type { RenderedEvent } from "@slipway/domain/forge/events"
import type { HookEvent } from "@slipway/domain/forge/integrations"

/** A recorded event from which webhook payloads are built. */
export type HookEventRecord = RenderedEvent

/** A webhook event of an issue or a pull request: the event type and its action. */
export type IssueHookEvent = readonly [event: HookEvent, action: string]

const stateWords: Readonly<Record<string, string>> = { open: "reopened", closed: "closed" }

const labelled = (labels: number): IssueHookEvent => ["issue_label", labels === 0 ? "label_cleared" : "label_updated"]

/** Returns the webhook events for an edit of several fields, in a fixed order. */
const editsOf = (
  { before: { issue: before }, event: { details } }: HookEventRecord,
  after: Issue,
  labels: number
): ReadonlyArray<IssueHookEvent> => {
  const changed = String(details.changed ?? "").split(", ")
  // The state may have changed again since this event; that change has its own event.
  const state = String(details.state ?? after.state)
  return [
    ...(["title", "body", "base"].some((field) => changed.includes(field)) ? [["issues", "edited"] as const] : []),
    ...(changed.includes("state") && before?.state !== state
      ? [["issues", stateWords[state] ?? "edited"] as const]
      : []),
    ...(before !== undefined && before.milestoneId !== after.milestoneId
      ? [["issue_milestone", after.milestoneId === null ? "demilestoned" : "milestoned"] as const]
      : []),
    ...(changed.includes("assignees") ? [["issue_assign", "assigned"] as const] : []),
    ...(changed.includes("labels") ? [labelled(labels)] : []),
    ...(before !== undefined && before.dueAt !== after.dueAt ? [["issues", "edited"] as const] : [])
  ]
}

/** Returns the webhook events for an event of an issue or pull request; `labels` is the current number of labels. */
export const issueHookEventsOf = (
  record: HookEventRecord,
  issue: Issue,
  labels: number
): ReadonlyArray<IssueHookEvent> => {
  switch (record.event.action) {
    case "issue.create":
    case "pull.create":
      return [["issues", "opened"]]
    case "issue.delete":
      return [["issues", "deleted"]]
    case "pull.merge":
      return [["issues", "closed"]]
    case "issue.deadline.set":
      return [["issues", "edited"]]
    case "issue.edit":
    case "pull.edit":
      return editsOf(record, issue, labels)
    case "issue.assignee.add":
      return [["issue_assign", "assigned"]]
    case "issue.assignee.remove":
      return [["issue_assign", "unassigned"]]
    default:
      return [labelled(labels)]
  }
}

/** Returns the previous title and body of an edited issue or pull request, if they changed. */
export const changesOf = ({ before: { issue: before } }: HookEventRecord, action: string, after: Issue) => {
  if (action !== "edited" || before === undefined) return {}
  const title = before.title === after.title ? {} : { title: { from: before.title } }
  const body = before.body === after.body ? {} : { body: { from: before.body } }
  return { ...title, ...body }
}
