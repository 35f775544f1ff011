import { makeTransaction, Transaction } from "@slipway/domain"
import { Cause, Clock, Effect, Layer, Random } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isLost, queued, toDefect } from "./SqlErrors.ts"

/** How often a transaction is begun in all before its conflict with others becomes a defect. */
const ATTEMPTS = 5

/**
 * Transactions on SQL.
 *
 * Only a transaction as a whole is begun again when it lost against another one (a serialization failure or a
 * deadlock), because PostgreSQL has undone all of it; an attempt within it is a savepoint. An SQL error that was caught
 * without an attempt makes the commit a defect: half of the work is never kept.
 */
export const layerTransaction: Layer.Layer<Transaction, never, SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient, (sql) => {
    const begin = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      toDefects(
        Effect.suspend(() => {
          // A connection that ended since it was last used is found out by the first statement, which asks for nothing yet.
          let began = false
          const work = Effect.suspend(() => {
            began = true
            return effect
          })
          const start = (number: number): Effect.Effect<A, E | SqlError, R> =>
            Effect.catchCause(queued(sql.withTransaction(work)), (cause) => {
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

/** What undoes a transaction dies as the driver says it, when the connection has ended. */
const toDefects = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, E, R> =>
  Effect.catchCause(effect, (cause) => {
    const error = sqlErrorIn(cause)
    return error === undefined ? Effect.failCause(cause as Cause.Cause<E>) : Effect.die(toDefect(error))
  })

/** Stores turn SQL errors into defects, so one may arrive as either. */
const sqlErrorIn = (cause: Cause.Cause<unknown>): SqlError | undefined => {
  if (Cause.hasInterrupts(cause)) return undefined
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (isSqlError(error)) return error
  }
  return undefined
}

/**
 * Waits 10 ms or so, then 30, 90, 270: by chance more or less, so that two which met once don't meet again.
 *
 * The other transaction goes on in real time, also where a test has stopped Effect's clock.
 */
const pause = (number: number): Effect.Effect<void> =>
  Effect.flatMap(Random.nextBetween(0.5, 1.5), (chance) => Effect.sleep(chance * 10 * 3 ** (number - 1))).pipe(
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )

const isConflict = (error: SqlError): boolean =>
  error.reason._tag === "SerializationError" || error.reason._tag === "DeadlockError"
