import { EnvironmentUuid, line, type Variant, variants } from "@slipway/domain/deploy/apps"
import { DestinationUuid, PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import {
  BadGatewayBody,
  BadRequestBody,
  bodyErrors,
  ChoicesBody,
  ConflictBody,
  DomainConflictsBody,
  ForbiddenBody,
  NotFoundBody,
  TooManyRequestsBody
} from "../base/errors.ts"
import {
  constantFields,
  createdAnswer,
  creationBody,
  deletionQuery,
  listOf,
  Message,
  Moved,
  Name,
  pageQuery,
  shownFields,
  stamps,
  UpdateBody
} from "../base/schemas.ts"
import { Destination } from "../infrastructure/servers.ts"

/** The boolean settings of an application, in the object `settings` that Coolify clients expect. */
const ApplicationSettings = Schema.Struct({
  is_static: Schema.NullOr(Schema.Boolean),
  is_spa: Schema.NullOr(Schema.Boolean),
  is_auto_deploy_enabled: Schema.NullOr(Schema.Boolean),
  is_force_https_enabled: Schema.NullOr(Schema.Boolean),
  is_build_server_enabled: Schema.Boolean,
  connect_to_docker_network: Schema.NullOr(Schema.Boolean),
  is_container_label_escape_enabled: Schema.NullOr(Schema.Boolean),
  is_preserve_repository_enabled: Schema.NullOr(Schema.Boolean),
  is_git_submodules_enabled: Schema.NullOr(Schema.Boolean),
  is_git_lfs_enabled: Schema.NullOr(Schema.Boolean),
  is_preview_deployments_enabled: Schema.NullOr(Schema.Boolean)
}).annotate({ identifier: "ApplicationSettings" })

/** An application as returned by the API: every field under its name, and the fields added by the platform. */
export const Application = Schema.Struct({
  ...stamps,
  variant: Schema.Literals(variants),
  generated_domain: Schema.NullOr(Schema.String),
  /** Whether the connected forge of the repository accepts the platform's token; null without a connected forge. */
  source_status: Schema.NullOr(Schema.Literals(["connected", "disconnected"])),
  /** Why the connected forge is disconnected; null if it is connected. */
  source_reason: Schema.NullOr(Schema.String),
  /** The state and health, such as `running:healthy`; lists return the stored state without asking the server. */
  status: Schema.String,
  /** The public URLs of the application, separated by commas; null if it has none. */
  fqdn: Schema.NullOr(Schema.String),
  destination_type: Schema.Literal("standalone"),
  destination_id: Schema.Number,
  environment_id: Schema.Number,
  private_key_id: Schema.NullOr(Schema.Number),
  source_id: Schema.NullOr(Schema.Number),
  settings: ApplicationSettings,
  ...sameFields.application,
  ...shownFields,
  ...constantFields
}).annotate({ identifier: "Application" })

/** The request body that moves an application to another environment. */
export const ApplicationMove = Schema.Struct({ environment_uuid: EnvironmentUuid }).annotate({
  identifier: "ApplicationMove"
})

/** The request body that moves an application to a destination; the data in its volumes isn't moved. */
export const ApplicationMigration = Schema.Struct({
  destination_uuid: DestinationUuid,
  migrate_volumes: Schema.optionalKey(Schema.Literal(false))
}).annotate({ identifier: "ApplicationMigration" })

/** A destination of an application, and the application that runs there. */
const ApplicationDestination = Schema.Struct({
  ...Destination.fields,
  /** Whether the destination is an additional one. */
  is_additional: Schema.Boolean,
  /** The application that runs at the destination: the application itself, or its copy at an additional destination. */
  application_uuid: Schema.String,
  /** The stored state and health there, such as `running:healthy`. */
  status: Schema.String
}).annotate({ identifier: "ApplicationDestination" })

/** The request body that adds a destination to an application. */
const AdditionalDestination = Schema.Struct({ destination_uuid: DestinationUuid }).annotate({
  identifier: "AdditionalDestination"
})

/** The request body that clones an application; the data in its volumes isn't copied. */
export const ApplicationClone = Schema.Struct({
  destination_uuid: DestinationUuid,
  name: Schema.optionalKey(Schema.NullOr(Name)),
  clone_volumes: Schema.optionalKey(Schema.Literal(false))
}).annotate({ identifier: "ApplicationClone" })

const uuid = { uuid: Schema.String }

/** Returns the schema name of a creation body in the OpenAPI document, such as `PublicApplicationCreation`. */
const creationName = (variant: Variant) =>
  `${variant.replace(/(?:^|-)([a-z])/g, (_, initial: string) => initial.toUpperCase())}ApplicationCreation`

const create = <const V extends Variant>(variant: V, summary: string) =>
  HttpApiEndpoint.post(`create-${variant}`, `/applications/${variant}`, {
    payload: creationBody(variant).annotate({ identifier: creationName(variant) }),
    success: createdAnswer,
    error: [...bodyErrors, DomainConflictsBody, ForbiddenBody, ConflictBody, TooManyRequestsBody]
  })
    .annotate(OpenApi.Summary, summary)
    .pipe(access("application.create"))

const forgeErrors = [
  ...bodyErrors,
  BadGatewayBody,
  ChoicesBody,
  DomainConflictsBody,
  ForbiddenBody,
  ConflictBody,
  TooManyRequestsBody
] as const

const shortName =
  "A `git_repository` of the form `owner/name` names a repository of a connected forge. All other fields are then optional: the connection and the placement if there is one each (otherwise 409 with the choices), the default branch, and the build pack and port by the repository's files. The webhook is added to the repository, and removed with the application."

const filters =
  "`tag` selects the applications with a tag, and `repository` those of a repository: its `owner/name` on any host, or its address. Both ignore case; `repository` also ignores `.git`. `private_key_uuid` selects those that read their repository with a key."

/** The endpoints of applications themselves. */
export class ApplicationsApi extends HttpApiGroup.make("applications")
  .add(
    HttpApiEndpoint.get("list", "/applications", {
      query: {
        ...pageQuery,
        tag: Schema.optionalKey(line(100)),
        repository: Schema.optionalKey(line(2048)),
        private_key_uuid: Schema.optionalKey(PrivateKeyUuid)
      },
      success: listOf(Application),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List applications")
      .annotate(OpenApi.Description, filters)
      .pipe(access("application.list")),
    create("public", "Create from a public git repository"),
    HttpApiEndpoint.post("create-private-forge-app", "/applications/private-forge-app", {
      payload: creationBody("private-forge-app").annotate({ identifier: creationName("private-forge-app") }),
      success: createdAnswer,
      error: forgeErrors
    })
      .annotate(OpenApi.Summary, "Create from a private repository through a git-hosting app or a forge connection")
      .annotate(OpenApi.Description, shortName)
      .pipe(access("application.create")),
    HttpApiEndpoint.post("create-private-github-app", "/applications/private-github-app", {
      payload: creationBody("private-forge-app").annotate({ identifier: creationName("private-forge-app") }),
      success: createdAnswer,
      error: forgeErrors
    })
      .annotate(OpenApi.Summary, "Create from a private repository through a git-hosting app, under Coolify's name")
      .annotate(OpenApi.Description, shortName)
      .pipe(access("application.create")),
    create("private-deploy-key", "Create from a private repository through a deploy key"),
    create("dockerfile", "Create from the text of a Dockerfile"),
    create("dockerimage", "Create from a prebuilt image"),
    HttpApiEndpoint.get("get", "/applications/:uuid", { params: uuid, success: Application, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read an application")
      .pipe(access("application.read")),
    HttpApiEndpoint.patch("update", "/applications/:uuid", {
      params: uuid,
      payload: UpdateBody.annotate({ identifier: "ApplicationUpdate" }),
      success: Application,
      error: [...bodyErrors, DomainConflictsBody, ForbiddenBody, NotFoundBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Change an application")
      .pipe(access("application.update")),
    HttpApiEndpoint.delete("delete", "/applications/:uuid", {
      params: uuid,
      query: deletionQuery,
      success: HttpApiSchema.WithHeaders(Message, { location: Schema.String }),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Delete an application")
      .pipe(access("application.delete")),
    HttpApiEndpoint.post("move", "/applications/:uuid/move", {
      params: uuid,
      payload: ApplicationMove,
      success: Moved,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Move an application to another environment; its containers keep running")
      .pipe(access("application.update")),
    HttpApiEndpoint.post("migrate", "/applications/:uuid/migrate", {
      params: uuid,
      payload: ApplicationMigration,
      success: Schema.Struct({ message: Schema.String, uuid: Schema.String }),
      error: [...bodyErrors, DomainConflictsBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Move an application to another destination, which its next deployment uses")
      .pipe(access("application.update")),
    HttpApiEndpoint.get("destinations", "/applications/:uuid/destinations", {
      params: uuid,
      success: Schema.Array(ApplicationDestination),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the destinations of an application, its own one first")
      .pipe(access("application.read")),
    HttpApiEndpoint.post("addDestination", "/applications/:uuid/destinations", {
      params: uuid,
      payload: AdditionalDestination,
      success: ApplicationDestination.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, ConflictBody, NotFoundBody]
    })
      .annotate(
        OpenApi.Summary,
        "Add a destination on another server to an application, at which later deployments run it too"
      )
      .pipe(access("application.update")),
    HttpApiEndpoint.delete("removeDestination", "/applications/:uuid/destinations/:destination_uuid", {
      params: { ...uuid, destination_uuid: Schema.String },
      query: deletionQuery,
      success: HttpApiSchema.WithHeaders(Message, { location: Schema.String }),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Remove an additional destination from an application with its containers and volumes")
      .pipe(access("application.update")),
    HttpApiEndpoint.post("clone", "/applications/:uuid/clone", {
      params: uuid,
      payload: ApplicationClone,
      success: HttpApiSchema.WithHeaders(
        Schema.Struct({ uuid: Schema.String, message: Schema.String }).pipe(HttpApiSchema.status(201)),
        { location: Schema.String }
      ),
      error: [...bodyErrors, DomainConflictsBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Clone an application to a destination, without its domains")
      .pipe(access("application.clone"))
  )
  .annotate(OpenApi.Description, "Applications: their source, configuration and placement.") {}
