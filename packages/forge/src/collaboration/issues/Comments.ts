import type { Page, PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import type { Repository } from "@slipway/domain/forge/code"
import { type Attachment, AttachmentStore, viewerOn } from "@slipway/domain/forge/code"
import type { TrackedTime } from "@slipway/domain/forge/collaboration"
import {
  type Comment,
  type CommentId,
  CommentNotFound,
  comments,
  type Issue,
  IssueNotFound,
  IssueStore,
  issues,
  type Origin,
  origins,
  type Period,
  type PlacedComment,
  type RepositoryRef,
  type TimelineEntry
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { activityDetails } from "@slipway/domain/forge/events"
import type { TeamId, Viewer } from "@slipway/domain/forge/identity"
import { OrganizationStore, type TeamInOrganization, TeamStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { issueAfter, snapshotOf } from "./snapshots.ts"
import { revise, trace } from "./texts.ts"
import { authorOf, type IssueView, type PeopleById, peopleOf, readableIn, refOf, viewsOf } from "./views.ts"

/** A comment with all data that a response contains. */
export interface CommentView extends PlacedComment {
  readonly repository: RepositoryRef
  readonly people: PeopleById
  readonly assets: ReadonlyArray<Attachment>
  /** The origin of the comment, if it was imported from another host. */
  readonly origin: Origin | undefined
}

const originsOf = Effect.fnUntraced(function* (ids: ReadonlyArray<CommentId>) {
  if (ids.length === 0) return new Map<CommentId | null, ReadonlyArray<Origin>>()
  return yield* (yield* origins.store).listFor("commentId", ids, 1)
})

const assetsOf = Effect.fnUntraced(function* (ids: ReadonlyArray<CommentId>) {
  return ids.length === 0 ? new Map() : yield* (yield* AttachmentStore).listFor("comment", ids)
})

const viewsOfComments = Effect.fnUntraced(function* (
  viewer: Viewer,
  repository: RepositoryRef,
  found: Page<PlacedComment>
) {
  const people = yield* peopleOf(
    viewer,
    found.rows.map(({ comment }) => comment.authorId)
  )
  const ids = found.rows.map(({ comment }) => comment.id)
  const assets = yield* assetsOf(ids)
  const from = yield* originsOf(ids)
  const rows = found.rows.map(
    (each): CommentView => ({
      ...each,
      repository,
      people,
      assets: assets.get(each.comment.id) ?? [],
      origin: from.get(each.comment.id)?.[0]
    })
  )
  return { ...found, rows }
})

/** Lists the comments of a repository on issues and pull requests that the actor may read. */
export const listAll = Effect.fnUntraced(function* (
  { resource: { actor, facts, repository } }: Proof<"issue.comment.list-all">,
  when: Period,
  page: PageRequest
) {
  const found = yield* (yield* IssueStore).comments(readableIn(repository, facts), when, page)
  return yield* viewsOfComments(actor, refOf(repository), found)
})

/** Lists the comments of an issue or a pull request in chronological order. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, issue, repository } }: Proof<"issue.comment.list">,
  { before, since }: Period,
  page: PageRequest
) {
  const store = yield* comments.store
  const found = yield* store.list({ issueId: issue.id }, page, { filter: { updatedAt: { from: since, before } } })
  const rows = found.rows.map((comment) => ({ comment, issue }))
  return yield* viewsOfComments(actor, refOf(repository), { ...found, rows })
})

/** Reads the data that a response shows with a comment. */
export const viewOfComment = Effect.fnUntraced(function* (
  viewer: Viewer,
  comment: Comment,
  issue: Issue,
  repository: RepositoryRef
) {
  const people = yield* peopleOf(viewer, [comment.authorId])
  const assets = (yield* assetsOf([comment.id])).get(comment.id) ?? []
  const origin = (yield* originsOf([comment.id])).get(comment.id)?.[0]
  return { comment, issue, repository, people, assets, origin } satisfies CommentView
})

/** Reads a comment on an issue or a pull request. */
export const read = ({ resource: { actor, comment, issue, repository } }: Proof<"issue.comment.read">) =>
  viewOfComment(actor, comment, issue, refOf(repository))

/** Adds a comment to an issue or a pull request. */
export const create = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.comment.create">, body: string) {
    const { actor, issue, repository } = resource
    const at = yield* now
    // Updates the issue and locks its row while mentions are stored.
    const touched = yield* Effect.orDie(
      (yield* issues.store).patch({ repositoryId: repository.id }, issue.id, { updatedAt: at })
    )
    if (touched === undefined) return yield* new IssueNotFound({ number: issue.number })
    const comment = yield* Effect.orDie(
      (yield* comments.store).insert({
        issueId: issue.id,
        repositoryId: repository.id,
        authorId: authorOf(actor),
        body,
        contentVersion: 0,
        createdAt: at,
        updatedAt: at
      })
    )
    yield* trace(actor, repository, touched, body, comment)
    return yield* viewOfComment(actor, comment, touched, refOf(repository))
  }),
  ({ comment, issue }) => ({
    details: {
      issue: issue.number,
      comment: comment.id,
      ...activityDetails(
        issue.pull ? "repo.pulls" : "repo.issues",
        { issueId: issue.id, commentId: comment.id },
        comment.body
      )
    },
    notification: { issueId: comment.issueId, what: "commented", commentId: comment.id, audience: "followers" }
  }),
  (_, { comment, issue }) => Effect.map(snapshotOf(issue), (snapshot) => ({ issue: snapshot, comment }))
)

