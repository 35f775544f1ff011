import { makeTransaction, Transaction } from "@slipway/domain"
import { Cause, Clock, Effect, Layer, Random } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isLost, retryUntilConnected, toDefect } from "./SqlErrors.ts"

/** The maximum number of attempts of a transaction. After the last one, a conflict becomes a defect. */
const ATTEMPTS = 5

/**
 * Runs transactions in an SQL database.
 *
 * Only the outermost transaction is retried after a serialization failure or a deadlock, because PostgreSQL has rolled
 * back all of it. A nested transaction is a savepoint. If the code catches an SQL error outside of a nested
 * transaction, the commit becomes a defect, so that partial work is never committed.
 */
export const layerTransaction: Layer.Layer<Transaction, never, SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient, (sql) => {
    const begin = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      toDefects(
        Effect.suspend(() => {
          // The first statement, which has no effect yet, detects a lost connection.
          let began = false
          const work = Effect.suspend(() => {
            began = true
            return effect
          })
          const start = (number: number): Effect.Effect<A, E | SqlError, R> =>
            Effect.catchCause(retryUntilConnected(sql.withTransaction(work)), (cause) => {
              const error = sqlErrorIn(cause)
              const mayGoWell = error !== undefined && (isConflict(error) || (!began && isLost(error)))
              return number < ATTEMPTS && mayGoWell
                ? Effect.andThen(pause(number), start(number + 1))
                : Effect.failCause(cause)
            })
          return start(1)
        })
      )
    return makeTransaction(begin, (effect) => toDefects(sql.withTransaction(effect)))
  })
)

/** Turns SQL errors into defects, including the error of a rollback on a lost connection. */
const toDefects = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, E, R> =>
  Effect.catchCause(effect, (cause) => {
    const error = sqlErrorIn(cause)
    return error === undefined ? Effect.failCause(cause as Cause.Cause<E>) : Effect.die(toDefect(error))
  })

/**
 * Finds the SQL error in a cause. The error may be a failure or a defect, because stores turn SQL errors into defects.
 */
const sqlErrorIn = (cause: Cause.Cause<unknown>): SqlError | undefined => {
  if (Cause.hasInterrupts(cause)) return undefined
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (isSqlError(error)) return error
  }
  return undefined
}

/**
 * Waits before a retry: about 10 ms, then 30, 90 and 270 ms, with jitter, so that two conflicting transactions do not
 * meet again.
 *
 * It uses real time even if a test has stopped Effect's clock, because the other transaction continues in real time.
 */
const pause = (number: number): Effect.Effect<void> =>
  Effect.flatMap(Random.nextBetween(0.5, 1.5), (chance) => Effect.sleep(chance * 10 * 3 ** (number - 1))).pipe(
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )

const isConflict = (error: SqlError): boolean =>
  error.reason._tag === "SerializationError" || error.reason._tag === "DeadlockError"
