import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Fails when the database has no room to write in; one whose disk is this machine's is looked at there instead. */
export const DatabaseRoom = Context.Reference<Effect.Effect<void, SqlError>>("@slipway/sql/DatabaseRoom", {
  defaultValue: () => Effect.void
})

/**
 * Provides the look at the room of a PostgreSQL server, whose disk nobody else sees.
 *
 * What is sorted in more memory than there is goes to a file that is gone right after: unlike a row, it takes new room each
 * time and leaves nothing to clean up.
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
