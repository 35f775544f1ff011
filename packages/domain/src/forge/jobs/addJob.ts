import { DateTime, Duration, Effect } from "effect"
import { JobStore, type Work } from "./Job.ts"

/** Returns the moment that lies a time ahead. */
export const later = (duration: Duration.Duration) =>
  Effect.map(DateTime.now, (at) => DateTime.formatIso(DateTime.addDuration(at, duration)))

/** Adds work to the running transaction, to be done once it is committed. */
export const add = Effect.fnUntraced(function* (work: Work) {
  return yield* (yield* JobStore).add(work, yield* later(Duration.zero))
})

/** Adds works to the running transaction, to be done once it is committed. */
export const addMany = Effect.fnUntraced(function* (works: ReadonlyArray<Work>) {
  if (works.length > 0) yield* (yield* JobStore).addMany(works, yield* later(Duration.zero))
})
