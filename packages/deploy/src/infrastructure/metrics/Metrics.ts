import { timeAgo } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { MetricStore, metricInterval, ServerStore } from "@slipway/domain/deploy/infrastructure"
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
  const { metricsInterval, uuid } = resource.server
  const window = yield* windowOf(hours, metricsInterval)
  return { seconds: window.seconds, points: yield* (yield* MetricStore).ofServer(uuid, window) }
})

/** Returns the measurements of an application's containers in the last hours, and their interval in seconds. */
export const ofApplication = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.metrics">,
  hours: number
) {
  const { placement, uuid } = resource.application
  const server = yield* (yield* ServerStore).find(placement.serverUuid)
  const window = yield* windowOf(hours, server?.metricsInterval ?? 1)
  return { seconds: window.seconds, points: yield* (yield* MetricStore).ofApplication(uuid, window) }
})

/** Returns the time of the newest measurement of a server; null if there is none. */
export const newestOf = Effect.fnUntraced(function* ({ resource }: Authorized<"server.read" | "server.update">) {
  const { uuid } = resource.server
  return (yield* (yield* MetricStore).newestOf([uuid])).get(uuid) ?? null
})
