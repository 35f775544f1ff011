import { PgTypes } from "@effect/sql-pg"
import type { OldRows } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { moment } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"

/** The columns and conditions for removing old rows of a table: their end time, and which of them are unneeded. */
export interface OldRowCriteria {
  readonly table: "deletion" | "deployment"
  /** The condition for ended rows. */
  readonly hasEnded: Fragment
  readonly endedAt: Fragment
  /** The condition on rows of `old` that are unneeded. */
  readonly isForgettable: Fragment
  /** The statement that removes rows related to those of `gone`. */
  readonly along: Fragment
}

/** Whether the server of a row of `old` was cleaned up since a moment, or is gone. */
export const cleanedSince = (sql: SqlClient, since: Fragment): Fragment => sql`(
  NOT EXISTS (SELECT FROM server WHERE server.uuid = old.server_uuid)
  OR EXISTS (
    SELECT FROM cleanup WHERE cleanup.server_uuid = old.server_uuid
    AND cleanup.status = 'success' AND cleanup.created_at > ${since}))`

/** Removes unneeded rows, each checked by one process; returns the id of the last checked one. */
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
