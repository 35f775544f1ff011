import type { OwnedPage, OwnedRows } from "@slipway/domain"
import { now } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  type CommentId,
  CommentNotFound,
  commentReactions,
  IssueNotFound,
  issueReactions,
  type Reaction,
  ReactionNotAllowed,
  ReactionStore
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Viewer } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { authorOf, type PeopleById, peopleOf } from "../issues/views.ts"

/** A reaction, with the user who gave it. */
export interface ReactionView {
  readonly reaction: Reaction
  readonly people: PeopleById
  /** Whether the reaction is new; false if the user had already given it. */
  readonly fresh: boolean
}

const viewsOf = Effect.fnUntraced(function* <Row extends Reaction>(viewer: Viewer, found: OwnedRows<Row>) {
  const people = yield* peopleOf(
    viewer,
    found.rows.map(({ userId }) => userId)
  )
  return { ...found, rows: found.rows.map((reaction): ReactionView => ({ reaction, people, fresh: false })) }
})

const viewOf = Effect.fnUntraced(function* (viewer: Viewer, reaction: Reaction, fresh: boolean) {
  return { reaction, fresh, people: yield* peopleOf(viewer, [reaction.userId]) } satisfies ReactionView
})

const allowed = Effect.fnUntraced(function* (content: string) {
  const { ui } = yield* SiteSettings
  if (!ui.allowedReactions.includes(content)) return yield* new ReactionNotAllowed({ content })
})

/** Lists the reactions to an issue or a pull request. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, issue } }: Proof<"issue.reaction.list">,
  page: OwnedPage
) {
  return yield* viewsOf(actor, yield* (yield* issueReactions.store).list({ issueId: issue.id }, page))
})

/** Lists the reactions to a comment. */
export const listOfComment = Effect.fnUntraced(function* (
  { resource: { actor, comment } }: Proof<"issue.comment.reaction.list">,
  page: OwnedPage
) {
  return yield* viewsOf(actor, yield* (yield* commentReactions.store).list({ commentId: comment.id }, page))
})

/** Counts the reactions to an issue and to the given comments, by content (such as `heart`). */
export const count = Effect.fnUntraced(function* (
  { resource: { actor, issue } }: Proof<"issue.reaction.count">,
  comments: ReadonlyArray<CommentId>
) {
  return yield* (yield* ReactionStore).counts(issue.id, comments, actor.user?.id)
})

/** Adds a reaction of the caller to an issue or a pull request; idempotent. */
export const add = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.reaction.add">, content: string) {
    const { actor, issue } = resource
    yield* allowed(content)
    const store = yield* issueReactions.store
    const missing = () => new IssueNotFound({ number: issue.number })
    const own = { issueId: issue.id, userId: authorOf(actor), content }
    const fresh = yield* Effect.mapError(store.insertIfAbsent({ ...own, createdAt: yield* now }), missing)
    return yield* viewOf(actor, (yield* store.findBy("once", own)) ?? (yield* missing()), fresh)
  }),
  (_, content) => ({ details: { content } })
)

/** Adds a reaction of the caller to a comment; idempotent. */
export const addToComment = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.comment.reaction.add">, content: string) {
    const { actor, comment } = resource
    yield* allowed(content)
    const store = yield* commentReactions.store
    const missing = () => new CommentNotFound({ id: comment.id })
    const own = { commentId: comment.id, userId: authorOf(actor), content }
    const fresh = yield* Effect.mapError(store.insertIfAbsent({ ...own, createdAt: yield* now }), missing)
    return yield* viewOf(actor, (yield* store.findBy("once", own)) ?? (yield* missing()), fresh)
  }),
  (_, content) => ({ details: { content } })
)

/** Removes a reaction of the caller from an issue or a pull request, if there is one. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { actor, issue } }: Proof<"issue.reaction.remove">, content: string) {
    yield* (yield* issueReactions.store).removeBy("once", { issueId: issue.id, userId: authorOf(actor), content })
  }),
  (_, content) => ({ details: { content } })
)

/** Removes a reaction of the caller from a comment, if there is one. */
export const removeFromComment = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, comment } }: Proof<"issue.comment.reaction.remove">,
    content: string
  ) {
    const own = { commentId: comment.id, userId: authorOf(actor), content }
    yield* (yield* commentReactions.store).removeBy("once", own)
  }),
  (_, content) => ({ details: { content } })
)
