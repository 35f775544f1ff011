import type { MetricPoint } from "@slipway/client/deploy"
import { ratesOf } from "../../layout/metrics.ts"

/** The measured values of all containers of a resource, in equal intervals; null for an interval without a value. */
export interface MetricSums {
  readonly cpu: ReadonlyArray<number | null>
  readonly memory: ReadonlyArray<number | null>
  readonly received: ReadonlyArray<number | null>
  readonly sent: ReadonlyArray<number | null>
}

/** Returns the points of each container, oldest first. */
export const byContainer = (
  points: ReadonlyArray<MetricPoint>
): ReadonlyMap<string, readonly [MetricPoint, ...ReadonlyArray<MetricPoint>]> => {
  const found = new Map<string, [MetricPoint, ...Array<MetricPoint>]>()
  for (const point of points) {
    const name = point.container ?? ""
    const present = found.get(name)
    if (present === undefined) found.set(name, [point])
    else present.push(point)
  }
  return found
}

/**
 * Adds up the values of the containers of a resource in each interval of `seconds`. Counters become rates before,
 * because each container counts from its own start.
 */
export const sumsOf = (points: ReadonlyArray<MetricPoint>, seconds: number): MetricSums => {
  const times = points.map(({ at }) => Date.parse(at))
  const first = Math.min(...times)
  const length = points.length === 0 ? 0 : Math.round((Math.max(...times) - first) / (seconds * 1_000)) + 1
  const empty = () => Array.from({ length }, (): number | null => null)
  const sums = { cpu: empty(), memory: empty(), received: empty(), sent: empty() }
  const add = (values: Array<number | null>, at: string, value: number | null | undefined) => {
    if (value == null) return
    const index = Math.round((Date.parse(at) - first) / (seconds * 1_000))
    values[index] = (values[index] ?? 0) + value
  }
  for (const [, of] of byContainer(points)) {
    const received = ratesOf(of, "network_received")
    const sent = ratesOf(of, "network_sent")
    for (const [index, point] of of.entries()) {
      add(sums.cpu, point.at, point.cpu_percent)
      add(sums.memory, point.at, point.memory_used)
      add(sums.received, point.at, received[index - 1])
      add(sums.sent, point.at, sent[index - 1])
    }
  }
  return sums
}
