import { Metrics, Servers } from "@slipway/deploy/infrastructure"
import { InvalidInput } from "@slipway/domain"
import type { MetricPoint, Server } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { coolifySentinelFields } from "../../../api/deploy/base/coolifyFields.ts"
import { MetricsApi } from "../../../api/deploy/infrastructure/metrics.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { definedFields } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(MetricsApi).prefix("/api/v1") {}

const showSettings = (server: Server, newest: string | null) => ({
  is_sentinel_enabled: server.isMetricsEnabled,
  is_metrics_enabled: server.isMetricsEnabled,
  sentinel_metrics_refresh_rate_seconds: server.metricsInterval,
  sentinel_metrics_history_days: server.metricsDays,
  sentinel_updated_at: newest,
  ...coolifySentinelFields
})

const showPoint = (point: MetricPoint) => ({
  container: point.container,
  at: point.at,
  cpu_percent: point.cpuPercent,
  memory_used: point.memoryUsed,
  memory_total: point.memoryTotal,
  disk_used: point.diskUsed,
  disk_total: point.diskTotal,
  network_received: point.received,
  network_sent: point.sent
})

interface Measured {
  readonly isEnabled: boolean
  readonly points: ReadonlyArray<MetricPoint>
  readonly seconds: number
}

const show = ({ isEnabled, points, seconds }: Measured) => ({
  is_enabled: isEnabled,
  interval_seconds: seconds,
  points: points.map(showPoint)
})

/** The handlers of metrics. */
export const layerMetrics = HttpApiBuilder.group(Api, "metrics", (handlers) =>
  handlers.handleAll({
    settings: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.read")
          return showSettings(proof.resource.server, yield* Metrics.newestOf(proof))
        })
      ),
    updateSettings: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.update")
          const { is_metrics_enabled: isEnabled, is_sentinel_enabled: agent = isEnabled } = payload
          if (isEnabled !== undefined && agent !== isEnabled) {
            const sentence = "Must equal is_metrics_enabled: the platform samples servers itself."
            return yield* new InvalidInput({ problems: { is_sentinel_enabled: [sentence] } })
          }
          const server = yield* Servers.update(
            proof,
            definedFields({
              isMetricsEnabled: agent,
              metricsInterval: payload.sentinel_metrics_refresh_rate_seconds,
              metricsDays: payload.sentinel_metrics_history_days
            })
          )
          return showSettings(server, yield* Metrics.newestOf(proof))
        })
      ),
    ofServer: ({ query: { hours = 1 } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return show(yield* Metrics.ofServer(yield* granted("server.metrics"), hours))
        })
      ),
    ofApplication: ({ query: { hours = 1 } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return show(yield* Metrics.ofContainers(yield* granted("application.metrics"), hours))
        })
      ),
    ofDatabase: ({ query: { hours = 1 } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return show(yield* Metrics.ofContainers(yield* granted("database.metrics"), hours))
        })
      ),
    ofService: ({ query: { hours = 1 } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return show(yield* Metrics.ofContainers(yield* granted("service.metrics"), hours))
        })
      )
  })
)
