import { VariableKey } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { Message, stamps } from "../base/schemas.ts"
import { Comment, Value } from "./variables.ts"

/** A shared variable as returned by the API: without its value. */
export const SharedVariable = Schema.Struct({
  ...stamps,
  type: Schema.Literals(["team", "project", "environment", "server"]),
  key: Schema.String,
  value: Schema.Null,
  comment: Schema.NullOr(Schema.String),
  is_literal: Schema.Boolean,
  is_multiline: Schema.Boolean,
  is_shown_once: Schema.Boolean
}).annotate({ identifier: "SharedVariable" })

const facts = {
  value: Schema.optionalKey(Schema.NullOr(Value)),
  is_literal: Schema.optionalKey(Schema.Boolean),
  is_multiline: Schema.optionalKey(Schema.Boolean),
  is_shown_once: Schema.optionalKey(Schema.Boolean),
  comment: Schema.optionalKey(Comment)
}

/** The request body that adds a shared variable. */
export const SharedVariableCreation = Schema.Struct({ key: VariableKey, ...facts }).annotate({
  identifier: "SharedVariableCreation"
})

/** The request body that changes a shared variable. */
export const SharedVariableChange = Schema.Struct({ key: Schema.optionalKey(VariableKey), ...facts }).annotate({
  identifier: "SharedVariableChange"
})

const ofProject = { project_uuid: Schema.String }
const ofEnvironment = { ...ofProject, environment: Schema.String }
const ofServer = { server_uuid: Schema.String }

const endpointsOf = <
  const Of extends string,
  const Path extends `/${string}`,
  const Params extends Schema.Struct.Fields
>(
  of: Of,
  path: Path,
  params: Params
) => {
  const one = { ...params, env_id: Schema.String }
  const row = SharedVariable
  return [
    HttpApiEndpoint.get(`${of}List`, path, { params, success: Schema.Array(row), error: NotFoundBody })
      .annotate(OpenApi.Summary, `List the shared variables of ${articles[of]}, without their values`)
      .pipe(access("sharedVariable.list")),
    HttpApiEndpoint.post(`${of}Create`, path, {
      params,
      payload: SharedVariableCreation,
      success: row.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, ConflictBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, `Add a variable that the applications of ${articles[of]} can reference`)
      .pipe(access("sharedVariable.create")),
    HttpApiEndpoint.patch(`${of}Update`, `${path}/:env_id`, {
      params: one,
      payload: SharedVariableChange,
      success: row,
      error: [...bodyErrors, ConflictBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, `Change a shared variable of ${articles[of]}, by number or UUID`)
      .pipe(access("sharedVariable.update")),
    HttpApiEndpoint.delete(`${of}Remove`, `${path}/:env_id`, { params: one, success: Message, error: NotFoundBody })
      .annotate(OpenApi.Summary, `Remove a shared variable of ${articles[of]}`)
      .pipe(access("sharedVariable.delete"))
  ] as const
}

const articles: Readonly<Record<string, string>> = {
  team: "the team",
  project: "a project",
  environment: "an environment",
  server: "a server"
}

/** The endpoints of the variables that applications share. */
export class SharedVariablesApi extends HttpApiGroup.make("sharedVariables")
  .add(
    ...endpointsOf("team", "/team/envs", {}),
    ...endpointsOf("project", "/projects/:project_uuid/envs", ofProject),
    ...endpointsOf("environment", "/projects/:project_uuid/environments/:environment/envs", ofEnvironment),
    ...endpointsOf("server", "/servers/:server_uuid/envs", ofServer)
  )
  .annotate(
    OpenApi.Description,
    "Variables of the team, projects, environments and servers. Values of applications reference them as `{{project.KEY}}`."
  ) {}
