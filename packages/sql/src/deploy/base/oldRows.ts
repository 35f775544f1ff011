import { PgTypes } from "@effect/sql-pg"
import type { OldRows } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { moment } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"

/** Defines which old rows of a table can be removed: the end time of rows, and the condition of unneeded ones. */
export interface OldRowCriteria {
  readonly table: "deletion" | "deployment"
  /** The condition for ended rows. */
  readonly hasEnded: Fragment
  readonly endedAt: Fragment
  /** The condition for unneeded rows, which have the alias `old`. */
  readonly isForgettable: Fragment
  /** A further part of the statement, which removes rows that refer to the removed rows in `gone`. */
  readonly along: Fragment
}

/** Returns the condition that the server of a row `old` was cleaned up after a time, or does not exist any more. */
export const cleanedSince = (sql: SqlClient, since: Fragment): Fragment => sql`(
  NOT EXISTS (SELECT FROM server WHERE server.uuid = old.server_uuid)
  OR EXISTS (
    SELECT FROM cleanup WHERE cleanup.server_uuid = old.server_uuid
    AND cleanup.status = 'success' AND cleanup.created_at > ${since}))`

/**
 * Checks the next batch of old rows and removes the unneeded ones; skips rows that another process checks.
 *
 * Returns the id of the last checked row, or undefined if no row was checked.
 */
export const forget = (
  sql: SqlClient,
  { along, endedAt, hasEnded, isForgettable, table }: OldRowCriteria,
  { after, before, limit }: OldRows
): Effect.Effect<number | undefined> =>
  orDieSql(
    Effect.map(
      sql`
      WITH looked AS MATERIALIZED (
        SELECT id FROM ${sql.literal(table)} old
        WHERE id > ${PgTypes.int8(BigInt(after))} AND ${hasEnded} AND ${endedAt} < ${moment(before)}
        ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM ${sql.literal(table)} old WHERE id IN (SELECT id FROM looked) AND ${isForgettable} RETURNING uuid
      ) ${along}
      SELECT max(id)::float8 FROM looked`.values,
      ([looked]) => (looked?.[0] == null ? undefined : Number(looked[0]))
    )
  )
