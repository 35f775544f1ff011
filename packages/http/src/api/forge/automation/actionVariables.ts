import { longestDescription } from "@slipway/domain/forge/automation"
import { Schema } from "effect"
import { settingBody } from "../../bodySizes.ts"
import { done, endpoints, list, read } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { optionalNullable, text } from "../base/schemas.ts"

const value = Schema.String.annotate({ description: "At most 64 KiB." })
const description = optionalNullable(text(longestDescription))

/** The request body that creates a variable for workflow jobs. */
export const CreateVariableOption = Schema.Struct({ value, description }).annotate({
  identifier: "CreateVariableOption"
})

/** The request body that changes a variable for workflow jobs. */
export const UpdateVariableOption = Schema.Struct({
  name: optionalNullable(text(255).annotate({ description: "The new name; unchanged if omitted." })),
  value,
  description
}).annotate({ identifier: "UpdateVariableOption" })

/** A variable for workflow jobs as returned by the API. */
export const ActionVariable = Schema.Struct({
  owner_id: Schema.Int.annotate({
    description: "The owning user or organization; 0 if a repository owns it."
  }),
  repo_id: Schema.Int.annotate({ description: "The owning repository; 0 if a user or organization owns it." }),
  name: Schema.String,
  data: Schema.String,
  description: Schema.String
}).annotate({ identifier: "ActionVariable" })

const making = done({ body: CreateVariableOption, largest: settingBody, status: 201, errors: [ConflictBody] })
const changing = done({ body: UpdateVariableOption, largest: settingBody, errors: [ConflictBody] })

/** The endpoints of the variables for workflow jobs. */
export const actionVariableEndpoints = endpoints("actionVariables", "Variables of jobs.", {
  "repository.actions.variable.list": list(ActionVariable),
  "repository.actions.variable.read": read(ActionVariable),
  "repository.actions.variable.create": making,
  "repository.actions.variable.set": changing,
  "repository.actions.variable.delete": done(),
  "organization.actions.variable.list": list(ActionVariable),
  "organization.actions.variable.read": read(ActionVariable),
  "organization.actions.variable.create": making,
  "organization.actions.variable.set": changing,
  "organization.actions.variable.delete": done(),
  "account.actions.variable.list": list(ActionVariable),
  "account.actions.variable.read": read(ActionVariable),
  "account.actions.variable.create": making,
  "account.actions.variable.set": changing,
  "account.actions.variable.delete": done()
})
