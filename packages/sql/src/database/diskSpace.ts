import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Fails when the disk of a remote database is full. For an embedded database, the disk of this machine is checked
 * instead.
 */
export const DatabaseRoom = Context.Reference<Effect.Effect<void, SqlError>>("@slipway/sql/DatabaseRoom", {
  defaultValue: () => Effect.void
})

/**
 * Checks for free disk space on a PostgreSQL server with a query, because the server's disk is not accessible here.
 *
 * The query sorts more than its memory allows, which needs a temporary file: unlike a row, the file takes new space
 * each time, and PostgreSQL removes it.
 */
export const layerDatabaseRoom = Layer.effect(
  DatabaseRoom,
  Effect.map(SqlClient, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SET LOCAL work_mem = '64kB'`
        yield* sql`
          SELECT count(*) FROM (
            SELECT repeat(md5(g::text), 32) AS text FROM generate_series(1, 1000) g ORDER BY text OFFSET 1
          ) sorted`
      })
    )
  )
)
