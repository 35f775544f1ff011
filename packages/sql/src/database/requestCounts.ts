import { PgTypes } from "@effect/sql-pg"
import { type RequestCount, RequestCounts } from "@slipway/domain"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { orDieSql } from "../SqlErrors.ts"

/** Creates the table of request counts for rate limits. It is unlogged, because its rows may be lost in a crash. */
export const requestCountTable = `CREATE UNLOGGED TABLE request_count (
  caller text PRIMARY KEY,
  used bigint NOT NULL,
  ends_at timestamptz NOT NULL
)`

/** The interval at which expired rows are removed, in milliseconds, and the number of rows per batch. */
const [cleanedEvery, cleanedAtOnce] = [60_000, 10_000]

/**
 * Counts requests in PostgreSQL, with the clock of the database, so that rate limits hold across processes. Each
 * statement locks rows in the same order, to avoid deadlocks.
 */
export const layerRequestCounts = Layer.effect(
  RequestCounts,
  Effect.map(SqlClient, (sql) => {
    const clean = sql`
      DELETE FROM request_count WHERE caller IN (
        SELECT caller FROM request_count WHERE ends_at < now()
        LIMIT ${PgTypes.int4(cleanedAtOnce)} FOR UPDATE SKIP LOCKED
      )`
    let cleanedAt = 0
    const cleanAtTimes = Effect.gen(function* () {
      const present = yield* Clock.currentTimeMillis
      if (present - cleanedAt < cleanedEvery) return
      cleanedAt = present
      yield* clean
    })
    return {
      add: (counts: ReadonlyArray<RequestCount>) =>
        orDieSql(
          Effect.andThen(
            cleanAtTimes,
            sql<{ readonly caller: string; readonly count: number; readonly endsIn: number }>`
              INSERT INTO request_count AS kept (caller, used, ends_at)
              SELECT caller, count, now() + ends_in * interval '1 millisecond'
              FROM jsonb_to_recordset(${PgTypes.jsonb(
                counts.map(({ caller, count, endsIn }) => ({ caller, count, ends_in: endsIn }))
              )}) AS told (caller text, count bigint, ends_in float8)
              ORDER BY caller
              ON CONFLICT (caller) DO UPDATE SET
                used = excluded.used + CASE WHEN kept.ends_at > now() THEN kept.used ELSE 0 END,
                ends_at = CASE WHEN kept.ends_at > now() THEN kept.ends_at ELSE excluded.ends_at END
              RETURNING caller, used::float8 AS count,
                (extract(epoch FROM ends_at - now()) * 1000)::float8 AS "endsIn"`
          )
        )
    }
  })
)