/** The fields of a comment that an edit changes. */
export interface CommentEdit {
  readonly body: string
  /** The version of the text on which the edit is based; if it is outdated, the edit fails. */
  readonly contentVersion?: number | undefined
}

/** The comment of a request. `index` is the number of its issue, if the path contains one. */
interface Named {
  readonly index?: number | undefined
}

const isElsewhere = ({ number }: Issue, { index }: Named) => index !== undefined && index !== number

const editing = Effect.fnUntraced(function* (
  { resource }: Proof<"issue.comment.edit"> | Proof<"issue.comment.edit-deprecated">,
  { body, contentVersion: version }: CommentEdit,
  named: Named = {}
) {
  const { actor, comment, issue, repository } = resource
  const missing = new CommentNotFound({ id: comment.id })
  if (isElsewhere(issue, named)) return yield* missing
  const store = yield* comments.store
  // A writer locks the issue's row while it stores mentions.
  const present = yield* (yield* issues.store).lock({ repositoryId: repository.id }, issue.id)
  const before = yield* store.lock({ issueId: issue.id }, comment.id)
  if (present === undefined || before === undefined) return yield* missing
  const contentVersion = yield* revise(actor, issue, before, { body, contentVersion: version }, comment)
  const set = { body, contentVersion, updatedAt: yield* now }
  const after = yield* Effect.orDie(store.patch({ issueId: issue.id }, comment.id, set))
  if (after === undefined) return yield* missing
  yield* trace(actor, repository, present, body, after)
  const view = yield* viewOfComment(actor, after, present, refOf(repository))
  return { ...view, before: { comment: before } }
})

const removing = Effect.fnUntraced(function* (
  { resource }: Proof<"issue.comment.delete"> | Proof<"issue.comment.delete-deprecated">,
  named: Named = {}
) {
  const { comment, issue } = resource
  const missing = new CommentNotFound({ id: comment.id })
  if (isElsewhere(issue, named)) return yield* missing
  const removed = yield* (yield* comments.store).remove({ issueId: issue.id }, comment.id)
  return removed === undefined ? yield* missing : { comment: removed, issue }
})

interface Left {
  readonly comment: Comment
  readonly issue: Pick<Issue, "id" | "repositoryId">
}

const leftOf = ({ comment, issue }: Left) => Effect.map(issueAfter(issue), (after) => ({ ...after, comment }))

interface CommentEventData {
  readonly comment: Comment
  readonly issue: Pick<Issue, "number">
  readonly before?: { readonly comment: Comment }
}

const eventDetails = ({ before, comment, issue }: CommentEventData) => ({
  details: { issue: issue.number, comment: comment.id },
  before
})

/** Changes the text of a comment. */
export const edit = audited(
  (proof: Proof<"issue.comment.edit">, change: CommentEdit) => editing(proof, change),
  eventDetails,
  (_, done) => leftOf(done)
)

/** Changes the text of a comment. Fails if the comment does not belong to the issue in the path. */
export const editBelow = audited(
  (proof: Proof<"issue.comment.edit-deprecated">, change: CommentEdit, index: number) =>
    editing(proof, change, { index }),
  eventDetails,
  (_, done) => leftOf(done)
)

/** Deletes a comment. */
export const remove = audited(
  (proof: Proof<"issue.comment.delete">) => removing(proof),
  eventDetails,
  (_, done) => leftOf(done)
)

/** Deletes a comment. Fails if the comment does not belong to the issue in the path. */
export const removeBelow = audited(
  (proof: Proof<"issue.comment.delete-deprecated">, index: number) => removing(proof, { index }),
  eventDetails,
  (_, done) => leftOf(done)
)

/** A timeline entry with all data that a response contains. */
export interface TimelineView {
  readonly entry: TimelineEntry
  readonly issue: Issue
  readonly repository: RepositoryRef
  readonly people: PeopleById
  /** The issue that the event refers to; undefined if there is none or the actor may not read it. */
  readonly other: IssueView | undefined
  /** The comment that refers to this issue; undefined if there is none or the actor may not read it. */
  readonly otherComment: CommentView | undefined
  /** The tracked time that the event is about; undefined if there is none or the actor may not see it. */
  readonly trackedTime: { readonly time: TrackedTime; readonly issue: IssueView } | undefined
  /** Whether the event contains tracked time that is hidden from the actor. */
  readonly timeHidden: boolean
  /** The team of which a review was requested; undefined if the actor does not see it. */
  readonly team: TeamInOrganization | undefined
}

