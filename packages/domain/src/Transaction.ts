import type { Effect } from "effect"
import { Context } from "effect"

export class Transaction extends Context.Service<
  Transaction,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("@slipway/domain/Transaction") {}
