import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Returns the ids of rows as an SQL array parameter. */
export const idArray = (sql: SqlClient, ids: ReadonlyArray<number>): Fragment =>
  sql`${ids.map(String)}::text[]::bigint[]`
