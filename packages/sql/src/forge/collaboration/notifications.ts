import type { RepositoryId } from "@slipway/domain/forge/base"
import type { RepositoryViewer } from "@slipway/domain/forge/code"
import {
  type Notification,
  type NotificationFilter,
  type NotificationReason,
  NotificationStore,
  notificationReasons,
  notificationStatuses,
  notifications,
  type PlacedNotification
} from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ownedTable } from "../../owned/table.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { byId, countedPage } from "../base/pages.ts"
import { idArray } from "../base/parameters.ts"
import type { Reader } from "../base/rows.ts"
import { repositoryWithGrantsReader } from "../code/repositories.ts"
import { joinReadingIssues } from "../code/seenRepositories.ts"
import { seenPage, userParameter } from "../identity/accounts.ts"
import { joinGrants } from "../identity/grants.ts"
import { idParameter } from "../identity/units.ts"

const table = ownedTable(notifications)

const grantColumns = Array.from({ length: repositoryWithGrantsReader.width }, (_, at) => `column_${at}`).join(", ")

/** Reads notifications with their repositories, which `joinRepository` joined. */
const reader: Reader<PlacedNotification> = {
  width: table.width + repositoryWithGrantsReader.width,
  of: (alias) => `${table.expressions(alias)}, held.*`,
  read: (values, place = 0) => {
    const held = repositoryWithGrantsReader.read(values, place + table.width)
    if (values[place] === null || held === undefined) return undefined
    // BOUNDARY: the rows of the table are those of its declaration.
    return { ...held, notification: table.read(values, place) as unknown as Notification }
  }
}

/**
 * Joins the repository of each notification, with the access of the viewer. If all notifications are in one known
 * repository, `of`, the repository is read once.
 */
const joinRepository = (sql: SqlClient, viewer: RepositoryViewer, of: RepositoryId | undefined) => {
  const held = sql.literal(`SELECT ${repositoryWithGrantsReader.of("repository")}`)
  const columns = sql.literal(`held (${grantColumns})`)
  const grants = sql`
    LEFT JOIN (SELECT ${userParameter(viewer.userId)}::bigint AS id) page_viewer ON true
    ${joinGrants(sql, "page_viewer.id", { kind: "repository", alias: "repository" })}`
  return of === undefined
    ? sql`LEFT JOIN repository ON repository.id = page.repository_id ${grants} CROSS JOIN LATERAL (${held}) ${columns}`
    : sql`
        LEFT JOIN (
          ${held} FROM repository ${grants} WHERE repository.id = ${idParameter(of)}::bigint OFFSET 0
        ) ${columns} ON true`
}

