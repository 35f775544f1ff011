import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { CurrentTransformer, type Fragment } from "effect/sql/Statement"

interface Plan {
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
}

/**
 * Runs an effect, and returns its result together with the number of 8 KiB pages that its statements read.
 *
 * Each statement runs a second time with EXPLAIN, so the effect must not change data.
 */
export const pagesRead = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<readonly [result: A, pages: number], E | SqlError, R | SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const statements: Array<Fragment> = []
    const result = yield* Effect.provideService(effect, CurrentTransformer, (statement) => {
      statements.push(statement)
      return Effect.succeed(statement)
    })
    let pages = 0
    for (const statement of statements) {
      const [explained] = yield* sql<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>`
        EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`.unprepared
      const plan = explained?.["QUERY PLAN"][0]?.Plan
      pages += (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0)
    }
    return [result, pages] as const
  })
