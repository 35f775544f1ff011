import { DateTime, Duration, Effect } from "effect"
import { JobStore, type Work } from "./Job.ts"

/** Returns the moment that lies a time ahead. */
export const later = (duration: Duration.Duration) =>
  Effect.map(DateTime.now, (at) => DateTime.formatIso(DateTime.addDuration(at, duration)))

/** Adds work to the running transaction, to be begun by anybody once it is committed, or some time later. */
export const addJob = Effect.fnUntraced(function* (work: Work, after = Duration.zero) {
  return yield* (yield* JobStore).add(work, yield* later(after))
})

/** Adds several pieces of work to the running transaction, to be begun once it is committed. */
export const addJobs = Effect.fnUntraced(function* (works: ReadonlyArray<Work>) {
  return yield* (yield* JobStore).addMany(works, yield* later(Duration.zero))
})
