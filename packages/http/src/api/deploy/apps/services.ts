import { fields, nonEmpty, text } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadRequestBody, bodyErrors, DomainConflictsBody, NotFoundBody } from "../base/errors.ts"
import { Description, DomainList, listOf, Message, Name, pageQuery, stamps } from "../base/schemas.ts"

const Urls = Schema.Array(Schema.Struct({ name: Name, url: DomainList })).check(
  Schema.isMaxLength(100, { message: "Must have at most 100 entries." })
)
const Compose = nonEmpty(text(1_000_000))

/** A service as shown in answers. */
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
  project_uuid: fields.project_uuid.schema,
  server_uuid: fields.server_uuid.schema,
  environment_name: Schema.optionalKey(fields.environment_name.schema),
  environment_uuid: Schema.optionalKey(fields.environment_uuid.schema),
  destination_uuid: Schema.optionalKey(fields.destination_uuid.schema),
  docker_compose_raw: Compose,
  urls: Schema.optionalKey(Urls),
  force_domain_override: Schema.optionalKey(Schema.Boolean)
})

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
      success: listOf(Service),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List services")
      .pipe(access("service.list")),
    HttpApiEndpoint.post("create", "/services", {
      payload: ServiceCreation,
      success: HttpApiSchema.WithHeaders(
        Schema.Struct({ uuid: Schema.String, domains: Schema.Array(Schema.String) }).pipe(HttpApiSchema.status(201)),
        { location: Schema.String }
      ),
      error: [...bodyErrors, DomainConflictsBody]
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
      error: [...bodyErrors, DomainConflictsBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a service")
      .pipe(access("service.update")),
    HttpApiEndpoint.delete("delete", "/services/:uuid", { params: uuid, success: Message, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Delete a service")
      .pipe(access("service.delete"))
  )
  .annotate(OpenApi.Description, "Services: several containers described by one compose file.") {}
