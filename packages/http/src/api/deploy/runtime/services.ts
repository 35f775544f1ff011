import { ComposeText, fields, line, TagNames } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApplicationClone, ApplicationMigration, ApplicationMove } from "../apps/applications.ts"
import { ApplicationStatus, Queued } from "../apps/runs.ts"
import { access, optionalBody } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import {
  BadRequestBody,
  bodyErrors,
  ConflictBody,
  DomainConflictsBody,
  ForbiddenBody,
  NotFoundBody,
  TooManyRequestsBody
} from "../base/errors.ts"
import {
  createdAnswer,
  Description,
  DomainList,
  deletionQuery,
  listOf,
  Message,
  Moved,
  Name,
  pageQuery,
  QueryFlag,
  stamps,
  stopQuery
} from "../base/schemas.ts"
import { ServiceApplication, ServiceDatabase } from "./service-parts.ts"

const Urls = Schema.Array(Schema.Struct({ name: Name, url: DomainList })).check(
  Schema.isMaxLength(100, { message: "Must have at most 100 entries." })
)

const LabelEscape = Schema.Boolean.check(
  Schema.makeFilter((value: boolean) =>
    value ? undefined : "Must be true: in labels of a compose file, `$$` is a dollar sign and `$NAME` a variable."
  )
)

/** A service as returned by the API. */
export const Service = Schema.Struct({
  ...stamps,
  name: Schema.String,
  description: Schema.String,
  project_uuid: Schema.String,
  environment_uuid: Schema.String,
  environment_name: Schema.String,
  server_uuid: Schema.String,
  destination_uuid: Schema.String,
  server_id: Schema.Number,
  destination_id: Schema.Number,
  environment_id: Schema.Number,
  docker_compose_raw: Schema.String,
  /** The same text as `docker_compose_raw`: the platform evaluates the compose file at each deployment. */
  docker_compose: Schema.String,
  urls: Urls,
  /** The URLs of `urls`, without the other fields. */
  domains: Schema.Array(Schema.String),
  /** The name of the service's one-click template; null without a template. */
  service_type: Schema.NullOr(Schema.String),
  connect_to_docker_network: Schema.Boolean,
  is_container_label_escape_enabled: Schema.Literal(true),
  status: Schema.String,
  ...sameFields.service,
  applications: Schema.Array(ServiceApplication),
  databases: Schema.Array(ServiceDatabase)
}).annotate({ identifier: "Service" })

const changes = {
  description: Schema.optionalKey(Description),
  urls: Schema.optionalKey(Urls),
  connect_to_docker_network: Schema.optionalKey(Schema.Boolean),
  is_container_label_escape_enabled: Schema.optionalKey(LabelEscape),
  instant_deploy: Schema.optionalKey(Schema.Boolean),
  force_domain_override: Schema.optionalKey(Schema.Boolean)
}

const place = {
  environment_name: Schema.optionalKey(fields.environment_name.schema),
  // Coolify's Terraform provider sends an omitted one as an empty text.
  environment_uuid: Schema.optionalKey(Schema.Union([fields.environment_uuid.schema, Schema.Literal("")])),
  destination_uuid: Schema.optionalKey(fields.destination_uuid.schema)
}

/** The request body that creates a service: from a compose file, or from a one-click template by its name. */
export const ServiceCreation = Schema.Struct({
  ...changes,
  name: Schema.optionalKey(Name),
  type: Schema.optionalKey(line(255)),
  docker_compose_raw: Schema.optionalKey(ComposeText),
  project_uuid: fields.project_uuid.schema,
  server_uuid: fields.server_uuid.schema,
  ...place,
  tags: Schema.optionalKey(TagNames)
})
  .check(
    Schema.makeFilter((body: { readonly type?: string; readonly docker_compose_raw?: string }) =>
      (body.type === undefined) === (body.docker_compose_raw === undefined)
        ? ["type", "docker_compose_raw"].map((field) => ({
            path: [field],
            issue: "Either type or docker_compose_raw is required."
          }))
        : undefined
    )
  )
  .annotate({ identifier: "ServiceCreation" })

/** The body that changes a service; a placement must be the present one, which Coolify's Terraform provider sends. */
export const ServiceChange = Schema.Struct({
  ...changes,
  project_uuid: Schema.optionalKey(fields.project_uuid.schema),
  server_uuid: Schema.optionalKey(fields.server_uuid.schema),
  ...place,
  name: Schema.optionalKey(Name),
  docker_compose_raw: Schema.optionalKey(ComposeText)
}).annotate({ identifier: "ServiceChange" })

/** The difference between a service and the current version of the template that it was created from. */
export const ServiceTemplateUpdate = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  /** Whether the template has changed since the service took over its text. */
  has_update: Schema.Boolean,
  /** Whether the compose text of the service was edited; such a text is not replaced. */
  is_edited: Schema.Boolean,
  current_images: Schema.Array(Schema.String),
  new_images: Schema.Array(Schema.String),
  added_variables: Schema.Array(Schema.String),
  removed_variables: Schema.Array(Schema.String),
  /** A unified diff from the compose text of the service to that of the template; empty if they are equal. */
  diff: Schema.String,
  docker_compose: Schema.String
}).annotate({ identifier: "ServiceTemplateUpdate" })

