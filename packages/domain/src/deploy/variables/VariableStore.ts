import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { Variable, VariableUuid } from "./Variable.ts"

/**
 * Keeps the variables of applications.
 *
 * Must:
 * - list the variables of one application alone, in the order of their insertion
 * - keep one variable of a key, for previews apart
 * - remove a variable of its application alone
 * - forget the variables of an application that is removed
 */
export class VariableStore extends Context.Service<
  VariableStore,
  {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Variable>>
    /** Adds a variable; nothing when its application has one of that key. */
    readonly insert: (variable: Omit<Variable, "id">) => Effect.Effect<Variable | undefined>
    /** Replaces the value and the flags of a variable. */
    readonly replace: (variable: Variable) => Effect.Effect<void>
    readonly remove: (application: ApplicationUuid, variable: VariableUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/VariableStore") {}
