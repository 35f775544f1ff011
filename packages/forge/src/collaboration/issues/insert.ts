import { now } from "@slipway/domain"
import {
  type Issue,
  issues,
  type TimelineEvent,
  type TimelineEventType,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The fields of a new issue or pull request; omitted ones are empty. */
export type NewIssue = Pick<Issue, "repositoryId" | "pull" | "title" | "authorId"> &
  Partial<Pick<Issue, "body" | "milestoneId" | "ref" | "dueAt" | "state">>

/** Inserts an issue or a pull request with the next number in its repository, in the current transaction. */
export const insertIssue = Effect.fnUntraced(function* (input: NewIssue) {
  const at = yield* now
  return yield* (yield* issues.store).insert({
    body: "",
    contentVersion: 0,
    state: "open",
    milestoneId: null,
    ref: "",
    locked: false,
    lockReason: "",
    pinOrder: 0,
    timeEstimate: 0,
    dueAt: null,
    closedAt: input.state === "closed" ? at : null,
    createdAt: at,
    updatedAt: at,
    ...input
  })
})

/** The fields of a timeline event, except its type and its actor. */
export type TimelineEventFields = Partial<
  Pick<TimelineEvent, "otherIssueId" | "otherCommentId" | "sourceRepositoryId" | "sourceUnit" | "details">
>

/** Returns the database row of a new timeline event. */
export const timelineEvent = (
  { id }: Pick<Issue, "id">,
  type: TimelineEventType,
  actorId: UserId,
  at: string,
  more: TimelineEventFields = {}
): Omit<TimelineEvent, "id"> => ({
  issueId: id,
  type,
  actorId,
  otherIssueId: null,
  otherCommentId: null,
  sourceRepositoryId: null,
  sourceUnit: null,
  details: {},
  createdAt: at,
  ...more
})

/** Adds an event to the timeline of an issue or a pull request, in the running transaction. */
export const addTimelineEvent = Effect.fnUntraced(function* (
  issue: Pick<Issue, "id">,
  type: TimelineEventType,
  actorId: UserId,
  more: TimelineEventFields = {}
) {
  return yield* (yield* timelineEvents.store).insert(timelineEvent(issue, type, actorId, yield* now, more))
})
