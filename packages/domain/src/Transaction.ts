import { Context, Effect } from "effect"

type Runs = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Runs effects so that all of their writes happen, or none.
 *
 * `run` begins a transaction, or joins the running one: a use case called by another shares its transaction at no extra
 * cost. If a caller catches a failure and continues the transaction, it wraps the failing part in `attempt`.
 * `afterCommit` is for hints: a process interrupted right after the commit skips them.
 *
 * Must:
 * - keep every write when the effect succeeds
 * - roll back every write when the effect fails
 * - roll back every write when the effect dies
 * - roll back every write when the effect is interrupted
 * - roll back only the writes of a failed attempt when the transaction continues
 * - keep no write of a nested run that fails, even if its failure is caught
 * - hide the writes of a transaction from other transactions until it ends
 * - run after-commit effects when every write is kept, and skip them after a rollback
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly attempt: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs an effect once the transaction is committed; immediately if none is running. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@slipway/domain/Transaction") {}

/** A running transaction, or an attempt (savepoint) within one. `failed` is true if an effect in it has failed. */
interface Running {
  failed: boolean
  readonly afterCommit: Array<Effect.Effect<void>>
}

/** The running transactions of the current fiber, by the service that started them. */
const Present = Context.Reference<ReadonlyMap<object, Running>>("@slipway/domain/Transaction/Present", {
  defaultValue: () => new Map()
})

/**
 * Creates the transaction service from functions of an adapter: `begin` runs an effect in a transaction, `nest` runs an
 * effect in a savepoint within it.
 */
export const makeTransaction = (begin: Runs, nest: Runs): Transaction["Service"] => {
  const self = {}
  const whole = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    // Running the effect again starts from a clean state.
    Effect.suspend(() => {
      const running: Running = { failed: false, afterCommit: [] }
      return Effect.updateService(effect, Present, (present) => new Map(present).set(self, running)).pipe(
        Effect.flatMap((value) =>
          running.failed
            ? Effect.die(new Error("a failure within a transaction was caught outside of `attempt`"))
            : Effect.succeed({ value, afterCommit: running.afterCommit })
        )
      )
    })
  const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(begin(whole(effect)), ({ afterCommit, value }) =>
      Effect.as(Effect.all(afterCommit, { discard: true }), value)
    )
  const nested = <A, E, R>(effect: Effect.Effect<A, E, R>, outer: Running) =>
    Effect.map(nest(whole(effect)), ({ afterCommit, value }) => {
      outer.afterCommit.push(...afterCommit)
      return value
    })
  const present = <A, E, R>(use: (running: Running | undefined) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(Present, (all) => use(all.get(self)))
  return {
    run: (effect) =>
      present((running) =>
        running === undefined
          ? outermost(effect)
          : Effect.onError(effect, () =>
              Effect.sync(() => {
                running.failed = true
              })
            )
      ),
    attempt: (effect) => present((running) => (running === undefined ? outermost(effect) : nested(effect, running))),
    afterCommit: (effect) =>
      present((running) => (running === undefined ? effect : Effect.sync(() => running.afterCommit.push(effect))))
  }
}
