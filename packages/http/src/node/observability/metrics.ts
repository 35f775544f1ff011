import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect, Layer, Metric, Tracer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { printMessage } from "../messages.ts"
import { serve } from "../serve.ts"
import { Observed } from "./layer.ts"

/** Gauge metrics by name; `read` is run at each scrape. */
export type Gauges<E, R> = Readonly<
  Record<string, { readonly description: string; readonly read: Effect.Effect<number, E, R> }>
>

const processGauges = (): Gauges<never, never> => {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return {
    process_cpu_seconds: {
      description: "CPU time of the process",
      read: Effect.sync(() => {
        const { system, user } = process.cpuUsage()
        return (system + user) / 1e6
      })
    },
    process_memory_bytes: {
      description: "Resident memory of the process",
      read: Effect.sync(() => process.memoryUsage.rss())
    },
    event_loop_delay_seconds: {
      description: "Event loop delay since the last scrape, 99th percentile",
      read: Effect.sync(() => {
        const seconds = delay.percentile(99) / 1e9
        delay.reset()
        return seconds
      })
    }
  }
}

/** Layer that serves metrics at `/metrics` on a separate port; does nothing if no port is configured. */
export const layerMetrics = <E, R>(
  gauges: Gauges<E, R>,
  onListening: (base: string) => Effect.Effect<void> = (base) => printMessage(`  Metrics    ${base}/metrics\n`)
) =>
  Layer.unwrap(
    Effect.map(Observed, ({ metrics }) => {
      if (metrics === undefined) return Layer.empty
      const read = Effect.forEach(
        Object.entries({ ...processGauges(), ...gauges }),
        ([name, { description, read }]) =>
          Effect.flatMap(read, (value) => Metric.update(Metric.gauge(`slipway_${name}`, { description }), value)),
        { discard: true }
      )
      const text = Effect.map(Effect.andThen(read, PrometheusMetrics.format()), (body) =>
        HttpServerResponse.text(body, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
      const route = HttpRouter.add("GET", "/metrics", text)
      return serve(route, {
        ...metrics,
        largestBody: 1,
        onListening
      }).pipe(Layer.provide(Layer.succeed(Tracer.Tracer, Tracer.nativeTracer)))
    })
  )
