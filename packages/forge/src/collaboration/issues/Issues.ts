import { now, type Page, type PageRequest } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import { viewerOn } from "@slipway/domain/forge/code"
import {
  assignees,
  type Issue,
  type IssueFilter,
  IssueNotFound,
  type IssueOrder,
  type IssueState,
  IssueStore,
  issueLabels,
  issues,
  type PlacedIssue,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { activityDetails } from "@slipway/domain/forge/events"
import { type Actor, OrganizationStore, TeamStore, type UserId, UserStore } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import { queueNotifications } from "../../base/events/queueNotifications.ts"
import { audited } from "../../base/events/record.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"

import { ChangeInvalid } from "../../code/contents/commit.ts"
import { type Change, changeIssue } from "./change.ts"
import { followIssue } from "./followIssue.ts"
import { addTimelineEvent, insertIssue, timelineEvent } from "./insert.ts"
import { findAssignees, findLabels, findMilestone, withAdded } from "./issueInput.ts"
import { issueAfter, snapshotOf } from "./snapshots.ts"
import { trace } from "./texts.ts"
import { authorOf, factsOfIssue, readableIn, refOf, viewerPage, viewOf, viewOfNew } from "./views.ts"

/** The filters of a list of issues. Users are given by name. */
export interface IssueSearch
  extends Omit<IssueFilter, "authorId" | "assigneeId" | "mentionedId" | "ownerId" | "teamId" | "ids"> {
  readonly createdBy?: string | undefined
  readonly assignedBy?: string | undefined
  readonly mentionedBy?: string | undefined
}

const nothing: Page<PlacedIssue> = { rows: [], total: 0 }

/** Converts the user names of a search to ids; undefined if one of the users does not exist. */
const withPeople = Effect.fnUntraced(function* ({ assignedBy, createdBy, mentionedBy, ...filter }: IssueSearch) {
  const names = [createdBy, assignedBy, mentionedBy].flatMap((name) => (name === undefined ? [] : [name]))
  if (names.length === 0) return filter as IssueFilter
  const known = yield* (yield* IssueStore).usersNamed(names)
  if (names.some((name) => !known.has(name))) return undefined
  const idOf = (name: string | undefined) => (name === undefined ? undefined : known.get(name))
  return { ...filter, authorId: idOf(createdBy), assigneeId: idOf(assignedBy), mentionedId: idOf(mentionedBy) }
})

/** Lists the issues and pull requests of a repository that the actor may read. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, facts, repository } }: Proof<"issue.list">,
  search: IssueSearch,
  order: IssueOrder,
  page: PageRequest
) {
  // A list of one repository requires all labels; the search across repositories requires any of them.
  const { labels, ...asked } = search
  const filter = yield* withPeople({ ...asked, allLabels: labels })
  const found =
    filter === undefined
      ? nothing
      : yield* (yield* IssueStore).search(readableIn(repository, facts), filter, order, page)
  return yield* viewerPage(actor, found)
})

/** Lists the pinned issues of a repository in their order. */
export const listPinned = Effect.fnUntraced(function* ({
  resource: { actor, facts, repository }
}: Proof<"issue.list-pinned">) {
  const scope = { ...readableIn(repository, facts), pulls: false }
  const found = yield* (yield* IssueStore).search(scope, { pinned: true }, "pinned", { page: 1, perPage: 50 })
  return (yield* viewerPage(actor, found)).rows
})

/** The filters of a search across all repositories. */
export interface GlobalSearch extends IssueSearch {
  readonly owner?: string | undefined
  readonly team?: string | undefined
  /** Whether the actor is the author or an assignee of the issue, or is mentioned in it. */
  readonly created?: boolean | undefined
  readonly assigned?: boolean | undefined
  readonly mentioned?: boolean | undefined
  /** Whether the actor has reviewed the pull request, or was requested as a reviewer. */
  readonly reviewed?: boolean | undefined
  readonly reviewRequested?: boolean | undefined
}

/** Converts the owner and team names of a search to ids; undefined if the actor does not see the owner or the team. */
const ownerOf = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"issue.search">,
  { owner, team }: Pick<GlobalSearch, "owner" | "team">
) {
  if (owner === undefined) return {}
  const user = yield* (yield* UserStore).named(owner)
  if (user !== undefined) return team === undefined ? { ownerId: user.user.id } : undefined
  const found = yield* (yield* OrganizationStore).named(owner)
  if (found === undefined) return undefined
  const { id } = found.organization
  if (team === undefined) return { ownerId: id }
  const { rows } = yield* (yield* TeamStore).list(actor, id, { text: team }, { page: 1, perPage: 50 })
  const meant = rows.find(({ name }) => name.toLowerCase() === team.toLowerCase())
  return meant === undefined ? undefined : { ownerId: id, teamId: meant.id }
})

