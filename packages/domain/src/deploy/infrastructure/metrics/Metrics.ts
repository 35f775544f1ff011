import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { ServerUuid } from "../servers/Server.ts"

/** The measured CPU, memory, disk and network values of a server, or of one container. */
export interface MetricValues {
  /** The CPU use in percent of the whole machine, or, for a container, of one processor; null if unknown. */
  readonly cpuPercent: number | null
  /** The used memory in bytes. */
  readonly memoryUsed: number
  /** The memory of the machine, or the memory limit of the container, in bytes. */
  readonly memoryTotal: number
  /** The used disk space in bytes; null for containers, and if unknown. */
  readonly diskUsed: number | null
  readonly diskTotal: number | null
  /** The received network bytes since the start of the machine or container. */
  readonly received: number
  readonly sent: number
}

/** One measurement of a server, or of a container on it. */
export interface MetricSample extends MetricValues {
  readonly serverUuid: ServerUuid
  /** The application or database of the container; null for the server itself. */
  readonly applicationUuid: ApplicationUuid | null
  readonly container: string | null
  readonly at: string
}

/** The measured values of a server or container in one interval: averages; for totals and counters, the maximum. */
export interface MetricPoint extends MetricValues {
  readonly container: string | null
  /** The start of the interval, in ISO 8601. */
  readonly at: string
}

/** The start time and the length of the intervals of a metrics query. */
export interface MetricWindow {
  readonly since: string
  /** The length of an interval in seconds. */
  readonly seconds: number
}

/**
 * Stores the CPU, memory, disk and network measurements of servers and containers.
 *
 * Must:
 * - average the samples of a server in each interval, oldest first
 * - return only the samples of the containers of the given application
 * - return the newest samples of several servers in one call, without those of containers
 * - remove the samples of a server before a time
 * - remove the samples of a removed server
 */
export class MetricStore extends Context.Service<
  MetricStore,
  {
    /** Stores measurements of one server and its containers; does nothing if the server does not exist. */
    readonly add: (samples: ReadonlyArray<MetricSample>) => Effect.Effect<void>
    /** Returns the averaged measurements of a server, without those of its containers. */
    readonly ofServer: (server: ServerUuid, window: MetricWindow) => Effect.Effect<ReadonlyArray<MetricPoint>>
    /** Returns the averaged measurements of an application's or database's containers, by time, then by name. */
    readonly ofApplication: (
      application: ApplicationUuid,
      window: MetricWindow
    ) => Effect.Effect<ReadonlyArray<MetricPoint>>
    /** Returns the newest measurement of each server; servers without measurements are omitted. */
    readonly newestOf: (servers: ReadonlyArray<ServerUuid>) => Effect.Effect<ReadonlyMap<ServerUuid, MetricPoint>>
    readonly forget: (server: ServerUuid, before: string) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/MetricStore") {}

/** The maximum number of points in the response to a metrics query. */
const mostPoints = 120

/**
 * Returns the interval length in seconds that divides a period of `hours` into at most 120 points. It is never shorter
 * than the sampling interval `sampled`, which is in seconds.
 *
 * @example
 * metricInterval(1, 60) // => 60
 * metricInterval(24, 60) // => 720
 */
export const metricInterval = (hours: number, sampled: number): number =>
  Math.max(sampled, Math.ceil((hours * 3_600) / mostPoints))
