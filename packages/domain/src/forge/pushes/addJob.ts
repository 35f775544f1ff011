import { DateTime, type Duration, Effect } from "effect"
import { JobStore, type Work } from "../jobs/Job.ts"

/** Adds work to the running transaction, to be begun by anybody after some time. */
export const addJob = Effect.fnUntraced(function* (work: Work, after: Duration.Duration) {
  const dueAt = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, after))
  return yield* (yield* JobStore).add(work, dueAt)
})
