import { Deferred, Effect } from "effect"

const readings = 20

/**
 * Runs the effect `holder`, and starts the effect `rival` as soon as the holder calls `held`, after it has taken a
 * lock.
 *
 * `reading` is a statement without side effects. `held` repeats it several times, so that a rival that is not blocked
 * has time to run.
 */
export const runConcurrently = <A, E, R, A2, E2, R2, R3>(
  reading: Effect.Effect<unknown, never, R3>,
  holder: (held: Effect.Effect<void, never, R3>) => Effect.Effect<A, E, R>,
  rival: Effect.Effect<A2, E2, R2>
) =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const held = Effect.gen(function* () {
      yield* Deferred.succeed(gate, undefined)
      for (let turn = 0; turn < readings; turn++) {
        yield* reading
        yield* Effect.yieldNow
      }
    })
    return yield* Effect.all([holder(held), Effect.andThen(Deferred.await(gate), rival)], { concurrency: 2 })
  })

/**
 * Runs two effects like `runConcurrently`. Dies if the rival finishes before the holder, which means that the lock of
 * the holder did not block it.
 */
export const runInTurn = <A, E, R, A2, E2, R2, R3>(
  reading: Effect.Effect<unknown, never, R3>,
  holder: (held: Effect.Effect<void, never, R3>) => Effect.Effect<A, E, R>,
  rival: Effect.Effect<A2, E2, R2>
) =>
  Effect.suspend(() => {
    let over = false
    const impatience = Effect.suspend(() => (over ? Effect.die(new Error("the rival did not wait")) : Effect.void))
    return runConcurrently(
      reading,
      (held) => holder(Effect.andThen(held, impatience)),
      Effect.tap(rival, () => Effect.sync(() => (over = true)))
    )
  })
