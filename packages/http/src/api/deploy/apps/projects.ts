import { AppRepository, GitBranch, InnerPath } from "@slipway/domain/deploy/apps"
import { ForgeAppUuid, PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadGatewayBody, BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { createdAnswer, Description, listOf, Message, Name, pageQuery, stamps } from "../base/schemas.ts"
import { Resource } from "./resources.ts"

/** An environment as returned by the API. */
export const Environment = Schema.Struct({
  ...stamps,
  project_id: Schema.Number,
  project_uuid: Schema.String,
  name: Schema.String,
  description: Schema.String,
  is_protected: Schema.Boolean.annotate({
    description: "Whether deployments need a role on the environment itself, or an administrator of the team."
  })
}).annotate({ identifier: "Environment" })

/** An environment as returned by the endpoint for one environment, with at most 1000 of its applications. */
export const EnvironmentWithApplications = Schema.Struct({
  ...Environment.fields,
  applications: Schema.Array(Resource)
}).annotate({ identifier: "EnvironmentWithApplications" })

/** A project as returned in lists. */
export const Project = Schema.Struct({ ...stamps, name: Schema.String, description: Schema.String }).annotate({
  identifier: "Project"
})

/** A project as returned by the endpoint for one project, with its environments. */
export const ProjectWithEnvironments = Schema.Struct({
  ...Project.fields,
  environments: Schema.Array(Environment)
}).annotate({ identifier: "ProjectWithEnvironments" })

/** The build settings that were detected from the files of a repository. */
export const BuildDetection = Schema.Struct({
  git_branch: Schema.String.annotate({ description: "The branch that was read." }),
  build_pack: Schema.NullOr(Schema.Literals(["dockercompose", "dockerfile", "nixpacks", "static"])).annotate({
    description: "Null if the files show no known type of project."
  }),
  dockerfile_location: Schema.NullOr(Schema.String),
  docker_compose_location: Schema.NullOr(Schema.String),
  ports_exposes: Schema.NullOr(Schema.String).annotate({
    description: "The port that the Dockerfile exposes; null if it exposes none."
  }),
  has_manifest: Schema.Boolean.annotate({
    description: "Whether the repository has a `slipway.yaml`, from which deployments read the build settings."
  })
}).annotate({ identifier: "BuildDetection" })

const detection = Schema.Struct({
  git_repository: AppRepository,
  git_branch: Schema.optionalKey(GitBranch),
  base_directory: Schema.optionalKey(InnerPath),
  private_key_uuid: Schema.optionalKey(PrivateKeyUuid),
  forge_app_uuid: Schema.optionalKey(ForgeAppUuid),
  github_app_uuid: Schema.optionalKey(ForgeAppUuid)
})

const detectionHint = [
  "Reads the file names in `base_directory`, and a Dockerfile in it, at the newest commit of the branch.",
  "Without `git_branch`, it reads the default branch.",
  "`private_key_uuid` is a deploy key of the repository; `forge_app_uuid` is a forge connection or an app installation.",
  "At most 32 MiB and 20 seconds."
].join(" ")

const uuid = { uuid: Schema.String }
const inProject = { ...uuid, environment: Schema.String }
const creation = Schema.Struct({ name: Name, description: Schema.optionalKey(Description) })
const change = Schema.Struct({ name: Schema.optionalKey(Name), description: Schema.optionalKey(Description) })
const protection = { is_protected: Schema.optionalKey(Schema.Boolean) }
const environmentCreation = Schema.Struct({ ...creation.fields, ...protection })
const environmentChange = Schema.Struct({ ...change.fields, ...protection })
const changeErrors = [...bodyErrors, NotFoundBody, ConflictBody] as const
const removalErrors = [NotFoundBody, ConflictBody] as const

/** The endpoints of projects and their environments. */
export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", "/projects", {
      query: pageQuery,
      success: listOf(Project),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List projects")
      .pipe(access("project.list")),
    HttpApiEndpoint.post("create", "/projects", {
      payload: creation,
      success: createdAnswer,
      error: [...bodyErrors, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Create a project with an environment named production")
      .pipe(access("project.create")),
    HttpApiEndpoint.get("get", "/projects/:uuid", {
      params: uuid,
      success: ProjectWithEnvironments,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read a project")
      .pipe(access("project.read")),
    HttpApiEndpoint.patch("update", "/projects/:uuid", {
      params: uuid,
      payload: change,
      // Coolify clients accept no other status for this change.
      success: ProjectWithEnvironments.pipe(HttpApiSchema.status(201)),
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Change a project")
      .pipe(access("project.update")),
    HttpApiEndpoint.delete("delete", "/projects/:uuid", { params: uuid, success: Message, error: removalErrors })
      .annotate(OpenApi.Summary, "Delete a project without running applications")
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
      payload: environmentCreation,
      success: createdAnswer,
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Create an environment")
      .pipe(access("environment.create")),
    HttpApiEndpoint.get("getEnvironment", "/projects/:uuid/environments/:environment", {
      params: inProject,
      success: EnvironmentWithApplications,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read an environment by name or UUID")
      .pipe(access("environment.read")),
    HttpApiEndpoint.patch("updateEnvironment", "/projects/:uuid/environments/:environment", {
      params: inProject,
      payload: environmentChange,
      success: Environment,
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Change an environment")
      .pipe(access("environment.update")),
    HttpApiEndpoint.delete("deleteEnvironment", "/projects/:uuid/environments/:environment", {
      params: inProject,
      success: Message,
      error: removalErrors
    })
      .annotate(OpenApi.Summary, "Delete an environment without running applications")
      .pipe(access("environment.delete")),
    HttpApiEndpoint.post("detectBuild", "/projects/:uuid/environments/:environment/build-detection", {
      params: inProject,
      payload: detection,
      success: BuildDetection,
      error: [...bodyErrors, NotFoundBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Detect the build pack and the port of a repository")
      .annotate(OpenApi.Description, detectionHint)
      .pipe(access("environment.build.detect")),
    HttpApiEndpoint.get("getEnvironmentShort", "/projects/:uuid/:environment", {
      params: inProject,
      success: EnvironmentWithApplications,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read an environment by name or UUID")
      .pipe(access("environment.read"))
  )
  .annotate(OpenApi.Description, "Projects, each with one or more environments.") {}
