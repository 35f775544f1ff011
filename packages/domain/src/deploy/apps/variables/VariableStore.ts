import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { Variable, VariableUuid } from "./Variable.ts"

/**
 * Keeps the variables of applications.
 *
 * Must:
 * - list the variables of one application alone, in the order of their insertion
 * - keep one variable of a key, for previews apart
 * - add and change several variables at once
 * - remove a variable of its application alone
 * - forget the variables of an application that is removed
 */
export class VariableStore extends Context.Service<
  VariableStore,
  {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Variable>>
    /** Adds variables and returns the added ones: those with an existing application that has none of that key. */
    readonly insertMany: (variables: ReadonlyArray<Omit<Variable, "id">>) => Effect.Effect<ReadonlyArray<Variable>>
    /** Replaces the values and the flags of variables, each of which is named once. */
    readonly replaceMany: (variables: ReadonlyArray<Variable>) => Effect.Effect<void>
    readonly remove: (application: ApplicationUuid, variable: VariableUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/VariableStore") {}
