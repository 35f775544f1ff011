import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import { holders } from "../runners/Reach.ts"
import { holderColumns, type OwnedByHolder } from "../runners/secretsAndVariables.ts"

/** A non-secret variable of a repository, organization or user that workflow jobs receive. */
export interface ActionVariable extends OwnedByHolder {
  readonly id: number
  /** The name in upper case, unique within the repository or owner. */
  readonly name: string
  readonly value: string
  readonly description: string
  readonly createdAt: string
}

/** The table of workflow variables of repositories, organizations and users. */
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

/** Reports that the repository, organization or user has no variable with this name. */
export class ActionVariableNotFound extends Schema.TaggedError<ActionVariableNotFound>()("ActionVariableNotFound", {
  name: Schema.String
}) {}
/** Reports that the repository, organization or user already has a variable with this name. */
export class ActionVariableTaken extends Schema.TaggedError<ActionVariableTaken>()("ActionVariableTaken", {
  name: Schema.String
}) {}
