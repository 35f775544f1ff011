import { text } from "@slipway/domain/deploy"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { BadRequestBody, DomainConflictsBody, NotFoundBody } from "./errors.ts"
import { Description, DomainList, Message, Name, pageQuery, stamps } from "./schemas.ts"

const Urls = Schema.Array(Schema.Struct({ name: Name, url: DomainList })).check(Schema.isMaxLength(100))
const Compose = text(1_000_000)

/** A service as it is shown. */
export const Service = Schema.Struct({
  ...stamps,
  name: Schema.String,
  description: Schema.String,
  project_uuid: Schema.String,
  environment_uuid: Schema.String,
  environment_name: Schema.String,
  server_uuid: Schema.String,
  destination_uuid: Schema.String,
  docker_compose_raw: Schema.String,
  urls: Urls
}).annotate({ identifier: "Service" })

/** The body that creates a service. */
export const ServiceCreation = Schema.Struct({
  name: Name,
  description: Schema.optionalKey(Description),
  project_uuid: Schema.String,
  server_uuid: Schema.String,
  environment_name: Schema.optionalKey(Schema.String),
  environment_uuid: Schema.optionalKey(Schema.String),
  destination_uuid: Schema.optionalKey(Schema.String),
  docker_compose_raw: Compose,
  urls: Schema.optionalKey(Urls),
  force_domain_override: Schema.optionalKey(Schema.Boolean)
}).check(
  Schema.makeFilter((body: { readonly environment_name?: string; readonly environment_uuid?: string }) =>
    body.environment_name === undefined && body.environment_uuid === undefined
      ? ["environment_name", "environment_uuid"].map((field) => ({
          path: [field],
          issue: "Either environment_name or environment_uuid is required."
        }))
      : undefined
  )
)

/** The body that changes a service. */
export const ServiceChange = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  docker_compose_raw: Schema.optionalKey(Compose),
  urls: Schema.optionalKey(Urls),
  force_domain_override: Schema.optionalKey(Schema.Boolean)
})

const uuid = { uuid: Schema.String }

/** The endpoints of services. */
export class ServicesApi extends HttpApiGroup.make("services")
  .add(
    HttpApiEndpoint.get("list", "/services", {
      query: pageQuery,
      success: Schema.Array(Service),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List services")
      .pipe(access("service.list")),
    HttpApiEndpoint.post("create", "/services", {
      payload: ServiceCreation,
      success: Schema.Struct({ uuid: Schema.String, domains: Schema.Array(Schema.String) }).pipe(
        HttpApiSchema.status(201)
      ),
      error: [BadRequestBody, DomainConflictsBody]
    })
      .annotate(OpenApi.Summary, "Create a service from a compose file")
      .pipe(access("service.create")),
    HttpApiEndpoint.get("get", "/services/:uuid", { params: uuid, success: Service, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a service")
      .pipe(access("service.read")),
    HttpApiEndpoint.patch("update", "/services/:uuid", {
      params: uuid,
      payload: ServiceChange,
      success: Service,
      error: [BadRequestBody, DomainConflictsBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a service")
      .pipe(access("service.update")),
    HttpApiEndpoint.delete("delete", "/services/:uuid", { params: uuid, success: Message, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Delete a service")
      .pipe(access("service.delete"))
  )
  .annotate(OpenApi.Description, "Services: several containers described by one compose file.") {}
