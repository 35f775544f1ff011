import { PgTypes } from "@effect/sql-pg"
import { type PendingReport, PendingReportStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { moment } from "../../collection/columns.ts"
import { timeText } from "../../collection/timeText.ts"
import { orDieSql } from "../../SqlErrors.ts"

interface Row extends Omit<PendingReport, "createdAt" | "dueAt"> {
  readonly dueAt: Date
  readonly createdAt: Date
}

const shown = ({ createdAt, dueAt, ...row }: Row): PendingReport => ({
  ...row,
  dueAt: timeText(dueAt),
  createdAt: timeText(createdAt)
})

/**
 * Stores in PostgreSQL the reports of deployment states that are still to be sent to a forge (code hosting service).
 */
export const layerPendingReports = Layer.effect(
  PendingReportStore,
  Effect.map(SqlClient, (sql) => {
    // The rule `isReportDue`, which the contract compares.
    const state = sql`CASE deployment.status WHEN 'finished' THEN 'success' WHEN 'failed' THEN 'failure'
      WHEN 'cancelled' THEN 'failure' ELSE 'pending' END`
    const isDue = sql`(
      deployment.uuid IS NULL OR deployment.status IN ('finished', 'failed', 'cancelled')
      OR (deployment.commit_sha ~ '^([0-9a-f]{40}|[0-9a-f]{64})$' AND due.reported IS DISTINCT FROM ${state}))`
    const changed = (rows: ReadonlyArray<unknown>) => rows.length > 0
    return {
      // The lease of a replaced report stays: its worker may still be sending what the new one must follow.
      insert: ({ attempts, createdAt, dueAt, forgeLink, reported, uuid }) =>
        Effect.asVoid(
          orDieSql(sql`
            INSERT INTO pending_report (uuid, forge_link, reported, attempts, due_at, created_at)
            VALUES (${uuid}, ${PgTypes.jsonb(forgeLink)}, ${reported}, ${attempts}, ${moment(dueAt)},
              ${moment(createdAt)})
            ON CONFLICT (uuid) DO UPDATE SET forge_link = excluded.forge_link, reported = excluded.reported,
              attempts = excluded.attempts, due_at = excluded.due_at, created_at = excluded.created_at,
              claimed_by = NULL`)
        ),
      claim: ({ at, until, worker }) =>
        Effect.map(
          orDieSql(sql<Row>`
            UPDATE pending_report SET claimed_by = ${worker}, lease_until = ${moment(until)}
            WHERE id = (
              SELECT due.id FROM pending_report due LEFT JOIN deployment ON deployment.uuid = due.uuid
              WHERE due.due_at <= ${moment(at)} AND (due.lease_until IS NULL OR due.lease_until <= ${moment(at)})
                AND ${isDue}
              ORDER BY due.due_at, due.id LIMIT 1 FOR UPDATE OF due SKIP LOCKED)
            RETURNING uuid, forge_link AS "forgeLink", reported, attempts, due_at AS "dueAt",
              created_at AS "createdAt"`),
          ([taken]) => (taken === undefined ? undefined : shown(taken))
        ),
      save: ({ attempts, dueAt, reported, uuid }, worker) =>
        Effect.map(
          orDieSql(
            sql`
            UPDATE pending_report SET reported = ${reported}, attempts = ${attempts}, due_at = ${moment(dueAt)},
              claimed_by = NULL, lease_until = NULL
            WHERE uuid = ${lookup(uuid)} AND claimed_by = ${worker} RETURNING id`.values
          ),
          changed
        ),
      remove: (uuid, worker) =>
        Effect.map(
          orDieSql(
            sql`DELETE FROM pending_report WHERE uuid = ${lookup(uuid)} AND claimed_by = ${worker} RETURNING id`.values
          ),
          changed
        ),
      giveBack: (uuid, worker) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE pending_report SET claimed_by = NULL, lease_until = NULL
            WHERE uuid = ${lookup(uuid)} AND claimed_by = ${worker}`)
        ),
      endLeases: Effect.asVoid(orDieSql(sql`UPDATE pending_report SET claimed_by = NULL, lease_until = NULL`))
    }
  })
)
