import { Clock, Duration, Effect, Layer } from "effect"

/** A correct clock on which sleeps take a tenth of their duration: the service polls ten times as often. */
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
