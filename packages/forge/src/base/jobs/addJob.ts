import { now, timeIn } from "@slipway/domain"
import { JobStore, type Work } from "@slipway/domain/forge/background"
import { Duration, Effect } from "effect"

/** Adds work to the running transaction, to be begun by anybody once it is committed, or some time later. */
export const addJob = Effect.fnUntraced(function* (work: Work, after = Duration.zero) {
  return yield* (yield* JobStore).add(work, yield* timeIn(after))
})

/** Adds several pieces of work to the running transaction, to be begun once it is committed. */
export const addJobs = Effect.fnUntraced(function* (works: ReadonlyArray<Work>) {
  return yield* (yield* JobStore).addMany(works, yield* now)
})
