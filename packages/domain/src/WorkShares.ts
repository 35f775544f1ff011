import { Context, Effect } from "effect"

/**
 * For whom the running work is done, as keys such as `caller:7` and `repository:3`.
 *
 * Queues in front of scarce resources, such as threads, are fair by these keys (invariant I25). Without any, work has one share with all
 * other work of unknown origin.
 */
export const WorkShares = Context.Reference<ReadonlyArray<string>>("@slipway/domain/WorkShares", {
  defaultValue: () => []
})

/** Does work for whom these keys name. */
export const forShares =
  (keys: ReadonlyArray<string>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(work, WorkShares, keys)
