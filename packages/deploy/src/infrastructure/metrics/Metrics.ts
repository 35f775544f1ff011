import { timeAgo } from "@slipway/domain"
import { ownerOf } from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import {
  type MetricPoint,
  MetricStore,
  metricInterval,
  type Server,
  ServerStore,
  type ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/**
 * Returns the time window of the last `hours`, with the length of its intervals in seconds. An interval is at least as
 * long as the sampling interval `sampled`.
 */
const windowOf = Effect.fnUntraced(function* (hours: number, sampled: number) {
  return { since: yield* timeAgo({ hours }), seconds: metricInterval(hours, sampled) }
})

/** Returns the measurements of a server in the last hours, and the length of their intervals in seconds. */
export const ofServer = Effect.fnUntraced(function* ({ resource }: Authorized<"server.metrics">, hours: number) {
  const { isMetricsEnabled, metricsInterval, uuid } = resource.server
  const window = yield* windowOf(hours, metricsInterval)
  return {
    seconds: window.seconds,
    isEnabled: isMetricsEnabled,
    points: yield* (yield* MetricStore).ofServer(uuid, window)
  }
})

/**
 * Returns the measurements of the containers of an application, a database or a service in the last hours, and their
 * interval in seconds.
 */
export const ofContainers = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.metrics" | "database.metrics" | "service.metrics">,
  hours: number
) {
  const { placement } = "database" in resource ? resource.database : resource.application
  const owner = "database" in resource ? ownerOf(resource.database.uuid) : resource.application.uuid
  const server = yield* (yield* ServerStore).find(placement.serverUuid)
  const window = yield* windowOf(hours, server?.metricsInterval ?? 1)
  return {
    seconds: window.seconds,
    isEnabled: server?.isMetricsEnabled ?? false,
    points: yield* (yield* MetricStore).ofApplication(owner, window)
  }
})

/** Returns the time of the newest measurement of a server; null if there is none. */
export const newestOf = Effect.fnUntraced(function* ({ resource }: Authorized<"server.read" | "server.update">) {
  const { uuid } = resource.server
  return (yield* (yield* MetricStore).newestOf([uuid])).get(uuid)?.at ?? null
})

/** Returns the newest measurement of each of the given servers that is measured. */
export const newestAmong = Effect.fnUntraced(function* (
  _: Authorized<"server.list">,
  servers: ReadonlyArray<Pick<Server, "isMetricsEnabled" | "uuid">>
) {
  const measured = servers.filter(({ isMetricsEnabled }) => isMetricsEnabled)
  if (measured.length === 0) return new Map<ServerUuid, MetricPoint>()
  return yield* (yield* MetricStore).newestOf(measured.map(({ uuid }) => uuid))
})
