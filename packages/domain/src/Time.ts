import { DateTime, Effect } from "effect"

const timeOf = (milliseconds: number): string => DateTime.formatIso(DateTime.makeUnsafe(milliseconds))

/** Returns how many milliseconds are between two times in ISO 8601. */
export const elapsed = (since: string, present: string): number => millisecondsOf(present) - millisecondsOf(since)

/** Returns the milliseconds since 1970 of a time in ISO 8601. */
export const millisecondsOf = (time: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(time))

/** The present time in ISO 8601, UTC, to the millisecond. */
export const now: Effect.Effect<string> = Effect.clockWith((clock) =>
  Effect.succeed(timeOf(clock.currentTimeMillisUnsafe()))
)
