import { DateTime, type Duration, Effect } from "effect"

/** Formats a time as ISO 8601 in UTC, from milliseconds since 1970 or another time value. */
export const timeOf = (moment: DateTime.DateTime.Input): string => DateTime.formatIso(DateTime.makeUnsafe(moment))

/** Returns the milliseconds from one ISO 8601 time to another. */
export const elapsedMilliseconds = (since: string, present: string): number =>
  millisecondsOf(present) - millisecondsOf(since)

/** Returns the milliseconds since 1970 of a time in ISO 8601. */
export const millisecondsOf = (time: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(time))

/** Returns the whole seconds since 1970 of a time in ISO 8601. */
export const secondsOf = (time: string): number => Math.floor(millisecondsOf(time) / 1_000)

/** The current time in ISO 8601, UTC, to the millisecond. */
export const now: Effect.Effect<string> = Effect.clockWith((clock) =>
  Effect.succeed(timeOf(clock.currentTimeMillisUnsafe()))
)

/** Returns the current time plus a duration. */
export const timeIn = (duration: Duration.Input): Effect.Effect<string> =>
  Effect.map(DateTime.now, (present) => DateTime.formatIso(DateTime.addDuration(present, duration)))

/** Returns the current time minus a duration. */
export const timeAgo = (duration: Duration.Input): Effect.Effect<string> =>
  Effect.map(DateTime.now, (present) => DateTime.formatIso(DateTime.subtractDuration(present, duration)))
