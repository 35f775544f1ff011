import { type Comment, comments, type Issue, issues } from "@slipway/domain/forge/collaboration"
import type { IssueSnapshot } from "@slipway/domain/forge/events"
import { nobody } from "@slipway/domain/forge/identity"
import type { Occurrence } from "@slipway/domain/forge/integrations"
import { IssueComments, refOf, snapshotOf, viewOfSnapshot } from "@slipway/forge/collaboration"

import { Effect } from "effect"
import { showCommentTo, showIssueTo } from "../collaboration/showIssue.ts"
import { messageAt, type PayloadContext } from "./hookParts.ts"
import { ofPull, pullPart } from "./hookPulls.ts"
import { changesOf, type HookEventRecord, issueHookEventsOf } from "./issueHookEvents.ts"

const acting = { actor: nobody }

/** Returns the issue as it was after the event; for events without a stored issue, reads the current one. */
const issueOf = Effect.fnUntraced(function* (
  { repository }: PayloadContext,
  { after, before, event }: HookEventRecord
) {
  if (after?.issue !== undefined) return after.issue
  const id = before.issue?.id ?? Number(event.details.id ?? 0)
  const issue = (yield* (yield* issues.store).find({ repositoryId: repository.id }, id)) ?? before.issue
  return issue && (yield* snapshotOf(issue))
})

const shownIssue = Effect.fnUntraced(function* ({ repository }: PayloadContext, snapshot: IssueSnapshot) {
  const show = yield* showIssueTo(acting)
  return show(yield* viewOfSnapshot(nobody, refOf(repository), snapshot))
})

const shownComment = Effect.fnUntraced(function* ({ repository }: PayloadContext, issue: Issue, comment: Comment) {
  const show = yield* showCommentTo(acting)
  return show(yield* IssueComments.viewOfComment(nobody, comment, issue, refOf(repository)))
})

const commentWords = (action: string): string => {
  if (action === "issue.comment.create") return "created"
  return action.startsWith("issue.comment.edit") ? "edited" : "deleted"
}

const ofComment = Effect.fnUntraced(function* (
  place: PayloadContext,
  record: HookEventRecord,
  snapshot: IssueSnapshot
) {
  const { after, before, event } = record
  const { issue } = snapshot
  const id = before.comment?.id ?? Number(event.details.comment)
  const comment = after?.comment ?? (yield* (yield* comments.store).find({ issueId: issue.id }, id)) ?? before.comment
  if (comment === undefined) return []
  const shown = yield* shownComment(place, issue, comment)
  const action = commentWords(event.action)
  const title = `comment ${action} on #${issue.number} ${issue.title}`
  return [
    {
      event: issue.pull ? "pull_request_comment" : "issue_comment",
      branch: undefined,
      payload: {
        action,
        issue: yield* shownIssue(place, snapshot),
        ...(issue.pull ? { pull_request: (yield* pullPart(place, snapshot)) ?? null } : {}),
        comment: shown,
        ...(action === "edited" ? { changes: { body: { from: before.comment?.body ?? "" } } } : {}),
        is_pull: issue.pull,
        ...place.parts
      },
      message: messageAt(place, title, shown.html_url, [comment.body])
    } satisfies Occurrence
  ]
})

/** Builds the webhook payload of an event on an issue or on a comment of an issue. */
export const ofIssue = Effect.fnUntraced(function* (place: PayloadContext, record: HookEventRecord) {
  const snapshot = yield* issueOf(place, record)
  if (snapshot === undefined) return []
  if (record.event.action.startsWith("issue.comment.")) return yield* ofComment(place, record, snapshot)
  const { issue } = snapshot
  if (issue.pull) return yield* ofPull(place, record, snapshot)
  const shown = yield* shownIssue(place, snapshot)
  return issueHookEventsOf(record, issue, shown.labels.length).map(
    ([event, action]): Occurrence => ({
      event,
      branch: undefined,
      payload: {
        action,
        number: issue.number,
        ...(action === "edited" ? { changes: changesOf(record, action, issue) } : {}),
        issue: shown,
        commit_id: "",
        ...place.parts
      },
      message: messageAt(place, `issue ${action}: #${issue.number} ${issue.title}`, shown.html_url, [issue.body])
    })
  )
})
