import { ImageName, line, text } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Queued } from "../apps/runs.ts"
import { access } from "../base/access.ts"
import {
  BadGatewayBody,
  BadRequestBody,
  bodyErrors,
  ConflictBody,
  DomainConflictsBody,
  NotFoundBody,
  TooManyRequestsBody
} from "../base/errors.ts"
import { DomainList, QueryFlag } from "../base/schemas.ts"
import { linesQuery } from "./logs.ts"

const shown = {
  uuid: Schema.String,
  service_uuid: Schema.String,
  name: Schema.String,
  human_name: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  /** The container image, from the settings or else from the compose file; null if the image is built. */
  image: Schema.NullOr(Schema.String),
  exclude_from_status: Schema.Boolean,
  is_log_drain_enabled: Schema.Literal(false),
  /** Whether a user stopped the part of the service. */
  is_stopped: Schema.Boolean,
  status: Schema.String
}

/** An application of a service as returned by the API. */
export const ServiceApplication = Schema.Struct({
  ...shown,
  fqdn: Schema.NullOr(Schema.String),
  is_gzip_enabled: Schema.Literal(false),
  is_stripprefix_enabled: Schema.Literal(false)
}).annotate({ identifier: "ServiceApplication" })

/** A database of a service as returned by the API. */
export const ServiceDatabase = Schema.Struct({
  ...shown,
  is_public: Schema.Literal(false),
  public_port: Schema.Null
}).annotate({ identifier: "ServiceDatabase" })

/** Returns the schema of a flag that must not be true; `why` is the error message. */
const off = (why: string) =>
  Schema.optionalKey(
    Schema.NullOr(Schema.Boolean).check(
      Schema.makeFilter((value: boolean | null) => (value === true ? why : undefined))
    )
  )

const changes = {
  human_name: Schema.optionalKey(Schema.NullOr(line(255))),
  description: Schema.optionalKey(Schema.NullOr(text(10_000))),
  image: Schema.optionalKey(Schema.NullOr(ImageName)),
  exclude_from_status: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  is_log_drain_enabled: off("Must be false: logs are not forwarded.")
}

/**
 * The request body that changes an application of a service; an image that is null or empty is that of the compose
 * file.
 */
export const ServiceApplicationChange = Schema.Struct({
  ...changes,
  url: Schema.optionalKey(Schema.NullOr(DomainList)),
  is_gzip_enabled: off("Must be false: answers of services are not compressed."),
  is_stripprefix_enabled: off("Must be false: paths of domains reach services whole.")
}).annotate({ identifier: "ServiceApplicationChange" })

/**
 * The request body that changes a database of a service; an image that is null or empty is that of the compose file.
 */
export const ServiceDatabaseChange = Schema.Struct({
  ...changes,
  is_public: off("Must be false: publish a port with `ports` in the compose file."),
  public_port: Schema.optionalKey(Schema.Null)
}).annotate({ identifier: "ServiceDatabaseChange" })

const uuid = { uuid: Schema.String }
const changeErrors = [...bodyErrors, DomainConflictsBody, NotFoundBody]
const logs = {
  query: linesQuery,
  success: Schema.Struct({ logs: Schema.String }).annotate({ identifier: "ServiceLogs" }),
  error: [BadRequestBody, NotFoundBody, BadGatewayBody]
}
const started = {
  query: { force: Schema.optionalKey(QueryFlag), latest: Schema.optionalKey(QueryFlag) },
  success: Queued,
  error: [BadRequestBody, NotFoundBody, ConflictBody, TooManyRequestsBody]
}
const restarted = { success: Queued, error: [BadRequestBody, NotFoundBody, ConflictBody, TooManyRequestsBody] }
const stopped = { success: Queued, error: [NotFoundBody, ConflictBody, TooManyRequestsBody] }