/** The body of a request that updates a service to the current version of its template. */
export const ServiceTemplateApplication = Schema.Struct({
  /** Whether to deploy the service immediately. */
  instant_deploy: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ServiceTemplateApplication" })

/** A one-click template as returned in lists. */
export const ServiceTemplate = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  description: Schema.String,
  category: Schema.String,
  /** The images of the template, with their versions. */
  images: Schema.Array(Schema.String),
  /** The container port that receives HTTP requests; null if there is none. */
  port: Schema.NullOr(Schema.Number),
  /** The required memory, in MiB. */
  minimum_memory: Schema.Number,
  /** The variables that the user must set before the first start. */
  variables: Schema.Array(Schema.Struct({ key: Schema.String, description: Schema.String })),
  docker_compose: Schema.String
}).annotate({ identifier: "ServiceTemplate" })

const uuid = { uuid: Schema.String }
const queued = { params: uuid, success: Queued, error: [NotFoundBody, ConflictBody, TooManyRequestsBody] }

/** The endpoints of services. */
export class ServicesApi extends HttpApiGroup.make("services")
  .add(
    HttpApiEndpoint.get("list", "/services", {
      query: pageQuery,
      success: listOf(Service),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List services")
      .pipe(access("service.list")),
    HttpApiEndpoint.get("templates", "/service-templates", { success: Schema.Array(ServiceTemplate) })
      .annotate(OpenApi.Summary, "List the one-click templates, the types of new services")
      .pipe(access("service.template.read")),
    HttpApiEndpoint.post("create", "/services", {
      payload: ServiceCreation,
      success: HttpApiSchema.WithHeaders(
        Schema.Struct({ uuid: Schema.String, domains: Schema.Array(Schema.String) }).pipe(HttpApiSchema.status(201)),
        { location: Schema.String }
      ),
      error: [...bodyErrors, DomainConflictsBody, ForbiddenBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Create a service from a compose file or a one-click template")
      .pipe(access("service.create")),
    HttpApiEndpoint.get("get", "/services/:uuid", { params: uuid, success: Service, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a service")
      .pipe(access("service.read")),
    HttpApiEndpoint.patch("update", "/services/:uuid", {
      params: uuid,
      payload: ServiceChange,
      success: Service,
      error: [...bodyErrors, DomainConflictsBody, ForbiddenBody, NotFoundBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Change a service; the next deployment applies the changes")
      .pipe(access("service.update")),
    HttpApiEndpoint.get("readTemplate", "/services/:uuid/template", {
      params: uuid,
      success: ServiceTemplateUpdate,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Compare the compose text of a service with the current version of its template")
      .pipe(access("service.read")),
    HttpApiEndpoint.post("applyTemplate", "/services/:uuid/template", {
      params: uuid,
      payload: ServiceTemplateApplication,
      success: Service,
      error: [...bodyErrors, ConflictBody, DomainConflictsBody, ForbiddenBody, NotFoundBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Update the compose text of a service to the current version of its template")
      .pipe(optionalBody, access("service.update")),
    HttpApiEndpoint.delete("delete", "/services/:uuid", {
      params: uuid,
      query: deletionQuery,
      success: HttpApiSchema.WithHeaders(Message, { location: Schema.String }),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Delete a service; a job removes its resources from the server")
      .pipe(access("service.delete")),
    HttpApiEndpoint.get("status", "/services/:uuid/status", {
      params: uuid,
      success: ApplicationStatus,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read the desired state of a service and the state of its containers")
      .pipe(access("service.read")),
    HttpApiEndpoint.post("start", "/services/:uuid/start", queued)
      .annotate(OpenApi.Summary, "Deploy a service and start all of its containers")
      .pipe(access("service.deploy.request")),
    HttpApiEndpoint.post("stop", "/services/:uuid/stop", {
      params: uuid,
      query: stopQuery,
      success: Queued,
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Stop a service; with docker_cleanup, also clean up its server")
      .pipe(access("service.deploy")),
    HttpApiEndpoint.post("restart", "/services/:uuid/restart", {
      ...queued,
      query: { latest: Schema.optionalKey(QueryFlag) },
      error: [BadRequestBody, NotFoundBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Run a service in new containers; with `latest`, from newly pulled images")
      .pipe(access("service.deploy.request")),
    HttpApiEndpoint.post("move", "/services/:uuid/move", {
      params: uuid,
      payload: ApplicationMove,
      success: Moved,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Move a service to another environment")
      .pipe(access("service.update")),
    HttpApiEndpoint.post("migrate", "/services/:uuid/migrate", {
      params: uuid,
      payload: ApplicationMigration,
      success: Schema.Struct({ message: Schema.String, uuid: Schema.String }),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Move a service to a destination, on its server or another, without its volumes")
      .pipe(access("service.update")),
    HttpApiEndpoint.post("clone", "/services/:uuid/clone", {
      params: uuid,
      payload: ApplicationClone,
      success: createdAnswer,
      error: [...bodyErrors, DomainConflictsBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Clone a service to a destination, without its domains and volumes")
      .pipe(access("service.clone"))
  )
  .annotate(OpenApi.Description, "Services: several containers described by one compose file.") {}