/** Searches the issues and pull requests of all repositories that the actor may read. */
export const search = Effect.fnUntraced(function* (
  proof: Proof<"issue.search">,
  { assigned, created, mentioned, owner, reviewed, reviewRequested, team, ...asked }: GlobalSearch,
  order: IssueOrder,
  page: PageRequest
) {
  const { actor } = proof.resource
  if (team !== undefined && owner === undefined)
    return yield* new ChangeInvalid({ field: "team", problem: "needs `owner`, the organization of the team" })
  const filter = yield* withPeople(asked)
  const place = yield* ownerOf(proof, { owner, team })
  const own = [assigned, created, mentioned, reviewed, reviewRequested].includes(true)
  if (filter === undefined || place === undefined || (own && actor.userId === undefined)) {
    return yield* viewerPage(actor, nothing)
  }
  const self = (asks: boolean | undefined, other: UserId | undefined) => (asks === true ? actor.userId : other)
  const found = yield* (yield* IssueStore).search(
    { viewer: yield* viewerOn(actor) },
    {
      ...filter,
      ...place,
      authorId: self(created, filter.authorId),
      assigneeId: self(assigned, filter.assigneeId),
      mentionedId: self(mentioned, filter.mentionedId),
      reviewerId: self(reviewed, undefined),
      askedId: self(reviewRequested, undefined)
    },
    order,
    page
  )
  return yield* viewerPage(actor, found)
})

/** Reads an issue or a pull request. */
export const read = ({ resource: { actor, issue, repository } }: Proof<"issue.read">) =>
  viewOf(actor, { issue, repository: refOf(repository) })

/** The fields of a new issue; labels are given by id. */
export interface IssueInput {
  readonly title: string
  readonly body?: string | undefined
  readonly ref?: string | undefined
  readonly closed?: boolean | undefined
  readonly dueAt?: string | undefined
  readonly milestone?: number | undefined
  readonly labels?: ReadonlyArray<number> | undefined
  readonly assignees?: ReadonlyArray<string> | undefined
}

/**
 * Opens an issue.
 *
 * Labels, milestone, assignees, due date and ref are ignored if the actor may not label issues.
 */
export const create = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.create">, input: IssueInput) {
    const { actor, facts, repository } = resource
    const authorId = authorOf(actor)
    const sorts = allows("issue.label.add", factsOfIssue(facts, { pull: false, author: true }))
    const labels = sorts ? yield* findLabels(repository, input.labels ?? []) : []
    const people = sorts ? yield* findAssignees(repository, false, input.assignees ?? []) : []
    const milestone =
      sorts && input.milestone !== undefined && input.milestone !== 0
        ? yield* findMilestone(repository, input.milestone)
        : undefined
    const issue = yield* Effect.orDie(
      insertIssue({
        repositoryId: repository.id,
        pull: false,
        authorId,
        title: input.title,
        body: input.body ?? "",
        milestoneId: milestone?.id ?? null,
        ref: sorts ? (input.ref ?? "") : "",
        dueAt: sorts ? (input.dueAt ?? null) : null,
        state: input.closed === true ? "closed" : "open"
      })
    )
    const chosen = withAdded([], labels)
    yield* Effect.orDie(
      (yield* issueLabels.store).insertMany(chosen.map(({ id }) => ({ issueId: issue.id, labelId: id })))
    )
    yield* Effect.orDie((yield* assignees.store).insertMany(people.map((userId) => ({ issueId: issue.id, userId }))))
    const on = (
      type: Parameters<typeof timelineEvent>[1],
      details: NonNullable<Parameters<typeof timelineEvent>[4]>["details"] = {}
    ) => timelineEvent(issue, type, authorId, issue.createdAt, { details })
    yield* Effect.orDie(
      (yield* timelineEvents.store).insertMany([
        ...chosen.map(({ id }) => on("label", { labelId: id })),
        ...(milestone === undefined ? [] : [on("milestone", { milestoneId: milestone.id })]),
        ...people.map((assigneeId) => on("assignees", { assigneeId })),
        ...(issue.state === "closed" ? [on("close")] : [])
      ])
    )
    yield* trace(actor, repository, issue, `${issue.title}\n\n${issue.body}`)
    const isPlain = chosen.length === 0 && people.length === 0 && milestone === undefined
    return yield* viewOfNew(actor, { issue, repository: refOf(repository) }, isPlain)
  }),
  (view) => ({
    details: {
      issue: view.issue.number,
      id: view.issue.id,
      ...activityDetails("repo.issues", { issueId: view.issue.id }, view.issue.title)
    },
    after: { issue: { issue: view.issue, details: view.details, assets: view.assets } },
    notification: { issueId: view.issue.id, what: "opened", commentId: null, audience: "followers" }
  })
)

