import { Context, type Effect } from "effect"

/**
 * Runs effects so that all of their writes happen, or none.
 *
 * Must:
 * - keep every write when the effect succeeds
 * - undo every write when the effect fails
 * - undo every write when the effect dies
 * - undo every write when the effect is interrupted
 * - undo only the inner writes when an inner transaction fails and the outer one goes on
 * - hide the writes of a transaction from others until it ends
 */
export class Transaction extends Context.Service<
  Transaction,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("@slipway/domain/Transaction") {}
