import { Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** Makes every failure of the database a defect: a port's caller can do nothing about it. */
export const orDieSql = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  Effect.catch(effect, (error) => (isSqlError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError>)))

/**
 * Makes the violation of one named unique constraint an error of the domain, and leaves every other failure alone.
 *
 * PostgreSQL aborts the transaction at the violation: whoever recovers from the error and goes on inside the same
 * transaction needs a nested one around the statement, or `ON CONFLICT DO NOTHING` in its place.
 */
export const onUnique =
  <E2>(constraint: string, error: () => E2) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.catch(
      effect,
      (failure): Effect.Effect<never, E | E2> =>
        isSqlError(failure) && failure.reason._tag === "UniqueViolation" && failure.reason.constraint === constraint
          ? Effect.fail(error())
          : Effect.fail(failure)
    )
