import type { ErasedStore, OwnedData, StoresOf } from "@slipway/domain"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ownedStore } from "./store.ts"

/** Provides the stores of owned resource types (types with generated stores), each in its database table. */
export const layerOwned = <const Kinds extends ReadonlyArray<OwnedData & { readonly store: unknown }>>(
  kinds: Kinds
): Layer.Layer<StoresOf<Kinds>, never, SqlClient> =>
  Layer.effectContext(
    Effect.map(
      SqlClient,
      (sql) =>
        kinds.reduce<Context.Context<never>>(
          // BOUNDARY: the key of a kind's store and the store are made from the one declaration.
          (context, kind) =>
            Context.add(context, kind.store as Context.Service<never, ErasedStore>, ownedStore(sql, kind)),
          Context.empty()
        ) as Context.Context<StoresOf<Kinds>>
    )
  )
