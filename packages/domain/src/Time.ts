import { Clock, Effect } from "effect"

/** The present time in ISO 8601, UTC, to the millisecond. */
export const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (present) =>
  new Date(present).toISOString()
)
