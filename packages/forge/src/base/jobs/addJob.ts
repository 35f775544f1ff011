import { now, timeIn } from "@slipway/domain"
import { JobStore, type Work } from "@slipway/domain/forge/background"
import { Duration, Effect } from "effect"

/** Queues work in the running transaction; a worker begins it after the commit and the given delay. */
export const addJob = Effect.fnUntraced(function* (work: Work, after = Duration.zero) {
  return yield* (yield* JobStore).add(work, yield* timeIn(after))
})

/** Queues several pieces of work in the running transaction; workers begin them after the commit. */
export const addJobs = Effect.fnUntraced(function* (works: ReadonlyArray<Work>) {
  return yield* (yield* JobStore).addMany(works, yield* now)
})
