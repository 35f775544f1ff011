import { DeploymentStatus, line } from "@slipway/domain/deploy/apps"
import { momentOf, mostInAnswer } from "@slipway/domain/deploy/containers"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { LogLine } from "../apps/runs.ts"
import { access } from "../base/access.ts"
import { BadGatewayBody, BadRequestBody, NotFoundBody, TooManyRequestsBody } from "../base/errors.ts"
import { eventOf } from "../base/events.ts"
import { count, QueryFlag, whole } from "../base/schemas.ts"

/** A line of output of an application's container. */
export const ApplicationLogLine = Schema.Struct({
  id: Schema.String,
  at: Schema.String,
  stream: Schema.Literals(["stdout", "stderr"]),
  container: Schema.String,
  service: Schema.NullOr(Schema.String),
  text: Schema.String
}).annotate({ identifier: "ApplicationLogLine" })

/** The log output of an application's containers, both as one text (`logs`) and as `lines`. */
export const ApplicationLogs = Schema.Struct({
  logs: Schema.String,
  lines: Schema.Array(ApplicationLogLine),
  /** The containers from which lines after the cursor `after` were already deleted. */
  lost: Schema.Array(Schema.String)
}).annotate({ identifier: "ApplicationLogs" })

const Progress = Schema.Struct({ status: DeploymentStatus, reason: Schema.NullOr(Schema.String) })

/** The server-sent events of a deployment's log stream. */
export const DeploymentLogEvents = HttpApiSchema.StreamSse({
  events: Schema.Union([
    eventOf("message", Schema.Struct(LogLine.fields)),
    eventOf("status", Progress),
    eventOf("end", Progress)
  ])
})

/** The server-sent events of an application's log stream. */
export const ApplicationLogEvents = HttpApiSchema.StreamSse({
  events: Schema.Union([
    eventOf("message", Schema.Struct(ApplicationLogLine.fields)),
    eventOf("lost", Schema.Struct({ container: Schema.String, message: Schema.String })),
    eventOf("unreachable", Schema.Struct({ message: Schema.String })),
    eventOf("end", Schema.Struct({ reason: Schema.String }))
  ])
})

const moment = Schema.String.check(
  Schema.makeFilter((value: string) =>
    momentOf(value) === undefined ? "Must be a moment in ISO 8601, such as 2026-01-31T12:00:00Z." : undefined
  )
)

/** The query parameter with the number of log lines to return. */
export const linesQuery = { lines: Schema.optionalKey(whole(1, mostInAnswer.lines)) }

const wanted = {
  ...linesQuery,
  since: Schema.optionalKey(moment),
  container: Schema.optionalKey(line(255)),
  service: Schema.optionalKey(line(255)),
  after: Schema.optionalKey(line(20_000))
}

const uuid = { uuid: Schema.String }
// Of any form: an invalid id is reported like every other error of a request.
const resuming = { headers: { "last-event-id": Schema.optionalKey(Schema.String) } }
const closed = "close the connection on `end`, or a browser reconnects"

/** The endpoints of logs, as pages and as streams. */
export class LogsApi extends HttpApiGroup.make("logs")
  .add(
    HttpApiEndpoint.get("application", "/applications/:uuid/logs", {
      params: uuid,
      query: { ...wanted, show_timestamps: Schema.optionalKey(QueryFlag) },
      success: ApplicationLogs,
      error: [BadRequestBody, NotFoundBody, BadGatewayBody]
    })
      .annotate(
        OpenApi.Summary,
        "Read the container logs of an application: the last lines, or those after a given line"
      )
      .pipe(access("application.logs")),
    HttpApiEndpoint.get("followApplication", "/applications/:uuid/logs/stream", {
      params: uuid,
      query: wanted,
      ...resuming,
      success: ApplicationLogEvents,
      error: [BadRequestBody, NotFoundBody, TooManyRequestsBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Follow the container logs of an application across deployments")
      .annotate(OpenApi.Description, `Server-sent events; ${closed}.`)
      .pipe(access("application.logs")),
    HttpApiEndpoint.get("followDeployment", "/deployments/:uuid/logs/stream", {
      params: uuid,
      query: { after: Schema.optionalKey(count) },
      ...resuming,
      success: DeploymentLogEvents,
      error: [BadRequestBody, NotFoundBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Follow the log and the status of a deployment until it ends")
      .annotate(OpenApi.Description, `Server-sent events; ${closed}.`)
      .pipe(access("deployment.read"))
  )
  .annotate(OpenApi.Description, "Logs of deployments and containers.") {}
