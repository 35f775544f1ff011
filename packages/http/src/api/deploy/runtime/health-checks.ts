import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadGatewayBody, ConflictBody, NotFoundBody } from "../base/errors.ts"

/** The result of a health check, and the answer of each container. */
export const HealthCheckResult = Schema.Struct({
  is_healthy: Schema.Boolean,
  /** Why no check was sent; null if one was. */
  reason: Schema.NullOr(Schema.String),
  containers: Schema.Array(
    Schema.Struct({
      container: Schema.String,
      service: Schema.NullOr(Schema.String),
      is_healthy: Schema.Boolean,
      /** Why the container is unhealthy; null if it is healthy. */
      reason: Schema.NullOr(Schema.String),
      /** The status of its response; null if none arrived. */
      status: Schema.NullOr(Schema.Finite),
      /** The first 500 characters of its response. */
      output: Schema.String,
      milliseconds: Schema.Finite
    })
  )
}).annotate({ identifier: "HealthCheckResult" })

/** The endpoints of health checks. */
export class HealthChecksApi extends HttpApiGroup.make("healthChecks")
  .add(
    HttpApiEndpoint.post("run", "/applications/:uuid/health-check", {
      params: { uuid: Schema.String },
      success: HealthCheckResult,
      error: [NotFoundBody, ConflictBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Run the health check of an application's settings once, without a deployment")
      .pipe(access("application.health.check"))
  )
  .annotate(OpenApi.Description, "Health checks: requests that show whether an application works.") {}
