import { Context, Effect } from "effect"

/**
 * The parties that the running work is done for, as keys such as `caller:7` and `repository:3`.
 *
 * Queues in front of scarce resources, such as threads, are fair by these keys (invariant I25). Work without keys
 * shares one slot with all other work of unknown origin.
 */
export const WorkShares = Context.Reference<ReadonlyArray<string>>("@slipway/domain/WorkShares", {
  defaultValue: () => []
})

/** Runs work on behalf of the given parties. */
export const forShares =
  (keys: ReadonlyArray<string>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(work, WorkShares, keys)
