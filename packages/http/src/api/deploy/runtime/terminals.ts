import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadGatewayBody, NotFoundBody } from "../base/errors.ts"

/** A running container in which a terminal can be opened. */
const TerminalContainer = Schema.Struct({
  name: Schema.String,
  /** The compose service of the container; null if there is none. */
  service: Schema.NullOr(Schema.String)
}).annotate({ identifier: "TerminalContainer" })

/** Whether terminals can be opened in the containers of a resource. */
export const Terminal = Schema.Struct({
  /** Whether terminals are enabled on the server of the resource. */
  is_enabled: Schema.Boolean,
  /** The running containers; empty if terminals are disabled. */
  containers: Schema.Array(TerminalContainer)
}).annotate({ identifier: "Terminal" })

const options = { params: { uuid: Schema.String }, success: Terminal, error: [NotFoundBody, BadGatewayBody] } as const

/** The endpoints of terminals. The console opens them over WebSocket, which is not part of the API. */
export class TerminalsApi extends HttpApiGroup.make("terminals")
  .add(
    HttpApiEndpoint.get("application", "/applications/:uuid/terminal", options)
      .annotate(OpenApi.Summary, "Read in which containers of an application a terminal can be opened")
      .pipe(access("application.terminal")),
    HttpApiEndpoint.get("database", "/databases/:uuid/terminal", options)
      .annotate(OpenApi.Summary, "Read in which containers of a database a terminal can be opened")
      .pipe(access("database.terminal")),
    HttpApiEndpoint.get("service", "/services/:uuid/terminal", options)
      .annotate(OpenApi.Summary, "Read in which containers of a service a terminal can be opened")
      .pipe(access("service.terminal"))
  )
  .annotate(OpenApi.Description, "Shells in running containers, for browser sessions.") {}
