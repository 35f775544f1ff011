import { now, timeIn } from "@slipway/domain"
import { JobStore, type Work } from "@slipway/domain/forge/background"
import { Duration, Effect } from "effect"

/**
 * Queues a background job in the current transaction. A worker starts it after the commit, not before the given delay.
 */
export const addJob = Effect.fnUntraced(function* (work: Work, after = Duration.zero) {
  return yield* (yield* JobStore).add(work, yield* timeIn(after))
})

/** Queues several background jobs in the current transaction. Workers start them after the commit. */
export const addJobs = Effect.fnUntraced(function* (works: ReadonlyArray<Work>) {
  return yield* (yield* JobStore).addMany(works, yield* now)
})
