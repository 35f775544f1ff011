import { timeAgo } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { MetricStore, metricInterval, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/** Returns the window of the last hours; an interval of it is at least as long as that of the sampling. */
const windowOf = Effect.fnUntraced(function* (hours: number, sampled: number) {
  return { since: yield* timeAgo({ hours }), seconds: metricInterval(hours, sampled) }
})

/** Returns the points of a server itself in the last hours, and the length of an interval in seconds. */
export const ofServer = Effect.fnUntraced(function* ({ resource }: Authorized<"server.metrics">, hours: number) {
  const { metricsInterval, uuid } = resource.server
  const window = yield* windowOf(hours, metricsInterval)
  return { seconds: window.seconds, points: yield* (yield* MetricStore).ofServer(uuid, window) }
})

/** Returns the points of the containers of an application in the last hours, and the length of an interval in seconds. */
export const ofApplication = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.metrics">,
  hours: number
) {
  const { placement, uuid } = resource.application
  const server = yield* (yield* ServerStore).find(placement.serverUuid)
  const window = yield* windowOf(hours, server?.metricsInterval ?? 1)
  return { seconds: window.seconds, points: yield* (yield* MetricStore).ofApplication(uuid, window) }
})

/** Returns the time of the newest sample of a server; null without one. */
export const newestOf = Effect.fnUntraced(function* ({ resource }: Authorized<"server.read" | "server.update">) {
  const { uuid } = resource.server
  return (yield* (yield* MetricStore).newestOf([uuid])).get(uuid) ?? null
})
