import { DateTime, Effect } from "effect"

/** The present time in ISO 8601, UTC, to the millisecond. */
export const now: Effect.Effect<string> = Effect.map(DateTime.now, DateTime.formatIso)
