import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { viewerOn } from "@slipway/domain/forge/code"
import {
  IssueStore,
  type NotificationFilter,
  NotificationNotFound,
  type NotificationStatus,
  NotificationStore,
  type Period,
  type PlacedIssue,
  type PlacedNotification
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"

/** The maximum number of notifications that one request changes; further requests change the others. */
const mostMarked = 1_000

/** A notification with the issue or pull request that it is about. */
export interface NotificationView extends PlacedNotification {
  readonly about: PlacedIssue
  /** Whether the notification is about a merged pull request. */
  readonly merged: boolean
}

/** The filters of the caller's notifications. */
export interface NotificationQuery extends Period {
  readonly statuses: ReadonlyArray<NotificationStatus>
  /** True for notifications about pull requests, false for those about issues, undefined for both. */
  readonly pull?: boolean | undefined
}

const viewsOf = Effect.fnUntraced(function* (actor: Actor, rows: ReadonlyArray<PlacedNotification>) {
  if (rows.length === 0) return []
  const viewer = yield* viewerOn(actor)
  const ids = rows.map(({ notification }) => notification.issueId)
  const found = yield* (yield* IssueStore).search({ viewer }, { ids }, "newest", { page: 1, perPage: ids.length })
  const placed = new Map(found.rows.map((each) => [each.issue.id, each]))
  const pulls = found.rows.flatMap(({ issue }) => (issue.pull ? [issue.id] : []))
  const details = pulls.length === 0 ? undefined : yield* (yield* IssueStore).details(pulls)
  return rows.flatMap((row): ReadonlyArray<NotificationView> => {
    const about = placed.get(row.notification.issueId)
    const merged = details?.get(row.notification.issueId)?.merge?.merged ?? false
    return about === undefined ? [] : [{ ...row, about, merged }]
  })
})

const listed = Effect.fnUntraced(function* (actor: Actor, filter: NotificationFilter, page: PageRequest) {
  const found = yield* (yield* NotificationStore).list(yield* viewerOn(actor), filter, page)
  return { ...found, rows: yield* viewsOf(actor, found.rows) }
})

/**
 * Lists the caller's notifications. Those about issues that the caller may not read now are omitted (invariants I7 and
 * I8).
 */
export const list = ({ resource }: Proof<"notification.list">, query: NotificationQuery, page: PageRequest) =>
  listed(resource.actor, query, page)

/** Lists the caller's notifications of a repository. */
export const ofRepository = (
  { resource: { actor, repository } }: Proof<"repository.notification.list">,
  query: NotificationQuery,
  page: PageRequest
) => listed(actor, { ...query, repositoryId: repository.id }, page)

/** Counts the caller's unread notifications, without those about issues that the caller may not read now. */
export const countNew = Effect.fnUntraced(function* ({ resource: { actor } }: Proof<"notification.count-new">) {
  const filter = { statuses: ["unread"] } as const
  return (yield* (yield* NotificationStore).list(yield* viewerOn(actor), filter, { page: 1, perPage: 1 })).total ?? 0
})

/** Reads a notification of the caller. */
export const read = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"notification.thread.read">,
  id: number
) {
  const { rows } = yield* listed(actor, { id }, { page: 1, perPage: 1 })
  return rows[0] ?? (yield* new NotificationNotFound({ id }))
})

/** Selects notifications, and sets their new status. */
export interface Marking {
  readonly statuses: ReadonlyArray<NotificationStatus>
  readonly to: NotificationStatus
  /** The time until which the caller has seen notifications. Notifications that changed later are not marked. */
  readonly lastReadAt?: string | undefined
}

const marking = Effect.fnUntraced(function* (
  actor: Actor,
  { lastReadAt, statuses, to }: Marking,
  page: PageRequest,
  repositoryId?: RepositoryId
) {
  const store = yield* NotificationStore
  const viewer = yield* viewerOn(actor)
  const upTo = lastReadAt ?? (yield* now)
  const before = yield* store.list(viewer, { statuses, repositoryId, before: undefined }, page)
  const marked = new Set(yield* store.mark(viewer, { statuses, repositoryId, upTo }, to, mostMarked))
  const rows = before.rows.filter(({ notification }) => marked.has(notification.id))
  return yield* viewsOf(
    actor,
    rows.map((row) => ({ ...row, notification: { ...row.notification, status: to } }))
  )
})

/** Sets the status of the caller's notifications that match a filter. Returns one page of the changed ones. */
export const mark = audited(
  ({ resource: { actor } }: Proof<"notification.mark-read">, how: Marking, page: PageRequest) =>
    marking(actor, how, page),
  (marked, { to }) => ({ details: { to, marked: marked.length } })
)

/** Sets the status of the caller's notifications of a repository. Returns one page of the changed ones. */
export const markInRepository = audited(
  ({ resource: { actor, repository } }: Proof<"repository.notification.mark-read">, how: Marking, page: PageRequest) =>
    marking(actor, how, page, repository.id),
  (marked, { to }) => ({ details: { to, marked: marked.length } })
)

/** Sets the status of one notification of the caller. */
export const markOne = audited(
  Effect.fnUntraced(function* (
    { resource: { actor } }: Proof<"notification.thread.mark-read">,
    id: number,
    to: NotificationStatus
  ) {
    const marked = yield* (yield* NotificationStore).mark(yield* viewerOn(actor), { id }, to, 1)
    const { rows } = yield* listed(actor, { id }, { page: 1, perPage: 1 })
    const [row] = rows
    return marked.length === 0 || row === undefined ? yield* new NotificationNotFound({ id }) : row
  }),
  (_, id, to) => ({ details: { notification: id, to } })
)
