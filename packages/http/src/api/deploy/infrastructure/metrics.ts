import { whole } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { BadRequestBody, bodyErrors, NotFoundBody } from "../base/errors.ts"

const query = { hours: Schema.optionalKey(whole(1, 720)) }

/** The values of a server or container in one interval. */
const MetricPoint = Schema.Struct({
  /** The container; null for the server itself. */
  container: Schema.NullOr(Schema.String),
  /** The start of the interval. */
  at: Schema.String,
  /** The CPU usage in percent: of the whole machine for a server, of one processor for a container. */
  cpu_percent: Schema.NullOr(Schema.Finite),
  memory_used: Schema.Finite,
  memory_total: Schema.Finite,
  disk_used: Schema.NullOr(Schema.Finite),
  disk_total: Schema.NullOr(Schema.Finite),
  /** The received bytes since the start of the machine or container; the next field has the sent bytes. */
  network_received: Schema.Finite,
  network_sent: Schema.Finite
}).annotate({ identifier: "MetricPoint" })

/** The metrics of a server, or of the containers of an application, a database or a service. */
export const Metrics = Schema.Struct({
  /** Whether the server is sampled. */
  is_enabled: Schema.Boolean,
  /** The length of the interval of one point, in seconds. */
  interval_seconds: Schema.Finite,
  points: Schema.Array(MetricPoint)
}).annotate({ identifier: "Metrics" })

/**
 * The metrics settings of a server, named after Coolify's agent Sentinel.
 *
 * Slipway collects metrics without an agent on the server.
 */
export const SentinelSettings = Schema.Struct({
  is_sentinel_enabled: Schema.Boolean,
  is_metrics_enabled: Schema.Boolean,
  sentinel_metrics_refresh_rate_seconds: Schema.Finite,
  sentinel_metrics_history_days: Schema.Finite,
  /** The time of the newest sample. */
  sentinel_updated_at: Schema.NullOr(Schema.String),
  ...sameFields.sentinel
}).annotate({ identifier: "SentinelSettings" })

/** The request body that changes the metrics settings of a server. */
export const SentinelSettingsChange = Schema.Struct({
  is_sentinel_enabled: Schema.optionalKey(Schema.Boolean),
  is_metrics_enabled: Schema.optionalKey(Schema.Boolean),
  sentinel_metrics_refresh_rate_seconds: Schema.optionalKey(whole(5, 3_600)),
  sentinel_metrics_history_days: Schema.optionalKey(whole(1, 30)),
  is_sentinel_debug_enabled: Schema.optionalKey(sameFields.sentinel.is_sentinel_debug_enabled)
}).annotate({ identifier: "SentinelSettingsChange" })

const params = { uuid: Schema.String }
const points = { params, query, success: Metrics, error: [BadRequestBody, NotFoundBody] } as const

/** The endpoints of metrics. */
export class MetricsApi extends HttpApiGroup.make("metrics")
  .add(
    HttpApiEndpoint.get("settings", "/servers/:uuid/sentinel", {
      params,
      success: SentinelSettings,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read the metrics settings of a server")
      .pipe(access("server.read")),
    HttpApiEndpoint.patch("updateSettings", "/servers/:uuid/sentinel", {
      params,
      payload: SentinelSettingsChange,
      success: SentinelSettings,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change whether and how often a server is sampled")
      .pipe(access("server.update")),
    HttpApiEndpoint.get("ofServer", "/servers/:uuid/metrics", points)
      .annotate(OpenApi.Summary, "Read the metrics of a server of the last hours")
      .pipe(access("server.metrics")),
    HttpApiEndpoint.get("ofApplication", "/applications/:uuid/metrics", points)
      .annotate(OpenApi.Summary, "Read the metrics of the containers of an application of the last hours")
      .pipe(access("application.metrics")),
    HttpApiEndpoint.get("ofDatabase", "/databases/:uuid/metrics", points)
      .annotate(OpenApi.Summary, "Read the metrics of the container of a database of the last hours")
      .pipe(access("database.metrics")),
    HttpApiEndpoint.get("ofService", "/services/:uuid/metrics", points)
      .annotate(OpenApi.Summary, "Read the metrics of the containers of a service of the last hours")
      .pipe(access("service.metrics"))
  )
  .annotate(OpenApi.Description, "CPU, memory, disk and network of servers and containers.") {}
