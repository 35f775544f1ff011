import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { Variable, VariableUuid } from "./Variable.ts"

/**
 * Stores the variables of applications and databases.
 *
 * A database is identified by its owner id, which `ownerOf` returns.
 *
 * Must:
 * - list only the variables of the given application, in the order of insertion
 * - keep one variable per key, separately for previews
 * - add and change several variables in one call
 * - remove a variable only through its application
 * - remove the variables of a removed application
 * - store the variables of databases in the same way
 */
export class VariableStore extends Context.Service<
  VariableStore,
  {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Variable>>
    /**
     * Adds variables and returns the added ones. Skips a variable if its application does not exist, or already has a
     * variable with that key.
     */
    readonly insertMany: (variables: ReadonlyArray<Omit<Variable, "id">>) => Effect.Effect<ReadonlyArray<Variable>>
    /** Replaces the values and the flags of variables; the list must not contain a variable twice. */
    readonly replaceMany: (variables: ReadonlyArray<Variable>) => Effect.Effect<void>
    readonly remove: (application: ApplicationUuid, variable: VariableUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/VariableStore") {}
