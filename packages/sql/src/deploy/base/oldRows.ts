import { PgTypes } from "@effect/sql-pg"
import type { OldRows } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { moment } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"

/** The SQL conditions for the old rows of a table that can be removed. */
export interface OldRowCriteria {
  readonly table: "deletion" | "deployment"
  /** The condition for ended rows. */
  readonly hasEnded: Fragment
  readonly endedAt: Fragment
  /** The condition for rows that are no longer needed. The alias of the row is `old`. */
  readonly isForgettable: Fragment
  /**
   * An additional part of the statement. It removes the rows that refer to removed rows, which have the alias `gone`.
   */
  readonly along: Fragment
}

/** Returns the SQL condition that the server of a row `old` was cleaned up after a time, or no longer exists. */
export const cleanedSince = (sql: SqlClient, since: Fragment): Fragment => sql`(
  NOT EXISTS (SELECT FROM server WHERE server.uuid = old.server_uuid)
  OR EXISTS (
    SELECT FROM cleanup WHERE cleanup.server_uuid = old.server_uuid
    AND cleanup.status = 'success' AND cleanup.created_at > ${since}))`

/**
 * Checks the next batch of old rows and removes those that are no longer needed. Skips rows that another process has
 * locked.
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
