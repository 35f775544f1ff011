import { Context, Effect, Layer, PubSub, type Scope } from "effect"
import { Transaction } from "../../../Transaction.ts"

/** Notifies the workers of this process about new jobs, so that they do not wait for their next poll. */
export class WorkSignal extends Context.Service<
  WorkSignal,
  {
    /** Wakes every worker. */
    readonly notify: Effect.Effect<void>
    /**
     * Subscribes to notifications; the returned effect waits for the next one, or returns if one arrived since then.
     */
    readonly subscribe: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  }
>()("@slipway/domain/deploy/WorkSignal") {
  static readonly layer = Layer.effect(
    WorkSignal,
    Effect.map(PubSub.sliding<void>(1), (signals) => ({
      notify: Effect.asVoid(PubSub.publish(signals, undefined)),
      subscribe: Effect.map(PubSub.subscribe(signals), PubSub.take)
    }))
  )
}

/** Wakes the workers of this process after the commit of the current transaction. */
export const notifyWorkers = Effect.gen(function* () {
  yield* (yield* Transaction).afterCommit((yield* WorkSignal).notify)
})

/** The poll interval of workers; they also poll because notifications do not reach them from other processes. */
export const looksAreApart = "1 second"