/** The fields of an issue or a pull request that an edit changes. */
export interface IssueEdit extends Omit<Change, "milestone"> {
  readonly milestone?: number | undefined
  readonly assignees?: ReadonlyArray<string> | undefined
}

const edited = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.edit">, change: IssueEdit) {
    const { actor, facts, repository } = resource
    const { assignees: names, dueAt, milestone, ref, ...own } = change
    const sorts = allows("issue.label.add", facts)
    const locked = yield* (yield* issues.store).lock({ repositoryId: repository.id }, resource.issue.id)
    if (locked === undefined) return yield* new IssueNotFound({ number: resource.issue.number })
    const people = sorts && names !== undefined ? yield* findAssignees(repository, locked.pull, names) : undefined
    const inside =
      sorts && milestone !== undefined && milestone !== 0 ? yield* findMilestone(repository, milestone) : null
    const issue = yield* changeIssue(actor, repository, locked, {
      ...own,
      ...(sorts && dueAt !== undefined ? { dueAt } : {}),
      ...(sorts && ref !== undefined ? { ref } : {}),
      ...(sorts && milestone !== undefined ? { milestone: inside } : {})
    })
    if (people !== undefined) yield* assign(actor, issue, people)
    if (issue.pull && issue.state !== locked.state) yield* followIssue(issue)
    return { view: yield* viewOf(actor, { issue, repository: refOf(repository) }), before: { issue: locked } }
  }),
  ({ before, view: { issue } }, change) => ({
    details: {
      issue: issue.number,
      changed: Object.keys(change).join(", "),
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(issue.state === before.issue.state
        ? {}
        : activityDetails(issue.pull ? "repo.pulls" : "repo.issues", { issueId: issue.id }, issue.title))
    },
    before
  }),
  (_, { view }) => Effect.map(snapshotOf(view.issue, view), (issue) => ({ issue }))
)

/**
 * Changes the given fields of an issue or a pull request.
 *
 * Changes of milestone, assignees, due date and ref are ignored if the actor may not label issues.
 */
export const edit = (proof: Proof<"issue.edit">, change: IssueEdit) =>
  Effect.map(edited(proof, change), ({ view }) => view)

/** Replaces the assignees of an issue in the current transaction, and notifies the new ones. */
export const assign = Effect.fnUntraced(function* (actor: Actor, issue: Issue, people: ReadonlyArray<UserId>) {
  const only = yield* assignOnly(issue, authorOf(actor), people)
  if (only.length === 0) return
  const { id: issueId, repositoryId } = issue
  yield* queueNotifications(authorOf(actor), [
    { repositoryId, issueId, what: "assigned", commentId: null, audience: "assignees", only }
  ])
})

/** Replaces the assignees of an issue in the current transaction, without notification. Returns the new ones. */
export const assignOnly = Effect.fnUntraced(function* (issue: Issue, actorId: UserId, people: ReadonlyArray<UserId>) {
  const store = yield* assignees.store
  const { rows } = yield* store.list({ issueId: issue.id }, { limit: 1_000 })
  const present = rows.map(({ userId }) => userId)
  const added = people.filter((id) => !present.includes(id))
  const gone = present.filter((id) => !people.includes(id))
  if (gone.length > 0) yield* store.removeWhere({ issueId: issue.id }, { userId: { in: gone } })
  yield* Effect.orDie(store.insertMany(added.map((userId) => ({ issueId: issue.id, userId }))))
  const at = yield* now
  yield* Effect.orDie(
    (yield* timelineEvents.store).insertMany([
      ...added.map((id) => timelineEvent(issue, "assignees", actorId, at, { details: { assigneeId: id } })),
      ...gone.map((id) =>
        timelineEvent(issue, "assignees", actorId, at, { details: { assigneeId: id, removed: true } })
      )
    ])
  )
  return added
})

