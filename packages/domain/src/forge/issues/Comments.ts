import { Effect } from "effect"
import type { PageRequest } from "../../Page.ts"
import { now } from "../../Time.ts"
import type { Proof } from "../accounts/Actor.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { audited } from "../events/record.ts"
import { viewerOn } from "../repositories/visibility.ts"
import { type Comment, CommentNotFound, comments, type Issue, IssueNotFound, issues } from "./Issue.ts"
import {
  type FoundRows,
  IssueStore,
  type Period,
  type PlacedComment,
  type RepositoryRef,
  type TimelineEntry
} from "./IssueStore.ts"
import { revise, trace, unlessBlocked } from "./texts.ts"
import { authorOf, type IssueView, type PeopleById, peopleOf, readableIn, refOf, viewsOf } from "./views.ts"

/** A comment with all that an answer tells of it. */
export interface CommentView extends PlacedComment {
  readonly repository: RepositoryRef
  readonly people: PeopleById
}

const viewsOfComments = Effect.fnUntraced(function* (
  viewer: Viewer,
  repository: RepositoryRef,
  found: FoundRows<PlacedComment>
) {
  const people = yield* peopleOf(
    viewer,
    found.rows.map(({ comment }) => comment.authorId)
  )
  return { ...found, rows: found.rows.map((each): CommentView => ({ ...each, repository, people })) }
})

/** Lists the comments of a repository, below the issues and pull requests that whoever acts reads. */
export const listAll = Effect.fnUntraced(function* (
  { resource: { actor, facts, repository } }: Proof<"issue.comment.list-all">,
  when: Period,
  page: PageRequest
) {
  const found = yield* (yield* IssueStore).comments(readableIn(repository, facts), when, page)
  return yield* viewsOfComments(actor, refOf(repository), found)
})

/** Lists the comments of an issue or a pull request in the order in which they were written. */
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

const viewOfComment = Effect.fnUntraced(function* (
  viewer: Viewer,
  comment: Comment,
  issue: Issue,
  repository: RepositoryRef
) {
  const people = yield* peopleOf(viewer, [comment.authorId])
  return { comment, issue, repository, people } satisfies CommentView
})

/** Reads a comment. */
export const read = ({ resource: { actor, comment, issue, repository } }: Proof<"issue.comment.read">) =>
  viewOfComment(actor, comment, issue, refOf(repository))

/** Writes a comment below an issue or a pull request. */
export const create = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.comment.create">, body: string) {
    const { actor, issue, repository } = resource
    yield* unlessBlocked(actor, repository)
    const at = yield* now
    // It is the latest change of the issue, and holds its row while mentions are written.
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
  ({ comment, issue }) => ({ details: { issue: issue.number, comment: comment.id } })
)

/** What an edit changes of a comment. */
export interface CommentEdit {
  readonly body: string
  /** The version of the text that the edit is of. */
  readonly contentVersion?: number | undefined
}

/** A comment, and by which issue a path names it, where it does. */
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
  // Whoever writes below an issue holds its row while mentions are written.
  const present = yield* (yield* issues.store).lock({ repositoryId: repository.id }, issue.id)
  const before = yield* store.lock({ issueId: issue.id }, comment.id)
  if (present === undefined || before === undefined) return yield* missing
  const contentVersion = yield* revise(actor, issue, before, { body, contentVersion: version }, comment)
  const set = { body, contentVersion, updatedAt: yield* now }
  const after = yield* Effect.orDie(store.patch({ issueId: issue.id }, comment.id, set))
  if (after === undefined) return yield* missing
  yield* trace(actor, repository, present, body, after)
  return yield* viewOfComment(actor, after, present, refOf(repository))
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

const told = ({ comment, issue }: { readonly comment: Comment; readonly issue: Pick<Issue, "number"> }) => ({
  details: { issue: issue.number, comment: comment.id }
})

/** Changes the text of a comment. */
export const edit = audited((proof: Proof<"issue.comment.edit">, change: CommentEdit) => editing(proof, change), told)

/** Changes the text of a comment that the path names below its issue. */
export const editBelow = audited(
  (proof: Proof<"issue.comment.edit-deprecated">, change: CommentEdit, index: number) =>
    editing(proof, change, { index }),
  told
)

/** Deletes a comment. */
export const remove = audited((proof: Proof<"issue.comment.delete">) => removing(proof), told)

/** Deletes a comment that the path names below its issue. */
export const removeBelow = audited(
  (proof: Proof<"issue.comment.delete-deprecated">, index: number) => removing(proof, { index }),
  told
)

/** An entry of a timeline with all that an answer tells of it. */
export interface TimelineView {
  readonly entry: TimelineEntry
  readonly issue: Issue
  readonly repository: RepositoryRef
  readonly people: PeopleById
  /** The other issue that an event is about, as far as whoever acts reads it. */
  readonly other: IssueView | undefined
}

const peopleIn = (entry: TimelineEntry) => {
  if (entry.kind === "comment") return [entry.comment.authorId]
  const { actorId, details } = entry.event
  const assignee = details.assigneeId === undefined ? [] : [details.assigneeId as typeof actorId]
  return [actorId, ...assignee, ...(entry.otherComment === undefined ? [] : [entry.otherComment.authorId])]
}

/**
 * Lists the comments and events of an issue or a pull request in the order in which they happened.
 *
 * What comes from where whoever acts doesn't read is neither listed nor counted.
 */
export const timeline = Effect.fnUntraced(function* (
  { resource: { actor, issue, repository } }: Proof<"issue.timeline.list">,
  when: Period,
  page: PageRequest
) {
  const store = yield* IssueStore
  const viewer = yield* viewerOn(actor)
  const found = yield* store.timeline(viewer, issue.id, when, page)
  const ids = found.rows.flatMap((entry) =>
    entry.kind === "event" && entry.event.otherIssueId !== null ? [entry.event.otherIssueId] : []
  )
  const others =
    ids.length === 0
      ? []
      : (yield* store.search({ viewer }, { ids: [...new Set(ids)] }, "newest", { page: 1, perPage: ids.length })).rows
  const views = new Map((yield* viewsOf(actor, others)).map((view) => [view.issue.id, view]))
  const people = yield* peopleOf(actor, found.rows.flatMap(peopleIn))
  const rows = found.rows.map((entry): TimelineView => {
    const otherId = entry.kind === "event" ? entry.event.otherIssueId : null
    return {
      entry,
      issue,
      repository: refOf(repository),
      people,
      other: otherId === null ? undefined : views.get(otherId)
    }
  })
  return { ...found, rows }
})
