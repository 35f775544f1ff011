import { Context, Effect } from "effect"

/**
 * The users and resources for which the current work is done, as keys such as `caller:7` and `repository:3`.
 *
 * Queues for scarce resources, such as threads, share the capacity fairly between these keys (invariant I25). Work
 * without keys shares one slot with all other work of unknown origin.
 */
export const WorkShares = Context.Reference<ReadonlyArray<string>>("@slipway/domain/WorkShares", {
  defaultValue: () => []
})

/** Runs work for the users and resources with the given keys, so that fair queues count it for them. */
export const forShares =
  (keys: ReadonlyArray<string>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(work, WorkShares, keys)