const applications = "/services/:uuid/applications"
const application = `${applications}/:app_uuid` as const
const ofApplication = { params: { ...uuid, app_uuid: Schema.String } }
const databases = "/services/:uuid/databases"
const database = `${databases}/:database_uuid` as const
const ofDatabase = { params: { ...uuid, database_uuid: Schema.String } }

/** The endpoints of the applications and databases of a service. */
export class ServicePartsApi extends HttpApiGroup.make("serviceParts")
  .add(
    HttpApiEndpoint.get("listApplications", applications, {
      params: uuid,
      success: Schema.Array(ServiceApplication),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the applications of a service")
      .pipe(access("service.read")),
    HttpApiEndpoint.get("getApplication", application, {
      ...ofApplication,
      success: ServiceApplication,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read an application of a service")
      .pipe(access("service.part.read")),
    HttpApiEndpoint.patch("updateApplication", application, {
      ...ofApplication,
      query: { force_domain_override: Schema.optionalKey(QueryFlag) },
      payload: ServiceApplicationChange,
      success: ServiceApplication,
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Change an application of a service; the next deployment applies the changes")
      .pipe(access("service.part.update")),
    HttpApiEndpoint.get("applicationLogs", `${application}/logs`, { ...ofApplication, ...logs })
      .annotate(OpenApi.Summary, "Read the last log lines of an application of a service")
      .pipe(access("service.part.logs")),
    HttpApiEndpoint.post("applicationLogsByPost", `${application}/logs`, { ...ofApplication, ...logs })
      .annotate(OpenApi.Summary, "Read log lines as with GET")
      .pipe(access("service.part.logs")),
    HttpApiEndpoint.post("startApplication", `${application}/start`, { ...ofApplication, ...started })
      .annotate(OpenApi.Summary, "Deploy a service including an application of it")
      .pipe(access("service.part.deploy.request")),
    HttpApiEndpoint.post("restartApplication", `${application}/restart`, { ...ofApplication, ...restarted })
      .annotate(OpenApi.Summary, "Run a service, and an application of it, in new containers")
      .pipe(access("service.part.deploy.request")),
    HttpApiEndpoint.post("stopApplication", `${application}/stop`, { ...ofApplication, ...stopped })
      .annotate(OpenApi.Summary, "Run a service without an application of it")
      .pipe(access("service.part.deploy")),
    HttpApiEndpoint.get("listDatabases", databases, {
      params: uuid,
      success: Schema.Array(ServiceDatabase),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the databases of a service")
      .pipe(access("service.read")),
    HttpApiEndpoint.get("getDatabase", database, { ...ofDatabase, success: ServiceDatabase, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a database of a service")
      .pipe(access("service.part.read")),
    HttpApiEndpoint.patch("updateDatabase", database, {
      ...ofDatabase,
      payload: ServiceDatabaseChange,
      success: ServiceDatabase,
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Change a database of a service; the next deployment applies the changes")
      .pipe(access("service.part.update")),
    HttpApiEndpoint.get("databaseLogs", `${database}/logs`, { ...ofDatabase, ...logs })
      .annotate(OpenApi.Summary, "Read the last log lines of a database of a service")
      .pipe(access("service.part.logs")),
    HttpApiEndpoint.post("startDatabase", `${database}/start`, { ...ofDatabase, ...started })
      .annotate(OpenApi.Summary, "Deploy a service including a database of it")
      .pipe(access("service.part.deploy.request")),
    HttpApiEndpoint.post("restartDatabase", `${database}/restart`, { ...ofDatabase, ...restarted })
      .annotate(OpenApi.Summary, "Run a service, and a database of it, in new containers")
      .pipe(access("service.part.deploy.request")),
    HttpApiEndpoint.post("stopDatabase", `${database}/stop`, { ...ofDatabase, ...stopped })
      .annotate(OpenApi.Summary, "Run a service without a database of it")
      .pipe(access("service.part.deploy"))
  )
  .annotate(
    OpenApi.Description,
    "The applications and databases of services: the containers of their compose files."
  ) {}
