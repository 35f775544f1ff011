import { now } from "@slipway/domain"
import type { Repository } from "@slipway/domain/forge/code"
import type { Milestone } from "@slipway/domain/forge/collaboration"
import {
  DependenciesOpen,
  type Issue,
  IssueNotFound,
  type IssueState,
  IssueStore,
  isDraft,
  issues,
  type TimelineEventType,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import type { Actor } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { queueNotifications } from "../../base/events/queueNotifications.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import { type TimelineEventFields, timelineEvent } from "./insert.ts"
import { revise, trace } from "./texts.ts"
import { authorOf } from "./views.ts"

/** The changed fields of an issue or a pull request. */
export interface Change {
  readonly title?: string | undefined
  readonly body?: string | undefined
  /** The version of the text on which the edit is based; if it is outdated, the edit fails. */
  readonly contentVersion?: number | undefined
  readonly state?: IssueState | undefined
  readonly ref?: string | undefined
  readonly dueAt?: string | null | undefined
  readonly milestone?: Milestone | null | undefined
}

type NewTimelineEvent = readonly [TimelineEventType, TimelineEventFields["details"]]

const deadlineEvent = (before: string | null, after: string | null): TimelineEventType =>
  before === null ? "added_deadline" : after === null ? "removed_deadline" : "modified_deadline"

type DefinedFields<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

const definedFields = <T extends object>(change: T): DefinedFields<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as DefinedFields<T>

/** Returns the timeline events of a change. */
const eventsOf = (before: Issue, { dueAt, milestone, ref, state, title }: Change): ReadonlyArray<NewTimelineEvent> => {
  const events: Array<NewTimelineEvent> = []
  if (title !== undefined && title !== before.title) {
    events.push(["change_title", { oldTitle: before.title, newTitle: title }])
  }
  if (state !== undefined && state !== before.state) events.push([state === "closed" ? "close" : "reopen", {}])
  if (ref !== undefined && ref !== before.ref) events.push(["change_issue_ref", { oldRef: before.ref, newRef: ref }])
  if (dueAt !== undefined && dueAt !== before.dueAt) {
    const body = [before.dueAt, dueAt].flatMap((day) => (day === null ? [] : [day.slice(0, 10)])).join("|")
    events.push([deadlineEvent(before.dueAt, dueAt), { body }])
  }
  if (milestone !== undefined && (milestone?.id ?? null) !== before.milestoneId) {
    events.push([
      "milestone",
      {
        ...(milestone === null ? {} : { milestoneId: milestone.id }),
        ...(before.milestoneId === null ? {} : { oldMilestoneId: before.milestoneId })
      }
    ])
  }
  return events
}

/**
 * Changes an issue or a pull request, and adds the timeline events. The current transaction must have locked it.
 *
 * Fails with `StaleContent` if the edit is based on an outdated text, and with `DependenciesOpen` if an open dependency
 * prevents closing.
 */
export const changeIssue = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  before: Issue,
  change: Change
) {
  const { body, dueAt, milestone, ref, state, title } = change
  if (state === "closed" && before.state === "open" && (yield* (yield* IssueStore).isWaiting(before.id))) {
    return yield* new DependenciesOpen()
  }
  const contentVersion = yield* revise(actor, before, before, change)
  const at = yield* now
  const after = yield* Effect.orDie(
    (yield* issues.store).patch({ repositoryId: repository.id }, before.id, {
      ...definedFields({ title, body, ref, dueAt }),
      contentVersion,
      ...(milestone === undefined ? {} : { milestoneId: milestone?.id ?? null }),
      ...(state === undefined || state === before.state ? {} : { state, closedAt: state === "closed" ? at : null }),
      updatedAt: at
    })
  )
  if (after === undefined) return yield* new IssueNotFound({ number: before.number })
  yield* Effect.orDie(
    (yield* timelineEvents.store).insertMany(
      eventsOf(before, change).map(([type, details = {}]) =>
        timelineEvent(before, type, authorOf(actor), at, { details })
      )
    )
  )
  if (after.state !== before.state) {
    const what = after.state === "closed" ? "closed" : "reopened"
    const notification = { issueId: after.id, what, commentId: null, audience: "followers" } as const
    yield* queueNotifications(authorOf(actor), [{ repositoryId: repository.id, ...notification }])
  }
  if (before.pull && isDraft(before.title) && !isDraft(after.title)) {
    yield* addJob({ _tag: "AskOwners", issueId: after.id })
  }
  if (title !== undefined || body !== undefined) {
    yield* trace(actor, repository, after, `${after.title}\n\n${after.body}`)
  }
  return after
})
