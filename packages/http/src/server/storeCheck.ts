import { StoreUnavailable } from "@slipway/domain"
import { Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"

/** What a service knows of the place that keeps its data. */
export interface StoreChecking {
  /** Tells whether the store answers, within a second. */
  readonly answers: Effect.Effect<boolean>
  /** Whether the store may fall silent, as one behind a network can, so that requests don't wait for it forever. */
  readonly maySilence: boolean
}

/** The check of the store that a service has; one that always answers, unless `layerStoreCheck` provides another. */
export const StoreCheck = Context.Reference<StoreChecking>("@slipway/http/StoreCheck", {
  defaultValue: () => ({ answers: Effect.succeed(true), maySilence: false })
})

const timeout = "1 second"
// Together with the look that follows, less than two seconds.
const untilLook = "800 millis"

/** Provides the check of a store: `store` is any effect that fails or dies when the store can't be used. */
export const layerStoreCheck = <E, R>(
  store: Effect.Effect<unknown, E, R>,
  { maySilence }: Pick<StoreChecking, "maySilence">
): Layer.Layer<never, never, R> =>
  Layer.effect(
    StoreCheck,
    Effect.map(Effect.context<R>(), (services) => {
      let looking: Deferred.Deferred<boolean> | undefined
      const look = Effect.gen(function* () {
        const fiber = yield* Effect.forkDetach(Effect.exit(Effect.provideContext(store, services)))
        const exit = yield* Effect.timeoutOption(Fiber.join(fiber), timeout)
        // A statement that isn't answered takes seconds to give up, for which nobody waits.
        fiber.interruptUnsafe()
        return exit._tag === "Some" && Exit.isSuccess(exit.value)
      })
      // One look serves all who ask meanwhile: a store that is in trouble isn't asked by each of them.
      const answers = Effect.suspend(() => {
        if (looking !== undefined) return Deferred.await(looking)
        const answer = Deferred.makeUnsafe<boolean>()
        looking = answer
        const settle = (answered: boolean) =>
          Effect.sync(() => {
            looking = undefined
            Deferred.doneUnsafe(answer, Effect.succeed(answered))
          })
        return Effect.andThen(Effect.forkDetach(Effect.flatMap(look, settle)), Deferred.await(answer))
      })
      return { answers, maySilence }
    })
  )

/** Answers a request as long as the store does: fails it with `StoreUnavailable` when that is silent, and waits for nothing. */
export const whileAnswered = <A, E, R>(
  { answers, maySilence }: StoreChecking,
  request: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  if (!maySilence) return request
  const silence: Effect.Effect<void> = Effect.flatMap(Effect.delay(answers, untilLook), (answered) =>
    answered ? silence : Effect.void
  )
  return Effect.flatMap(Effect.context<R>(), (services) =>
    Effect.callback<A, E>((resume) => {
      const run = Effect.runForkWith(services)
      const answering = run(request)
      const watching = run(silence)
      answering.addObserver((exit) => {
        watching.interruptUnsafe()
        resume(exit)
      })
      watching.addObserver((exit) => {
        if (!Exit.isSuccess(exit)) return
        resume(Effect.die(new StoreUnavailable({ cause: "no answer" })))
        answering.interruptUnsafe()
      })
      return Fiber.interruptAll([answering, watching])
    })
  )
}
