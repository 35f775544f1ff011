import { PgTypes } from "@effect/sql-pg"
import type { Failures, SignInFailures } from "@slipway/domain/sign-in"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { moment } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"

const number = (value: number) => PgTypes.int8(BigInt(value))

/** Returns the SQL expression that reads the failed sign-ins of several keys as one JSON document. */
export const failuresExpression = (sql: SqlClient, keys: unknown) => sql`(
  SELECT coalesce(
    jsonb_agg(
      jsonb_build_object(
        'key', key,
        'count', count,
        'lastAt', to_char(last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ) ORDER BY array_position(${keys}::text[], key)
    ),
    '[]'
  )
  FROM sign_in_failure WHERE key = ANY(${keys}::text[])
)`

const cleanupBatch = 100

/** Returns the counters of failed sign-ins. They are in the table `sign_in_failure` of each service. */
export const signInFailures = (sql: SqlClient): SignInFailures => ({
  failures: (keys) =>
    orDieSql(
      Effect.map(
        sql`SELECT ${failuresExpression(sql, [...keys])}`.values,
        ([values]) => (values?.[0] ?? []) as ReadonlyArray<Failures>
      )
    ),
  fail: ({ at, atMost, forgetBefore, keys, lasts }) =>
    orDieSql(
      Effect.gen(function* () {
        const counted = yield* sql`
              INSERT INTO sign_in_failure (key, count, last_at)
              SELECT key, 1, ${moment(at)} FROM unnest(${[...new Set(keys)].toSorted()}::text[]) AS given (key)
              ON CONFLICT (key) DO UPDATE SET
                count = CASE WHEN sign_in_failure.last_at < ${moment(forgetBefore)} THEN 1
                  ELSE 1 + greatest(0, sign_in_failure.count
                    - greatest(0, floor(extract(epoch FROM excluded.last_at - sign_in_failure.last_at) / ${PgTypes.float8(lasts)}))) END,
                last_at = excluded.last_at
              RETURNING key, count::float8`.values
        yield* sql`
              DELETE FROM sign_in_failure WHERE key IN (
                SELECT key FROM (
                  (SELECT key FROM sign_in_failure WHERE last_at < ${moment(forgetBefore)} LIMIT ${cleanupBatch})
                  UNION ALL
                  (SELECT key FROM sign_in_failure ORDER BY last_at DESC, key DESC OFFSET ${number(atMost)} LIMIT ${cleanupBatch})
                ) old
              )`
        return counted.map(([key, count]) => ({ key: key as string, count: Number(count), lastAt: at }))
      })
    )
})