const timeEvents: ReadonlySet<string> = new Set(["add_time_manual", "delete_time_manual", "stop_tracking"])

const peopleIn = (entry: TimelineEntry) => {
  if (entry.kind === "comment") return [entry.comment.authorId]
  const { actorId, details } = entry.event
  const assignee = details.assigneeId === undefined ? [] : [details.assigneeId as typeof actorId]
  const { otherComment, trackedTime } = entry
  const others = [
    ...(otherComment === undefined ? [] : [otherComment.authorId]),
    ...(trackedTime === undefined ? [] : [trackedTime.userId])
  ]
  return [actorId, ...assignee, ...others]
}

const noRelatedData = {
  other: undefined,
  otherComment: undefined,
  trackedTime: undefined,
  timeHidden: false,
  team: undefined
}

/** Reads the teams that timeline events are about; those hidden from the viewer are omitted. */
const teamsIn = Effect.fnUntraced(function* (
  viewer: Viewer,
  { owner }: Repository,
  events: ReadonlyArray<Extract<TimelineEntry, { readonly kind: "event" }>>
) {
  const ids = [...new Set(events.flatMap(({ event }) => (event.details.assigneeTeamId as TeamId | undefined) ?? []))]
  if (ids.length === 0 || owner.kind !== "organization") return new Map<number, TeamInOrganization>()
  const organization = yield* (yield* OrganizationStore).find(owner.id)
  if (organization === undefined) return new Map<number, TeamInOrganization>()
  const { rows } = yield* (yield* TeamStore).list(viewer, owner.id, { ids }, { page: 1, perPage: ids.length })
  return new Map<number, TeamInOrganization>(rows.map((team) => [team.id, { team, organization }]))
})

/**
 * Lists the comments and events of an issue or a pull request, oldest first.
 *
 * Entries that refer to repositories that the actor may not read are omitted, and not counted.
 */
export const timeline = Effect.fnUntraced(function* (
  { resource: { actor, facts, issue, repository } }: Proof<"issue.timeline.list">,
  when: Period,
  page: PageRequest
) {
  const store = yield* IssueStore
  const viewer = yield* viewerOn(actor)
  const found = yield* store.timeline(viewer, issue.id, when, page)
  const here = refOf(repository)
  const events = found.rows.flatMap((entry) => (entry.kind === "event" ? [entry] : []))
  const mayAll = allows("issue.time.create", facts)
  const mayKnow = ({ userId }: TrackedTime) => mayAll || userId === actor.user?.id
  const ids = events.flatMap(({ event }) => (event.otherIssueId === null ? [] : [event.otherIssueId]))
  const others =
    ids.length === 0
      ? []
      : (yield* store.search({ viewer }, { ids: [...new Set(ids)] }, "newest", { page: 1, perPage: ids.length })).rows
  const own = events.some(({ trackedTime }) => trackedTime !== undefined) ? [{ issue, repository: here }] : []
  const named = found.rows.flatMap(peopleIn)
  const views = new Map(
    (yield* viewsOf(actor, [...others, ...own], named)).map((view) => [view.issue.id, view] as const)
  )
  const [view] = views.values()
  const people = view?.people ?? (yield* peopleOf(actor, named))
  const said = events.flatMap(({ otherComment }) => (otherComment === undefined ? [] : [otherComment.id]))
  const assets = yield* assetsOf(said)
  const teams = yield* teamsIn(actor, repository, events)
  const rows = found.rows.map((entry): TimelineView => {
    const row = { entry, issue, repository: here, people }
    if (entry.kind === "comment") return { ...row, ...noRelatedData }
    const { event, otherComment, trackedTime } = entry
    const other = event.otherIssueId === null ? undefined : views.get(event.otherIssueId)
    const self = views.get(issue.id)
    const knows = trackedTime === undefined ? event.actorId === actor.user?.id || mayAll : mayKnow(trackedTime)
    return {
      ...row,
      other,
      otherComment:
        other === undefined || otherComment === undefined
          ? undefined
          : { ...other, comment: otherComment, assets: assets.get(otherComment.id) ?? [] },
      trackedTime:
        trackedTime !== undefined && knows && self !== undefined ? { time: trackedTime, issue: self } : undefined,
      timeHidden: timeEvents.has(event.type) && !knows,
      team: event.details.assigneeTeamId === undefined ? undefined : teams.get(event.details.assigneeTeamId)
    }
  })
  return { ...found, rows }
})