/** Finds the recipients of notifications, and stores notifications, in PostgreSQL. */
export const layerNotifications = Layer.effect(
  NotificationStore,
  Effect.map(SqlClient, (sql) => {
    const time = (text: string) => sql`${text}::text::timestamptz`
    const found = (viewer: RepositoryViewer, filter: NotificationFilter & { readonly upTo?: string | undefined }) => {
      const { before, id, pull, repositoryId, since, statuses, upTo } = filter
      const { join, reads } = joinReadingIssues(sql, viewer, "notified.repository_id", "notified.pull")
      // The statuses are part of the SQL text: with a parameter PostgreSQL would plan the statement again each time.
      const asked = notificationStatuses.flatMap((each) => (statuses?.includes(each) === true ? [`'${each}'`] : []))
      return {
        from: sql`notification notified ${join}`,
        where: sql.and([
          sql`notified.user_id = ${userParameter(viewer.userId)}::bigint`,
          reads,
          ...(statuses === undefined ? [] : [sql.literal(`notified.status = ANY(ARRAY[${asked}]::text[])`)]),
          // Unread notifications have a separate index.
          ...(statuses === undefined || statuses.includes("read") ? [] : [sql.literal("notified.status <> 'read'")]),
          ...(pull === undefined ? [] : [sql`notified.pull = ${pull}`]),
          ...(id === undefined ? [] : [sql`notified.id = ${idParameter(id)}::bigint`]),
          ...(repositoryId === undefined ? [] : [sql`notified.repository_id = ${idParameter(repositoryId)}::bigint`]),
          ...(since === undefined ? [] : [sql`notified.updated_at >= ${time(since)}`]),
          ...(before === undefined ? [] : [sql`notified.updated_at < ${time(before)}`]),
          ...(upTo === undefined ? [] : [sql`notified.updated_at <= ${time(upTo)}`])
        ])
      }
    }
    return {
      recipients: ({ audience, issueId }, { after, limit }) => {
        const issue = idParameter(issueId)
        const because = (reason: NotificationReason) => sql.literal(`${notificationReasons.indexOf(reason)} AS rank`)
        const of = sql`issue_id = ${issue}::bigint`
        const assigned = sql`SELECT user_id, ${because("assign")} FROM assignee WHERE ${of}`
        const asked = sql`
          SELECT reviewer_id AS user_id, ${because("review_requested")} FROM review
            WHERE ${of} AND state = 'requested' AND reviewer_id IS NOT NULL
          UNION ALL SELECT team_member.user_id, ${because("review_requested")} FROM review
            JOIN team_member ON team_member.team_id = review.team_id WHERE ${of} AND state = 'requested'`
        const followers = sql`
          ${asked} UNION ALL ${assigned}
          UNION ALL SELECT author_id, ${because("author")} FROM issue WHERE id = ${issue}::bigint
          UNION ALL SELECT user_id, ${because("mention")} FROM mention WHERE ${of}
          UNION ALL SELECT author_id, ${because("comment")} FROM comment WHERE ${of}
          UNION ALL SELECT author_id, ${because("comment")} FROM review_comment
            WHERE ${of} AND NOT EXISTS (
              SELECT FROM review WHERE review.id = review_comment.review_id AND review.state = 'pending'
            )
          UNION ALL SELECT reviewer_id, ${because("comment")} FROM review
            WHERE ${of} AND state IN ('approved', 'rejected', 'commented') AND reviewer_id IS NOT NULL
          UNION ALL SELECT user_id, ${because("manual")} FROM issue_subscription WHERE ${of} AND subscribed
          UNION ALL SELECT watch.user_id, ${because("subscribed")} FROM watch
            JOIN issue ON issue.repository_id = watch.repository_id WHERE issue.id = ${issue}::bigint AND watch.watching`
        return orDieSql(
          Effect.map(
            sql`
              SELECT account.id::float8, min(told.rank) FROM (${{ followers, assignees: assigned, reviewers: asked }[audience]}) told
              JOIN account ON account.id = told.user_id
              WHERE account.id > ${idParameter(after)}::bigint
                AND NOT EXISTS (
                  SELECT FROM issue_subscription ended
                  WHERE ended.issue_id = ${issue}::bigint AND ended.user_id = account.id AND NOT ended.subscribed
                )
              GROUP BY account.id ORDER BY account.id LIMIT ${limit}`.values,
            (rows) =>
              rows.map(([id, rank]) => ({
                userId: id as UserId,
                because: notificationReasons[rank as number] as NotificationReason
              }))
          )
        )
      },
      watchers: (repository, { after, limit }) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT user_id::float8 FROM watch
              WHERE repository_id = ${idParameter(repository)}::bigint AND watching
                AND user_id > ${idParameter(after)}::bigint
              ORDER BY watch.user_id LIMIT ${limit}`.values,
            (rows) => rows.map(([id]) => id as UserId)
          )
        ),
      notify: (users, { at, commentId, issueId, repositoryId }) =>
        users.length === 0
          ? Effect.void
          : Effect.asVoid(
              orDieSql(sql`
                INSERT INTO notification (user_id, repository_id, issue_id, comment_id, status, updated_at)
                SELECT account.id, ${idParameter(repositoryId)}::bigint, ${idParameter(issueId)}::bigint,
                  ${commentId === null ? null : idParameter(commentId)}::bigint, 'unread', ${time(at)}
                FROM account WHERE account.id = ANY(${idArray(sql, users)})
                ON CONFLICT (user_id, issue_id) DO UPDATE SET
                  comment_id = excluded.comment_id,
                  status = CASE notification.status WHEN 'pinned' THEN 'pinned' ELSE 'unread' END,
                  updated_at = excluded.updated_at`)
            ),
      list: (viewer, filter, page) =>
        countedPage(
          sql,
          reader,
          {
            table: "notification",
            ...found(viewer, filter),
            id: "notified.id",
            order: {
              by: [
                ["notified.updated_at", "timestamptz"],
                ["notified.id", "bigint"]
              ],
              descending: true
            },
            join: joinRepository(sql, viewer, filter.repositoryId)
          },
          page
        ),
      mark: (viewer, filter, status, limit) => {
        const { from, where } = found(viewer, filter)
        return orDieSql(
          Effect.map(
            sql`
              UPDATE notification SET status = ${status}
              WHERE id IN (SELECT notified.id FROM ${from} WHERE ${where} ORDER BY notified.id LIMIT ${limit})
              RETURNING id::float8`.values,
            (rows) => rows.map(([id]) => id as number).toSorted((one, other) => one - other)
          )
        )
      },
      subscribers: (viewer, issue, page) =>
        seenPage(
          sql,
          viewer,
          {
            people: "subscriber",
            where: sql`seen.issue_id = ${idParameter(issue)} AND seen.subscribed`,
            order: byId
          },
          page
        )
    }
  })
)
