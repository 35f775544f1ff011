import { Context, Effect, Layer, PubSub, type Scope } from "effect"
import { Transaction } from "../../../Transaction.ts"

/** Notifies the workers of this process of new work, so that they do not wait for their next poll. */
export class WorkSignal extends Context.Service<
  WorkSignal,
  {
    /** Wakes every worker. */
    readonly notify: Effect.Effect<void>
    /** Returns an effect that waits until the next notification since the last wait. */
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

/** Wakes the workers of this process once the current transaction is committed. */
export const notifyWorkers = Effect.gen(function* () {
  yield* (yield* Transaction).afterCommit((yield* WorkSignal).notify)
})

/** The maximum poll interval of workers: other processes add work as well. */
export const looksAreApart = "1 second"
