import { StoreUnavailable, type Unavailability } from "@slipway/domain"
import { Clock, Effect, Random } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

const codeOf = ({ reason: { cause } }: SqlError): string => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  return typeof code === "string" ? code : ""
}

// PostgreSQL's error classes that an operator can fix: no space or connections (53), shutdown or startup (57P), disk
// (58), and a read-only database (25006), such as a server during failover or an embedded one without space.
const operational = /^(53|57P|58|25006)/

/**
 * Returns whether a failure is independent of the statement: the database is unreachable, does not respond, or is out
 * of space or connections.
 */
export const isUnavailable = (error: SqlError): boolean =>
  ["ConnectionError", "AuthenticationError", "LockTimeoutError", "StatementTimeoutError"].includes(error.reason._tag) ||
  operational.test(codeOf(error))

// The error codes with which a server ends connections.
const cutOff = /^57P0[12]/

/** Returns whether an open connection was lost. Then it is unknown whether its last statement took effect. */
export const isLost = (error: SqlError): boolean =>
  cutOff.test(codeOf(error)) || (error.reason._tag === "ConnectionError" && error.reason.operation !== "connect")

const unavailability = (error: SqlError): Unavailability => {
  if (["LockTimeoutError", "StatementTimeoutError"].includes(error.reason._tag)) return "busy"
  if (isLost(error)) return "lost"
  const code = codeOf(error)
  return /^(53100|58)/.test(code) ? "full" : code.startsWith("53") ? "busy" : "away"
}

/**
 * Returns the defect for a database error: `StoreUnavailable` if the database is unavailable, else the error itself.
 */
export const toDefect = (error: SqlError): SqlError | StoreUnavailable =>
  isUnavailable(error) ? new StoreUnavailable({ reason: unavailability(error), cause: error }) : error

/**
 * Returns whether the server refused a connection because its connection limit is reached. Then it has executed
 * nothing.
 */
export const isOutOfConnections = (error: SqlError): boolean => codeOf(error) === "53300"

const lastPause = 6

/**
 * Retries an effect with backoff while the server has no free connection, for about 1.25 seconds in total.
 *
 * `failing` handles every other failure, and the failure of the last attempt.
 */
const queuedOr = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  failing: (error: E) => Effect.Effect<never, E2>
): Effect.Effect<A, E2, R> => {
  const attempt = (number: number): Effect.Effect<A, E2, R> =>
    Effect.catch(effect, (error) =>
      number <= lastPause && isSqlError(error) && isOutOfConnections(error)
        ? Effect.andThen(pause(number), attempt(number + 1))
        : failing(error)
    )
  return attempt(1)
}

/**
 * Retries an effect while the server has no free connection, for about 1.25 seconds. Other failures are returned
 * unchanged.
 */
export const retryUntilConnected = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  queuedOr(effect, Effect.fail)

const pause = (number: number): Effect.Effect<void> =>
  Effect.flatMap(Random.nextBetween(0.5, 1.5), (chance) => Effect.sleep(chance * 20 * 2 ** (number - 1))).pipe(
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )

/** Turns every database error into a defect, because callers of a port cannot handle it. Retries like `retryUntilConnected`. */
export const orDieSql = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  queuedOr(effect, (error) =>
    isSqlError(error) ? Effect.die(toDefect(error)) : Effect.fail(error as Exclude<E, SqlError>)
  )

/**
 * Maps the violation of one named unique constraint to a domain error. Other failures are returned unchanged.
 *
 * PostgreSQL aborts the transaction at the violation. To recover inside the same transaction, wrap the statement in a
 * nested one, or use `ON CONFLICT DO NOTHING`.
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
