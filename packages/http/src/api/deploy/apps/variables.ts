import { longestComment, longestValue, text, VariableKey } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { createdAnswer, Message, stamps } from "../base/schemas.ts"

/** An environment variable; its value is null if the token lacks `read:sensitive` or if `is_shown_once` is true. */
export const EnvironmentVariable = Schema.Struct({
  ...stamps,
  key: Schema.String,
  value: Schema.NullOr(Schema.String),
  real_value: Schema.NullOr(Schema.String),
  comment: Schema.NullOr(Schema.String),
  resourceable_type: Schema.Literals(["application", "database", "service"]),
  resourceable_id: Schema.Number,
  is_shared: Schema.Literal(false),
  resourceable_uuid: Schema.String,
  is_buildtime: Schema.Boolean,
  is_runtime: Schema.Boolean,
  is_literal: Schema.Boolean,
  is_multiline: Schema.Boolean,
  is_shown_once: Schema.Boolean,
  is_preview: Schema.Boolean,
  /** The version of the deployment platform. */
  version: Schema.String
}).annotate({ identifier: "EnvironmentVariable" })

/** The schema of a variable's value. */
export const Value = text(longestValue)

/** The schema of a variable's comment. */
export const Comment = Schema.NullOr(text(longestComment))

/**
 * A variable in a request.
 *
 * Omitted flags of a new variable are false, except that builds and containers get the variable by default.
 */
export const VariableBody = Schema.Struct({
  key: VariableKey,
  value: Value,
  is_literal: Schema.optionalKey(Schema.Boolean),
  is_multiline: Schema.optionalKey(Schema.Boolean),
  is_shown_once: Schema.optionalKey(Schema.Boolean),
  is_preview: Schema.optionalKey(Schema.Boolean),
  is_buildtime: Schema.optionalKey(Schema.Boolean),
  /** The former name of `is_buildtime`, which Coolify's Terraform provider sends. */
  is_build_time: Schema.optionalKey(Schema.Boolean),
  is_runtime: Schema.optionalKey(Schema.Boolean),
  comment: Schema.optionalKey(Comment)
})
  .check(
    Schema.makeFilter((body: { readonly is_buildtime?: boolean; readonly is_build_time?: boolean }) =>
      body.is_buildtime === undefined || body.is_build_time === undefined
        ? undefined
        : { path: ["is_build_time"], issue: "Is another name of is_buildtime: send one of them." }
    )
  )
  .annotate({ identifier: "VariableBody" })

/** A request with several variables, which are set atomically: all of them or none. */
export const VariablesBody = Schema.Struct({
  data: Schema.Array(VariableBody).check(Schema.isMaxLength(1_000, { message: "Must have at most 1000 entries." }))
}).annotate({ identifier: "VariablesBody" })

const databaseVariable = {
  key: VariableKey,
  value: Value,
  is_literal: Schema.optionalKey(Schema.Boolean),
  is_multiline: Schema.optionalKey(Schema.Boolean),
  is_shown_once: Schema.optionalKey(Schema.Boolean),
  comment: Schema.optionalKey(Comment)
}

/** A variable of a database in a request; omitted flags of a new variable are false. */
export const DatabaseVariableBody = Schema.Struct(databaseVariable).annotate({ identifier: "DatabaseVariableBody" })

/** A request with several variables of a database, which are set atomically: all of them or none. */
export const DatabaseVariablesBody = Schema.Struct({
  data: Schema.Array(DatabaseVariableBody).check(
    Schema.isMaxLength(1_000, { message: "Must have at most 1000 entries." })
  )
}).annotate({ identifier: "DatabaseVariablesBody" })

const uuid = { uuid: Schema.String }
const changed = { params: uuid, error: [...bodyErrors, ConflictBody, NotFoundBody] }

/** The requests and responses of the endpoints for the variables of applications and services. */
export const variableEndpoints = {
  list: { params: uuid, success: Schema.Array(EnvironmentVariable), error: NotFoundBody },
  create: { ...changed, payload: VariableBody, success: createdAnswer },
  update: { ...changed, payload: VariableBody, success: EnvironmentVariable.pipe(HttpApiSchema.status(201)) },
  bulk: {
    ...changed,
    payload: VariablesBody,
    success: Schema.Array(EnvironmentVariable).pipe(HttpApiSchema.status(201))
  },
  remove: { params: { ...uuid, env_uuid: Schema.String }, success: Message, error: NotFoundBody }
} as const

/** The requests and responses of the endpoints of variables of databases. */
export const databaseVariableEndpoints = {
  ...variableEndpoints,
  create: { ...variableEndpoints.create, payload: DatabaseVariableBody },
  update: { ...variableEndpoints.update, payload: DatabaseVariableBody },
  bulk: { ...variableEndpoints.bulk, payload: DatabaseVariablesBody }
} as const

/** The endpoints of the environment variables of an application. */
export class VariablesApi extends HttpApiGroup.make("variables")
  .add(
    HttpApiEndpoint.get("list", "/applications/:uuid/envs", variableEndpoints.list)
      .annotate(
        OpenApi.Summary,
        "List the variables of an application, with their values for tokens with `read:sensitive`"
      )
      .pipe(access("application.read")),
    HttpApiEndpoint.post("create", "/applications/:uuid/envs", variableEndpoints.create)
      .annotate(OpenApi.Summary, "Add a variable")
      .pipe(access("application.update")),
    HttpApiEndpoint.patch("update", "/applications/:uuid/envs", variableEndpoints.update)
      .annotate(OpenApi.Summary, "Change a variable by its key")
      .pipe(access("application.update")),
    HttpApiEndpoint.patch("bulk", "/applications/:uuid/envs/bulk", variableEndpoints.bulk)
      .annotate(OpenApi.Summary, "Set several variables, all or none")
      .pipe(access("application.update")),
    HttpApiEndpoint.delete("remove", "/applications/:uuid/envs/:env_uuid", variableEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a variable")
      .pipe(access("application.variable.delete"))
  )
  .annotate(OpenApi.Description, "Environment variables of applications: write-only and encrypted.") {}
