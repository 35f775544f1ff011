import { millisecondsOf } from "@slipway/domain"
import {
  type MetricPoint,
  type MetricSample,
  MetricStore,
  type MetricWindow
} from "@slipway/domain/deploy/infrastructure"
import { DateTime, Effect, Layer, Result } from "effect"
import { byCodePoints } from "../../codePoints.ts"
import { Tables } from "../base/tables.ts"

const average = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

const greatest = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** Returns the data points of samples, sorted by time, then by name. */
const pointsOf = (
  samples: ReadonlyArray<MetricSample>,
  { seconds, since }: MetricWindow
): ReadonlyArray<MetricPoint> => {
  const startOf = (at: string) => Math.floor(millisecondsOf(at) / 1_000 / seconds) * seconds
  const groups = Map.groupBy(
    samples.filter(({ at }) => at >= since),
    ({ at, container }) => `${startOf(at)} ${container}`
  )
  return [...groups.values()]
    .flatMap(([first, ...others]) => {
      if (first === undefined) return []
      const all = [first, ...others]
      return [
        {
          container: first.container,
          at: DateTime.formatIso(DateTime.makeUnsafe(startOf(first.at) * 1_000)),
          cpuPercent: average(all.map((each) => each.cpuPercent)),
          memoryUsed: average(all.map((each) => each.memoryUsed)) ?? 0,
          memoryTotal: greatest(all.map((each) => each.memoryTotal)) ?? 0,
          diskUsed: average(all.map((each) => each.diskUsed)),
          diskTotal: greatest(all.map((each) => each.diskTotal)),
          received: greatest(all.map((each) => each.received)) ?? 0,
          sent: greatest(all.map((each) => each.sent)) ?? 0
        }
      ]
    })
    .toSorted((one, other) =>
      one.at === other.at ? ((one.container ?? "") < (other.container ?? "") ? -1 : 1) : one.at < other.at ? -1 : 1
    )
}

/** Stores the metric samples of servers and containers in memory. */
export const metricStore = Layer.effect(
  MetricStore,
  Effect.map(Tables, ({ database, metric, metricsOfApplication, metricsOfServer, server }) => ({
    add: (samples) =>
      database.write((snapshot): Result.Result<void, never> => {
        for (const sample of samples) {
          if (server.has(snapshot, sample.serverUuid)) metric.insert(snapshot, { sample })
        }
        return Result.void
      }),
    ofServer: (uuid, window) =>
      database.read((snapshot) =>
        pointsOf(
          metricsOfServer
            .list(snapshot, uuid)
            .map(({ sample }) => sample)
            .filter(({ container }) => container === null),
          window
        )
      ),
    ofApplication: (uuid, window) =>
      database.read((snapshot) =>
        pointsOf(
          metricsOfApplication.list(snapshot, uuid).map(({ sample }) => sample),
          window
        )
      ),
    newestOf: (uuids) =>
      database.read(
        (snapshot) =>
          new Map(
            uuids.flatMap((uuid) => {
              const samples = metricsOfServer.list(snapshot, uuid).flatMap(({ sample }) => {
                const { applicationUuid: _, serverUuid: __, ...point } = sample
                return sample.container === null ? [point] : []
              })
              const newest = samples.toSorted((one, other) => byCodePoints(one.at, other.at)).at(-1)
              return newest === undefined ? [] : [[uuid, newest] as const]
            })
          )
      ),
    forget: (uuid, before) =>
      database.write((snapshot): Result.Result<void, never> => {
        for (const { id, sample } of metricsOfServer.list(snapshot, uuid)) {
          if (sample.at < before) metric.remove(snapshot, id)
        }
        return Result.void
      })
  }))
)
