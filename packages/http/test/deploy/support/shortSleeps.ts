import { Clock, Duration, Effect, Layer } from "effect"

/** A clock that is right, and by which everybody sleeps a tenth of their time: a service looks ten times as often. */
export const shortSleeps = Layer.effect(
  Clock.Clock,
  Effect.map(
    Clock.Clock,
    (clock): Clock.Clock => ({
      sleep: (duration) => clock.sleep(Duration.divideUnsafe(duration, 10)),
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos
    })
  )
)
