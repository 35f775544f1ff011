import { type ErasedStore, makeTransaction, type OwnedData, type StoresOf, Transaction } from "@slipway/domain"
import { Context, Effect, Layer } from "effect"
import { Database } from "./Database.ts"
import { type OwnedTable, ownedStore, ownedTables } from "./ownedStore.ts"

/** The declaration of a resource type, with the key of its store. */
export type StoredKind = OwnedData & { readonly store: unknown }

/** Returns the stores of owned resource types (types with generated stores), each under the key in its declaration. */
export const ownedContext = <const Kinds extends ReadonlyArray<StoredKind>>(
  kinds: Kinds,
  database: Database,
  tables: ReadonlyMap<string, OwnedTable>
): Context.Context<StoresOf<Kinds>> =>
  kinds.reduce<Context.Context<never>>((context, kind) => {
    const table = tables.get(kind.name)
    if (table === undefined) throw new Error(`${kind.name} has no table`)
    // BOUNDARY: the key of a kind's store and the store are made from the one declaration.
    const key = kind.store as Context.Service<never, ErasedStore>
    return Context.add(context, key, ownedStore(database, table))
  }, Context.empty()) as Context.Context<StoresOf<Kinds>>

/**
 * Provides stores in memory for owned resource types, with transactions. Their fields must not refer to other tables.
 */
export const layerOwned = <const Kinds extends ReadonlyArray<StoredKind>>(
  kinds: Kinds
): Layer.Layer<StoresOf<Kinds> | Transaction> =>
  Layer.effectContext(
    Effect.sync(() => {
      const database = new Database()
      const tables = ownedTables(kinds, () => undefined)
      return Context.add(
        ownedContext(kinds, database, tables),
        Transaction,
        makeTransaction(database.run, database.run)
      )
    })
  )
