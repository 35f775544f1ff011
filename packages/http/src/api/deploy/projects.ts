import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { BadRequestBody, ConflictBody, NotFoundBody } from "./errors.ts"
import { CreatedUuid, Description, Message, Name, pageQuery, stamps } from "./schemas.ts"

/** A project as it is shown. */
export const Project = Schema.Struct({ ...stamps, name: Schema.String, description: Schema.String }).annotate({
  identifier: "Project"
})

/** An environment as it is shown. */
export const Environment = Schema.Struct({
  ...stamps,
  project_uuid: Schema.String,
  name: Schema.String,
  description: Schema.String
}).annotate({ identifier: "Environment" })

const uuid = { uuid: Schema.String }
const inProject = { ...uuid, environment: Schema.String }
const created = CreatedUuid.pipe(HttpApiSchema.status(201))
const creation = Schema.Struct({ name: Name, description: Schema.optionalKey(Description) })
const change = Schema.Struct({ name: Schema.optionalKey(Name), description: Schema.optionalKey(Description) })
const invalid = [BadRequestBody, NotFoundBody, ConflictBody] as const

/** The endpoints of projects and their environments. */
export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", "/projects", {
      query: pageQuery,
      success: Schema.Array(Project),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List projects")
      .pipe(access("project.list")),
    HttpApiEndpoint.post("create", "/projects", { payload: creation, success: created, error: BadRequestBody })
      .annotate(OpenApi.Summary, "Create a project with an environment named production")
      .pipe(access("project.create")),
    HttpApiEndpoint.get("get", "/projects/:uuid", { params: uuid, success: Project, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a project")
      .pipe(access("project.read")),
    HttpApiEndpoint.patch("update", "/projects/:uuid", {
      params: uuid,
      payload: change,
      success: Project,
      error: invalid
    })
      .annotate(OpenApi.Summary, "Change a project")
      .pipe(access("project.update")),
    HttpApiEndpoint.delete("delete", "/projects/:uuid", { params: uuid, success: Message, error: invalid })
      .annotate(OpenApi.Summary, "Delete a project that nothing runs in")
      .pipe(access("project.delete")),
    HttpApiEndpoint.get("listEnvironments", "/projects/:uuid/environments", {
      params: uuid,
      success: Schema.Array(Environment),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the environments of a project")
      .pipe(access("environment.list")),
    HttpApiEndpoint.post("createEnvironment", "/projects/:uuid/environments", {
      params: uuid,
      payload: creation,
      success: created,
      error: invalid
    })
      .annotate(OpenApi.Summary, "Create an environment")
      .pipe(access("environment.create")),
    HttpApiEndpoint.get("getEnvironment", "/projects/:uuid/environments/:environment", {
      params: inProject,
      success: Environment,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read an environment by its name or uuid")
      .pipe(access("environment.read")),
    HttpApiEndpoint.patch("updateEnvironment", "/projects/:uuid/environments/:environment", {
      params: inProject,
      payload: change,
      success: Environment,
      error: invalid
    })
      .annotate(OpenApi.Summary, "Change an environment")
      .pipe(access("environment.update")),
    HttpApiEndpoint.delete("deleteEnvironment", "/projects/:uuid/environments/:environment", {
      params: inProject,
      success: Message,
      error: invalid
    })
      .annotate(OpenApi.Summary, "Delete an environment that nothing runs in")
      .pipe(access("environment.delete")),
    HttpApiEndpoint.get("getEnvironmentShort", "/projects/:uuid/:environment", {
      params: inProject,
      success: Environment,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read an environment by its name or uuid")
      .pipe(access("environment.read"))
  )
  .annotate(OpenApi.Description, "Projects, each with one or more environments.") {}