const removed = audited(
  Effect.fnUntraced(function* ({ resource: { issue, repository } }: Proof<"issue.delete">) {
    const { id: repositoryId } = repository
    const after = yield* issueAfter(issue)
    const gone = yield* (yield* issues.store).remove({ repositoryId }, issue.id)
    if (gone === undefined) return yield* new IssueNotFound({ number: issue.number })
    const job = gone.pull ? yield* addJob({ _tag: "ForgetPull", repositoryId, number: gone.number }) : undefined
    return { job, number: gone.number, after }
  }),
  ({ after, number }) => ({ details: { issue: number }, after })
)

/**
 * Deletes an issue or a pull request with all related data, including its ref in git. Its number is never used again.
 */
export const remove = Effect.fnUntraced(function* (proof: Proof<"issue.delete">) {
  yield* Jobs.runNow((yield* removed(proof)).job)
})

/** Sets or clears the due date of an issue. */
export const setDeadline = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, issue, repository } }: Proof<"issue.deadline.set">,
    dueAt: string | null
  ) {
    const locked = yield* (yield* issues.store).lock({ repositoryId: repository.id }, issue.id)
    if (locked === undefined) return yield* new IssueNotFound({ number: issue.number })
    return yield* changeIssue(actor, repository, locked, { dueAt })
  }),
  ({ dueAt, number }) => ({ details: { issue: number, dueAt } }),
  (proof) => issueAfter(proof.resource.issue)
)

const locking = (issue: Issue, set: Pick<Issue, "locked" | "lockReason">, actorId: UserId) =>
  Effect.gen(function* () {
    const store = yield* issues.store
    const present = yield* store.lock({ repositoryId: issue.repositoryId }, issue.id)
    if (present === undefined) return yield* new IssueNotFound({ number: issue.number })
    if (present.locked === set.locked) return present
    yield* Effect.orDie(
      addTimelineEvent(issue, set.locked ? "lock" : "unlock", actorId, { details: { body: set.lockReason } })
    )
    return (yield* Effect.orDie(store.patch({ repositoryId: issue.repositoryId }, issue.id, set))) ?? present
  })

/** The reasons for locking a conversation, the same as in Gitea. */
export const lockReasons: ReadonlyArray<string> = ["Too heated", "Off-topic", "Resolved", "Spam"]

/** Reports that the reason for a lock is not one of `lockReasons`. */
export class LockReasonInvalid extends Schema.TaggedError<LockReasonInvalid>()("LockReasonInvalid", {}) {}

/**
 * Returns the reason as spelled in `lockReasons`, found ignoring case. Fails for an unknown reason; an empty one is
 * valid.
 */
const reasonNamed = (text: string) => {
  const wanted = text.trim().toLowerCase()
  const found = wanted === "" ? "" : lockReasons.find((each) => each.toLowerCase() === wanted)
  return found === undefined ? Effect.fail(new LockReasonInvalid()) : Effect.succeed(found)
}

/** Locks the conversation of an issue: then only users with write permission may comment. */
export const lock = audited(
  ({ resource: { actor, issue } }: Proof<"issue.lock">, reason: string) =>
    Effect.flatMap(reasonNamed(reason), (lockReason) => locking(issue, { locked: true, lockReason }, authorOf(actor))),
  ({ lockReason, number }) => ({ details: { issue: number, reason: lockReason } })
)

/** Unlocks the conversation of an issue. */
export const unlock = audited(
  ({ resource: { actor, issue } }: Proof<"issue.unlock">) =>
    locking(issue, { locked: false, lockReason: "" }, authorOf(actor)),
  ({ number }) => ({ details: { issue: number } })
)

/** The state of an issue after a commit or pull request with a closing or reopening keyword was merged. */
export const stateAfter: Readonly<Record<"closes" | "reopens", IssueState>> = { closes: "closed", reopens: "open" }
