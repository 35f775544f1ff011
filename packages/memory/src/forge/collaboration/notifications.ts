import { type RepositoryViewer, type Watch, watches } from "@slipway/domain/forge/code"
import {
  type Assignee,
  assignees,
  type Comment,
  comments,
  type Issue,
  type IssueSubscription,
  issueSubscriptions,
  issues,
  type Mention,
  mentions,
  type Notification,
  type NotificationFilter,
  type NotificationReason,
  NotificationStore,
  notifications,
  type PlacedNotification,
  type Review,
  type ReviewComment,
  reviewComments,
  reviews
} from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import { byCodePoints } from "../../codePoints.ts"
import type { Snapshot } from "../../Database.ts"
import type { Table } from "../../Table.ts"
import { cut } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { Tables } from "../base/tables.ts"
import { peopleIn } from "../identity/people.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

/** Finds the recipients of notifications, and stores notifications, in memory. */
export const notificationStore = Layer.effect(
  NotificationStore,
  Effect.map(Tables, (tables) => {
    const { database, owned, user } = tables
    // BOUNDARY: a declaration says of its table what its rows are.
    const rowsOf = <Row extends { readonly id: number }>({ name }: { readonly name: string }) =>
      owned.get(name)?.rows as unknown as Table<Row>
    const rows = rowsOf<Notification>(notifications)
    const issueTable = rowsOf<Issue>(issues)
    const subscriptions = rowsOf<IssueSubscription>(issueSubscriptions)
    const of = <Row extends { readonly id: number }>(
      snapshot: Snapshot,
      kind: { readonly name: string },
      isMeant: (row: Row) => boolean
    ) => rowsOf<Row>(kind).list(snapshot, everything).filter(isMeant)

    const found = (
      snapshot: Snapshot,
      viewer: RepositoryViewer,
      filter: NotificationFilter & { readonly upTo?: string | undefined }
    ): ReadonlyArray<PlacedNotification> => {
      const { canReadUnit, repositoryWithGrants } = queriesIn(tables, snapshot)
      const [readsIssues, readsPulls] = [canReadUnit(viewer, "repo.issues"), canReadUnit(viewer, "repo.pulls")]
      const { before, id, pull, repositoryId, since, statuses, upTo } = filter
      return rows
        .list(snapshot, everything)
        .filter(
          (row) =>
            row.userId === viewer.userId &&
            (id === undefined || row.id === id) &&
            (statuses === undefined || statuses.includes(row.status)) &&
            (repositoryId === undefined || row.repositoryId === repositoryId) &&
            (since === undefined || row.updatedAt >= since) &&
            (before === undefined || row.updatedAt < before) &&
            (upTo === undefined || row.updatedAt <= upTo)
        )
        .toSorted((one, other) => byCodePoints(other.updatedAt, one.updatedAt) || other.id - one.id)
        .flatMap((notification) => {
          const issue = issueTable.get(snapshot, notification.issueId)
          const held = repositoryWithGrants(notification.repositoryId, viewer.userId)
          if (issue === undefined || held === undefined) return []
          const isMeant = pull === undefined || issue.pull === pull
          return isMeant && (issue.pull ? readsPulls : readsIssues)(issue.repositoryId)
            ? [{ ...held, notification }]
            : []
        })
    }

    return {
      recipients: ({ audience, issueId }, { after, limit }) =>
        database.read((snapshot) => {
          const issue = issueTable.get(snapshot, issueId)
          if (issue === undefined) return []
          const isOfIssue = (row: { readonly issueId: number }) => row.issueId === issueId
          const subscribed = subscriptions.list(snapshot, everything).filter(isOfIssue)
          const assigned = () => of<Assignee>(snapshot, assignees, isOfIssue).map(({ userId }) => userId)
          const reviewing = of<Review>(snapshot, reviews, isOfIssue)
          const wanted = reviewing.filter(({ state }) => state === "requested")
          const asked = () => [
            ...wanted.flatMap(({ reviewerId }) => reviewerId ?? []),
            ...wanted.flatMap(({ teamId }) =>
              teamId === null ? [] : [...queriesIn(tables, snapshot).memberIds(teamId)]
            )
          ]
          const followers = (): ReadonlyArray<readonly [NotificationReason, ReadonlyArray<UserId>]> => [
            ["review_requested", asked()],
            ["assign", assigned()],
            ["author", [issue.authorId]],
            ["mention", of<Mention>(snapshot, mentions, isOfIssue).map(({ userId }) => userId)],
            [
              "comment",
              [
                ...of<Comment>(snapshot, comments, isOfIssue).map(({ authorId }) => authorId),
                ...of<ReviewComment>(snapshot, reviewComments, isOfIssue)
                  .filter(({ reviewId }) => !reviewing.some(({ id, state }) => id === reviewId && state === "pending"))
                  .map(({ authorId }) => authorId),
                ...reviewing
                  .filter(({ state }) => state !== "pending" && state !== "requested")
                  .flatMap(({ reviewerId }) => reviewerId ?? [])
              ]
            ],
            ["manual", subscribed.filter((row) => row.subscribed).map(({ userId }) => userId)],
            [
              "subscribed",
              of<Watch>(snapshot, watches, (row) => row.watching && row.repositoryId === issue.repositoryId).map(
                ({ userId }) => userId
              )
            ]
          ]
          const meant = {
            followers,
            assignees: () => [["assign", assigned()] as const],
            reviewers: () => [["review_requested", asked()] as const]
          }[audience]()
          const ended = new Set(subscribed.filter((row) => !row.subscribed).map(({ userId }) => userId))
          const found = new Map<UserId, NotificationReason>()
          for (const [because, ids] of meant) {
            for (const id of ids) {
              if (id > after && !found.has(id) && !ended.has(id) && user.get(snapshot, id) !== undefined) {
                found.set(id, because)
              }
            }
          }
          return [...found]
            .map(([userId, because]) => ({ userId, because }))
            .toSorted((one, other) => one.userId - other.userId)
            .slice(0, limit)
        }),
      watchers: (repository, { after, limit }) =>
        database.read((snapshot) =>
          of<Watch>(snapshot, watches, (row) => row.watching && row.repositoryId === repository && row.userId > after)
            .map(({ userId }) => userId)
            .toSorted((one, other) => one - other)
            .slice(0, limit)
        ),
      notify: (users, { at, commentId, issueId, repositoryId }) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const present = new Map(
                of<Notification>(snapshot, notifications, (row) => row.issueId === issueId).map((row) => [
                  row.userId,
                  row
                ])
              )
              for (const userId of users) {
                const row = present.get(userId)
                if (user.get(snapshot, userId) === undefined) continue
                if (row === undefined) {
                  yield* rows.insert(snapshot, {
                    userId,
                    repositoryId,
                    issueId,
                    commentId,
                    status: "unread",
                    updatedAt: at
                  })
                } else {
                  const status = row.status === "pinned" ? "pinned" : "unread"
                  yield* rows.replace(snapshot, { ...row, commentId, status, updatedAt: at })
                }
              }
            })
          )
          .pipe(Effect.orDie),
      list: (viewer, filter, page) =>
        database.read((snapshot) =>
          cut(found(snapshot, viewer, filter), page, ({ notification }) => [notification.updatedAt, notification.id], {
            descending: true
          })
        ),
      mark: (viewer, filter, status, limit) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const meant = found(snapshot, viewer, filter)
                .map(({ notification }) => notification)
                .toSorted((one, other) => one.id - other.id)
                .slice(0, limit)
              for (const row of meant) yield* rows.replace(snapshot, { ...row, status })
              return meant.map(({ id }) => id)
            })
          )
          .pipe(Effect.orDie),
      subscribers: (viewer, issue, page) =>
        database.read((snapshot) => {
          const { rowsOf: usersOf, seenBy } = peopleIn(tables, snapshot)
          const places = new Map(
            subscriptions
              .list(snapshot, everything)
              .flatMap((row) => (row.subscribed && row.issueId === issue ? [[row.userId, row.id] as const] : []))
          )
          return seenBy(viewer)(usersOf([...places.keys()]), page, { placeOf: ({ id }) => [places.get(id) ?? 0] })
        })
    }
  })
)
