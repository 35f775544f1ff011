import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * An effect that fails when the disk of the database server is full. By default it never fails: for an embedded
 * database, the disk of this machine is checked elsewhere.
 */
export const DatabaseRoom = Context.Reference<Effect.Effect<void, SqlError>>("@slipway/sql/DatabaseRoom", {
  defaultValue: () => Effect.void
})

/**
 * Checks with a query that a PostgreSQL server has free disk space, because this machine cannot read the disk of the
 * server.
 *
 * The query sorts more data than its memory limit, so PostgreSQL writes a temporary file and removes it. Unlike an
 * inserted row, the file needs new disk space each time.
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
