import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { RepositoryFacts } from "@slipway/domain/forge/access"
import { allows } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { RepositoryStore, repositoryFacts, viewerOn } from "@slipway/domain/forge/code"
import type { TimelineEventType } from "@slipway/domain/forge/collaboration"
import {
  type Issue,
  IssueNotFound,
  type IssueScope,
  IssueStore,
  type Period,
  type TimeFilter,
  TimeNotFound,
  TimeStore,
  TimesOfOthers,
  type TrackedTime,
  trackedTimes
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { asViewer } from "@slipway/domain/forge/explanation"
import type { UserId } from "@slipway/domain/forge/identity"
import { type Actor, signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { findVisibleUser } from "../../identity/accounts/Users.ts"
import { addTimelineEvent, type TimelineEventFields } from "../issues/insert.ts"
import { authorOf, factsOfIssue, type IssueView, type PeopleById, readableIn, viewsOf } from "../issues/views.ts"

/** A tracked time with its issue. */
export interface TimeView {
  readonly time: TrackedTime
  readonly issue: IssueView
  readonly people: PeopleById
}

const viewsOfTimes = Effect.fnUntraced(function* (actor: Actor, times: ReadonlyArray<TrackedTime>, scope: IssueScope) {
  const ids = [...new Set(times.map(({ issueId }) => issueId))]
  if (ids.length === 0) return []
  const { rows } = yield* (yield* IssueStore).search(scope, { ids }, "newest", { page: 1, perPage: ids.length })
  const workers = times.map(({ userId }) => userId)
  const views = new Map((yield* viewsOf(actor, rows, workers)).map((view) => [view.issue.id, view]))
  return times.flatMap((time): ReadonlyArray<TimeView> => {
    const issue = views.get(time.issueId)
    return issue === undefined ? [] : [{ time, issue, people: issue.people }]
  })
})

const listed = Effect.fnUntraced(function* (actor: Actor, scope: IssueScope, filter: TimeFilter, page: PageRequest) {
  const found = yield* (yield* TimeStore).list(scope, filter, page)
  return { ...found, rows: yield* viewsOfTimes(actor, found.rows, scope) }
})

const writesIn = (facts: RepositoryFacts, pull: boolean) => allows("issue.time.create", factsOfIssue(facts, { pull }))

/**
 * Returns the user by which tracked times are filtered: undefined (all users) for a caller with write permission,
 * otherwise the caller.
 *
 * Fails with `TimesOfOthers` if a caller without write permission requests the times of another user.
 */
const whose = Effect.fnUntraced(function* (actor: Actor, mayAll: boolean, name: string | undefined) {
  const self = authorOf(actor)
  const asked = name === undefined ? undefined : (yield* findVisibleUser(actor, name)).id
  if (mayAll || asked === self) return asked
  return asked === undefined ? self : yield* new TimesOfOthers()
})

/** Lists the tracked times of an issue or a pull request. Callers without write permission see only their own times. */
export const list = Effect.fnUntraced(function* (
  { resource }: Proof<"issue.time.list">,
  name: string | undefined,
  when: Period,
  page: PageRequest
) {
  const { actor, facts, issue, repository } = resource
  const userId = yield* whose(actor, allows("issue.time.create", facts), name)
  return yield* listed(actor, readableIn(repository, facts), { ...when, issueId: issue.id, userId }, page)
})

/**
 * Lists the tracked times of issues and pull requests of a repository; those that the caller may not read are omitted.
 */
export const ofRepository = Effect.fnUntraced(function* (
  { resource }: Proof<"repository.time.list"> | Proof<"repository.time.list-of-user">,
  name: string | undefined,
  when: Period,
  page: PageRequest
) {
  const { actor, facts, repository } = resource
  const scope = readableIn(repository, facts)
  const mayAll = (!scope.issues || writesIn(facts, false)) && (!scope.pulls || writesIn(facts, true))
  return yield* listed(actor, scope, { ...when, userId: yield* whose(actor, mayAll, name) }, page)
})

/**
 * Lists the caller's tracked times. Those on issues that the caller may not read now are omitted (invariants I7 and
 * I8).
 */
export const ofSelf = Effect.fnUntraced(function* (
  { resource }: Proof<"account.time.list">,
  when: Period,
  page: PageRequest
) {
  const viewer = yield* viewerOn(resource.actor)
  return yield* listed(resource.actor, { viewer }, { ...when, userId: signedInUser(resource).id }, page)
})

/** The fields of tracked time that a user enters manually. */
export interface NewTime {
  readonly seconds: number
  readonly createdAt?: string | undefined
  /** The name of the user who worked; by default the caller. */
  readonly userName?: string | undefined
}

type Tracking = Proof<"issue.time.create">["resource"]

/**
 * Returns the user who worked. For another user than the caller, the caller must be a repository administrator, and
 * that user must be able to read the issue.
 */
const worker = Effect.fnUntraced(function* ({ actor, facts, issue, repository }: Tracking, name: string | undefined) {
  const self = authorOf(actor)
  const user = name === undefined ? undefined : yield* findVisibleUser(actor, name)
  if (user === undefined || user.id === self) return self
  if (!allows("repository.edit", facts)) return yield* new TimesOfOthers()
  const { switches } = yield* SiteSettings
  const held = yield* (yield* RepositoryStore).grantsOf(user.id, repository.id)
  const theirs = factsOfIssue(repositoryFacts(asViewer(user), switches, held), issue)
  return allows("issue.read", theirs) ? user.id : yield* new TimesOfOthers()
})

/** Stores a tracked time, in the running transaction. */
export const store = Effect.fnUntraced(function* (
  { issue }: { readonly issue: Pick<Issue, "id" | "number"> },
  userId: UserId,
  seconds: number,
  createdAt: string
) {
  return yield* Effect.mapError(
    (yield* trackedTimes.store).insert({ issueId: issue.id, userId, seconds, createdAt }),
    () => new IssueNotFound({ number: issue.number })
  )
})

/** Adds a timeline event about tracked time to an issue, in the current transaction. */
export const addTimeEvent = (
  { actor, issue }: { readonly actor: Actor; readonly issue: Pick<Issue, "id" | "number"> },
  type: TimelineEventType,
  details: NonNullable<TimelineEventFields["details"]> = {}
) =>
  Effect.mapError(
    addTimelineEvent(issue, type, authorOf(actor), { details }),
    () => new IssueNotFound({ number: issue.number })
  )

/** Adds tracked time to an issue or a pull request, as entered by a user. */
export const create = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.time.create">, input: NewTime) {
    const { actor, facts, issue, repository } = resource
    const userId = yield* worker(resource, input.userName)
    const time = yield* store(resource, userId, input.seconds, input.createdAt ?? (yield* now))
    yield* addTimeEvent(resource, "add_time_manual", { body: `|${time.seconds}`, trackedTimeId: time.id })
    const [view] = yield* viewsOfTimes(actor, [time], readableIn(repository, facts))
    return view ?? (yield* new IssueNotFound({ number: issue.number }))
  }),
  ({ time }) => ({ details: { time: time.id, seconds: time.seconds } })
)

/** Deletes a tracked time of an issue. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.time.delete">) {
    const { id } = resource.time
    const removed = yield* (yield* trackedTimes.store).remove({ issueId: resource.issue.id }, id)
    if (removed === undefined) return yield* new TimeNotFound({ id })
    yield* addTimeEvent(resource, "delete_time_manual", { body: `|${removed.seconds}` })
    return removed
  }),
  ({ id }) => ({ details: { time: id } })
)

/** Deletes all tracked times of the caller on an issue. */
export const reset = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.time.reset">) {
    const own = { userId: authorOf(resource.actor) }
    const removed = yield* (yield* trackedTimes.store).removeWhere({ issueId: resource.issue.id }, own)
    if (removed > 0) yield* addTimeEvent(resource, "delete_time_manual")
  })
)
