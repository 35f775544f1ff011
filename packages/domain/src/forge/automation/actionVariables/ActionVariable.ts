import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import { holders } from "../runners/Reach.ts"
import { holderColumns, type OwnedByHolder } from "../runners/secretsAndVariables.ts"

/** A text that jobs receive under its name. */
export interface ActionVariable extends OwnedByHolder {
  readonly id: number
  /** Its name in upper case, unique in its place. */
  readonly name: string
  readonly value: string
  readonly description: string
  readonly createdAt: string
}

/** The variables of repositories and of owners. */
export const actionVariables = owned<ActionVariable>()("actionVariable", {
  within: holders,
  fields: {
    ...holderColumns,
    name: Fields.text(),
    value: Fields.text(),
    description: Fields.text(),
    createdAt: Fields.time()
  },
  orders: { name: ascending("name") },
  unique: { name: ["holder", "name"] }
})

/** The maximum number of variables of one repository, owner or site. */
export const mostActionVariables = 100
/** The maximum length of a variable, in bytes. */
export const longestActionVariable = 65_536

/** Reports that no variable with this name exists in the place. */
export class ActionVariableNotFound extends Schema.TaggedError<ActionVariableNotFound>()("ActionVariableNotFound", {
  name: Schema.String
}) {}
/** Reports that another variable of the place has that name. */
export class ActionVariableTaken extends Schema.TaggedError<ActionVariableTaken>()("ActionVariableTaken", {
  name: Schema.String
}) {}
