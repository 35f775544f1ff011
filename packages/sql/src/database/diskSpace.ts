import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Fails when the database's disk is full; a database on this machine's disk is checked there instead. */
export const DatabaseRoom = Context.Reference<Effect.Effect<void, SqlError>>("@slipway/sql/DatabaseRoom", {
  defaultValue: () => Effect.void
})

/**
 * Checks for disk space on a PostgreSQL server, because its disk can't be seen from here.
 *
 * A sort that exceeds its memory goes to a temporary file: unlike a row, it takes new space each time and leaves
 * nothing to clean up.
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
