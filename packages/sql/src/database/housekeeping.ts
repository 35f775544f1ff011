import { Duration, Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * The log size in bytes after which a checkpoint runs. It limits the size of the log files, and the recovery time after
 * a kill.
 */
const LOG_BYTES = 32 * 1024 * 1024

/** Runs a checkpoint if the log is large, and vacuums and analyzes changed tables by the thresholds of autovacuum. */
export const tidy = (sql: SqlClient): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.gen(function* () {
    const done: Array<string> = []
    // Without this the backend doesn't publish its statistics.
    yield* sql`SELECT pg_stat_force_next_flush()`
    const tables = yield* sql<{ readonly name: string }>`
      SELECT format('%I.%I', t.schemaname, t.relname) AS name
      FROM pg_stat_user_tables t JOIN pg_class c ON c.oid = t.relid
      WHERE t.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
         OR t.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
      ORDER BY name`
    for (const { name } of tables) {
      // Each vacuum is a separate statement: it can't run inside a transaction, and requests run in between.
      yield* sql`VACUUM (ANALYZE) ${sql.literal(name)}`.unprepared
      done.push(name)
    }
    const [log] = yield* sql<{ readonly bytes: number }>`
      SELECT (pg_current_wal_lsn() - redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()`
    if (log !== undefined && log.bytes > LOG_BYTES) {
      yield* sql`CHECKPOINT`.unprepared
      done.push("checkpoint")
    }
    return done
  })

/**
 * Runs maintenance (checkpoints and vacuum) every minute, because the embedded database has no background processes.
 */
export const runHousekeeping = (sql: SqlClient): Effect.Effect<void> =>
  tidy(sql).pipe(
    Effect.catchTag("SqlError", (error) => Effect.logWarning("vacuuming the embedded database failed", error)),
    Effect.schedule(Schedule.spaced(Duration.minutes(1))),
    Effect.asVoid
  )
