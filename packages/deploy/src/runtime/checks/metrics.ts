import { logOutages, millisecondsOf, now, timeAgo } from "@slipway/domain"
import { cpuPercentBetween, type HostUse } from "@slipway/domain/deploy/containers"
import {
  isHandedOver,
  type MetricSample,
  MetricStore,
  type Server,
  ServerStore,
  type ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Semaphore } from "effect"
import { engineFailureReason, inTime, openEngine } from "../../infrastructure/servers/validate.ts"

/** Maximum number of servers that are sampled concurrently. */
const concurrency = 8

/** The maximum time between the two CPU measurements of a CPU percentage, in sampling intervals. */
const longestGap = 10

interface Reading {
  readonly at: string
  readonly cpu: HostUse["cpu"]
}

/** Measures a server and its containers. Values of the server are null if only containers can be measured. */
const measure = Effect.fnUntraced(function* (server: Server) {
  const engine = yield* openEngine(server)
  const containers = yield* engine.containerUse
  const host = yield* Effect.catchTag(engine.hostUse, "EngineRefused", () => Effect.succeed(null))
  const disk = yield* Effect.catchTag(engine.diskSpace, "EngineRefused", () => Effect.succeed(null))
  return { containers, host, disk }
}, Effect.scoped)

/** Measures a server and its containers, and stores the samples. `earlier` has the previous CPU measurements. */
const sample = Effect.fnUntraced(function* (server: Server, at: string, earlier: Map<ServerUuid, Reading>) {
  const { containers, disk, host } = yield* inTime(server)(measure(server))
  const samples: Array<MetricSample> = containers.map(({ cpuPercent, memory, name, network, owner }) => ({
    serverUuid: server.uuid,
    applicationUuid: owner.application,
    container: name,
    at,
    cpuPercent,
    memoryUsed: memory.used,
    memoryTotal: memory.limit,
    diskUsed: null,
    diskTotal: null,
    ...network
  }))
  if (host !== null) {
    const before = earlier.get(server.uuid)
    const isRecent =
      before !== undefined &&
      millisecondsOf(at) - millisecondsOf(before.at) <= longestGap * server.metricsInterval * 1_000
    earlier.set(server.uuid, { at, cpu: host.cpu })
    samples.push({
      serverUuid: server.uuid,
      applicationUuid: null,
      container: null,
      at,
      cpuPercent: cpuPercentBetween(isRecent ? before.cpu : undefined, host.cpu),
      memoryUsed: host.memory.used,
      memoryTotal: host.memory.total,
      diskUsed: disk?.used ?? null,
      diskTotal: disk === null ? null : disk.used + disk.free,
      ...host.network
    })
  }
  const store = yield* MetricStore
  yield* store.add(samples)
  yield* store.forget(server.uuid, yield* timeAgo({ days: server.metricsDays }))
})

/**
 * Samples the CPU, memory and disk use of servers and their containers until it is interrupted, for servers with
 * metrics enabled. Checks every second which servers are due.
 *
 * Several processes share the work: each process skips an interval that already has a sample.
 */
export const sampleMetrics = Effect.gen(function* () {
  const servers = yield* ServerStore
  const store = yield* MetricStore
  const busy = new Set<ServerUuid>()
  const due = new Map<ServerUuid, number>()
  const earlier = new Map<ServerUuid, Reading>()
  const permits = yield* Semaphore.make(concurrency)
  /** Returns the servers that have no sample in the current interval yet; another process may have stored one. */
  const dueOf = Effect.fnUntraced(function* (all: ReadonlyArray<Server>, at: string) {
    const present = millisecondsOf(at)
    const passed = all.filter(({ uuid }) => present >= (due.get(uuid) ?? 0))
    if (passed.length === 0) return []
    const newest = yield* store.newestOf(passed.map(({ uuid }) => uuid))
    for (const { metricsInterval, uuid } of passed) due.set(uuid, present + metricsInterval * 1_000)
    return passed.filter(({ metricsInterval, uuid }) => {
      const last = newest.get(uuid)?.at
      return last === undefined || present - millisecondsOf(last) >= metricsInterval * 1_000
    })
  })
  const take = (server: Server, at: string) =>
    Effect.suspend(() => {
      if (busy.has(server.uuid)) return Effect.void
      busy.add(server.uuid)
      return permits
        .withPermits(1)(sample(server, at, earlier))
        .pipe(
          Effect.catch((error) =>
            Effect.annotateLogs(
              Effect.logDebug(`no metrics of the server ${server.name}: ${engineFailureReason(error)}`),
              { server: server.uuid }
            )
          ),
          Effect.catchCause((cause) => Effect.logWarning(`sampling the server ${server.uuid} failed`, cause)),
          Effect.ensuring(Effect.sync(() => busy.delete(server.uuid))),
          Effect.forkScoped,
          Effect.asVoid
        )
    })
  const look = Effect.gen(function* () {
    const at = yield* now
    const managed = (yield* servers.withMetrics).filter((server) => !isHandedOver(server))
    for (const server of yield* dueOf(managed, at)) yield* take(server, at)
  })
  return yield* look.pipe(
    logOutages("sampling servers failed"),
    Effect.andThen(Effect.sleep("1 second")),
    Effect.forever
  )
}).pipe(Effect.scoped)
