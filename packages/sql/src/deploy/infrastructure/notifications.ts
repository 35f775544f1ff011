import { PgTypes } from "@effect/sql-pg"
import type { TeamId } from "@slipway/domain/deploy/identity"
import {
  type ChannelSettings,
  mostWaiting,
  type Notification,
  TeamNotificationStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { moment } from "../../collection/columns.ts"
import { timeText } from "../../collection/timeText.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { rowsOf } from "../base/reader.ts"

interface SettingsRow extends Omit<ChannelSettings, "updatedAt"> {
  readonly updatedAt: Date
}

interface Row extends Omit<Notification, "createdAt" | "dueAt"> {
  readonly dueAt: Date
  readonly createdAt: Date
}

const shown = ({ createdAt, dueAt, ...row }: Row): Notification => ({
  ...row,
  dueAt: timeText(dueAt),
  createdAt: timeText(createdAt)
})

/**
 * Stores in PostgreSQL the settings of notification channels, the queued notifications, and the problems already
 * reported.
 */
export const layerNotifications = Layer.effect(
  TeamNotificationStore,
  Effect.map(SqlClient, (sql) => {
    const changed = (rows: ReadonlyArray<unknown>) => rows.length > 0
    const settings = (team: TeamId) =>
      Effect.map(
        orDieSql(sql<SettingsRow>`
        SELECT team_id::integer AS "teamId", channel, settings AS "values", secrets, updated_at AS "updatedAt"
        FROM notification_channel WHERE team_id = ${team} ORDER BY channel`),
        (rows) => rows.map(({ updatedAt, ...row }): ChannelSettings => ({ ...row, updatedAt: timeText(updatedAt) }))
      )
    return {
      settings,
      // There may be no row yet that could be locked.
      lock: (team) =>
        Effect.andThen(
          orDieSql(
            sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.notification_channel', ${team}))`
          ),
          settings(team)
        ),
      write: ({ channel, secrets, teamId, updatedAt, values }) =>
        Effect.asVoid(
          orDieSql(sql`
            INSERT INTO notification_channel (team_id, channel, settings, secrets, updated_at)
            VALUES (${teamId}, ${channel}, ${PgTypes.jsonb(values)}, ${PgTypes.jsonb(secrets)}, ${moment(updatedAt)})
            ON CONFLICT (team_id, channel) DO UPDATE
            SET settings = excluded.settings, secrets = excluded.secrets, updated_at = excluded.updated_at`)
        ),
      insert: (rows) =>
        Effect.asVoid(
          // The rows that the statement adds are not visible to its own deletion.
          orDieSql(sql`
            WITH added AS (
              INSERT INTO notification (uuid, team_id, channel, recipient, message, attempts, due_at, created_at)
              SELECT row->>'uuid', (row->>'teamId')::bigint, row->>'channel', row->>'recipient', row->'message', (row->>'attempts')::integer,
                (row->>'dueAt')::timestamptz, (row->>'createdAt')::timestamptz
              FROM ${rowsOf(sql, rows)} ORDER BY place
              RETURNING team_id, channel
            ), counted AS (SELECT team_id, channel, count(*) AS added FROM added GROUP BY team_id, channel)
            DELETE FROM notification WHERE id IN (
              SELECT old.id FROM counted, LATERAL (
                SELECT id FROM notification
                WHERE notification.team_id = counted.team_id AND notification.channel = counted.channel
                ORDER BY id DESC OFFSET GREATEST(0, ${PgTypes.int4(mostWaiting)} - counted.added)) old)`)
        ),
      claim: ({ at, until, worker }) =>
        Effect.map(
          orDieSql(sql<Row>`
            UPDATE notification SET claimed_by = ${worker}, lease_until = ${moment(until)}
            WHERE id = (
              SELECT id FROM notification
              WHERE due_at <= ${moment(at)} AND (lease_until IS NULL OR lease_until <= ${moment(at)})
              ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING uuid, team_id::integer AS "teamId", channel, recipient, message, attempts, due_at AS "dueAt", created_at AS "createdAt"`),
          ([taken]) => (taken === undefined ? undefined : shown(taken))
        ),
      save: ({ attempts, dueAt, uuid }, worker) =>
        Effect.map(
          orDieSql(
            sql`
            UPDATE notification SET attempts = ${attempts}, due_at = ${moment(dueAt)},
              claimed_by = NULL, lease_until = NULL
            WHERE uuid = ${lookup(uuid)} AND claimed_by = ${worker} RETURNING id`.values
          ),
          changed
        ),
      postpone: (team, channel, dueAt) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE notification SET due_at = ${moment(dueAt)}
            WHERE team_id = ${team} AND channel = ${channel} AND due_at < ${moment(dueAt)}`)
        ),
      remove: (uuid, worker) =>
        Effect.map(
          orDieSql(
            sql`DELETE FROM notification WHERE uuid = ${lookup(uuid)} AND claimed_by = ${worker} RETURNING id`.values
          ),
          changed
        ),
      giveBack: (uuid, worker) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE notification SET claimed_by = NULL, lease_until = NULL
            WHERE uuid = ${lookup(uuid)} AND claimed_by = ${worker}`)
        ),
      endLeases: Effect.asVoid(orDieSql(sql`UPDATE notification SET claimed_by = NULL, lease_until = NULL`)),
      raise: (topic, at, before) =>
        Effect.map(
          orDieSql(
            sql`
            INSERT INTO notification_condition AS present (topic, reported_at) VALUES (${topic}, ${moment(at)})
            ON CONFLICT (topic) DO UPDATE SET reported_at = excluded.reported_at
            WHERE present.reported_at <= ${moment(before)} RETURNING topic`.values
          ),
          changed
        ),
      clear: (topic) =>
        Effect.map(
          orDieSql(sql`DELETE FROM notification_condition WHERE topic = ${topic} RETURNING topic`.values),
          changed
        ),
      clearAll: (topics) =>
        Effect.asVoid(
          orDieSql(sql`
            DELETE FROM notification_condition
            WHERE topic IN (SELECT jsonb_array_elements_text(${PgTypes.jsonb(topics)}))`)
        ),
      forget: (before) =>
        Effect.asVoid(
          orDieSql(sql`
            DELETE FROM notification_condition WHERE reported_at < ${moment(before)}
            AND NOT EXISTS (SELECT FROM application WHERE uuid = split_part(topic, ':', 2))
            AND NOT EXISTS (SELECT FROM database WHERE uuid = split_part(topic, ':', 2))
            AND NOT EXISTS (SELECT FROM server WHERE uuid = split_part(topic, ':', 2))`)
        )
    }
  })
)
