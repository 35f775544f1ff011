import { Context, type Effect } from "effect"
import type { SharedOwner, SharedVariable, SharedVariableUuid } from "./SharedVariable.ts"

/**
 * Keeps the variables that applications share.
 *
 * Must:
 * - list the shared variables of some owners alone, in the order of their insertion
 * - keep one shared variable of a key for each owner
 * - keep the changes of a shared variable apart that are made at once
 * - remove a shared variable once
 * - forget the shared variables of an owner that is removed
 */
export class SharedVariableStore extends Context.Service<
  SharedVariableStore,
  {
    readonly ofOwners: (owners: ReadonlyArray<SharedOwner>) => Effect.Effect<ReadonlyArray<SharedVariable>>
    /** Adds a shared variable; nothing when its owner has one of that key. */
    readonly insert: (variable: Omit<SharedVariable, "id">) => Effect.Effect<SharedVariable | undefined>
    /** Finds a shared variable and locks it until the transaction ends. */
    readonly lock: (variable: SharedVariableUuid) => Effect.Effect<SharedVariable | undefined>
    /** Replaces a shared variable; false when its owner has another with that key. */
    readonly replace: (variable: SharedVariable) => Effect.Effect<boolean>
    readonly remove: (variable: SharedVariableUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/SharedVariableStore") {}
