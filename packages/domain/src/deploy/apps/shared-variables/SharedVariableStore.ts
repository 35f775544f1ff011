import { Context, type Effect } from "effect"
import type { SharedOwner, SharedVariable, SharedVariableUuid } from "./SharedVariable.ts"

/**
 * Stores the variables that applications share.
 *
 * Must:
 * - list only the shared variables of the given owners, in the order of insertion
 * - keep one shared variable per key and owner
 * - keep every one of several concurrent changes to a shared variable
 * - remove a shared variable once
 * - remove the shared variables of a removed owner
 */
export class SharedVariableStore extends Context.Service<
  SharedVariableStore,
  {
    readonly ofOwners: (owners: ReadonlyArray<SharedOwner>) => Effect.Effect<ReadonlyArray<SharedVariable>>
    /** Adds a shared variable; does nothing if the owner already has a variable with the same key. */
    readonly insert: (variable: Omit<SharedVariable, "id">) => Effect.Effect<SharedVariable | undefined>
    /** Finds a shared variable and locks it until the transaction ends. */
    readonly lock: (variable: SharedVariableUuid) => Effect.Effect<SharedVariable | undefined>
    /** Replaces a shared variable. Returns false if the owner has another variable with the same key. */
    readonly replace: (variable: SharedVariable) => Effect.Effect<boolean>
    readonly remove: (variable: SharedVariableUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/SharedVariableStore") {}
