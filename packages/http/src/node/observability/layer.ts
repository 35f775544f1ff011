import { ConfigProvider, Context, Effect, Layer, Logger, Metric, References, Tracer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { SpanPropagationEnabled } from "effect/sql/Statement"
import { textSetting } from "../settings.ts"
import { makeMeasures, routeOf, secondsOf } from "./measures.ts"
import type { Observability } from "./settings.ts"
import { type ObservedSpan, observingTracer } from "./spans.ts"

/** The observability settings of the running service, and the registry of its metrics. */
export const Observed = Context.Reference<Observability>("@slipway/http/Observed", {
  defaultValue: () => ({ metrics: undefined, slow: 0, traces: false, logs: "text" })
})

/** Returns the defaults of the standard OpenTelemetry variables. */
const usual = (name: string) =>
  ConfigProvider.fromEnv({ env: { OTEL_SERVICE_NAME: `slipway-${name}`, OTEL_TRACES_EXPORTER: "otlp" } })

const layerSerialization = Layer.unwrap(
  Effect.map(textSetting("OTEL_EXPORTER_OTLP_PROTOCOL"), (protocol) =>
    protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
  )
)

const layerExporter = (name: string) =>
  OtlpTracer.layerFromConfig().pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(layerSerialization),
    Layer.provide(
      Layer.effect(
        ConfigProvider.ConfigProvider,
        Effect.map(ConfigProvider.ConfigProvider, (set) => ConfigProvider.orElse(set, usual(name)))
      )
    )
  )

const logSlow = (span: ObservedSpan) =>
  Effect.annotateLogs(Effect.logWarning("slow request"), {
    request_id: span.said("request.id"),
    method: span.said("http.request.method"),
    route: routeOf(span),
    status: span.said("http.response.status_code"),
    milliseconds: Math.round(secondsOf(span) * 1_000),
    statements: span.statements
  })

const layerObserver = ({ slow }: Observability) =>
  Layer.effect(
    Tracer.Tracer,
    Effect.gen(function* () {
      const innerTracer = yield* Tracer.Tracer
      const context = yield* Effect.context<never>()
      const run = Effect.runForkWith(context)
      const measures = makeMeasures(context)
      return observingTracer(innerTracer, {
        began: measures.began,
        ended: (span, exit) => {
          measures.ended(span, exit)
          if (span.kind === "server" && slow > 0 && secondsOf(span) * 1_000 >= slow) run(logSlow(span))
        }
      })
    })
  )

/** Layer with the logger of a service and, if configured, metrics, traces and the log of slow requests. */
export const layerObservability = (name: string, observed: Observability) => {
  const format = observed.logs === "json" ? Logger.formatJson : Logger.formatLogFmt
  const logs = Logger.layer([Logger.withConsoleError(format)])
  const isOn = observed.metrics !== undefined || observed.traces || observed.slow > 0
  // A span without a reader still costs a statement its text, its names and its random ids.
  if (!isOn) return Layer.merge(logs, Layer.succeed(References.TracerEnabled, false))
  return layerObserver(observed).pipe(
    Layer.provide(observed.traces ? layerExporter(name) : Layer.empty),
    Layer.provideMerge(
      Layer.mergeAll(
        logs,
        Layer.succeed(Observed, observed),
        Layer.succeed(Metric.MetricRegistry, new Map()),
        Layer.succeed(SpanPropagationEnabled, true),
        // Outbound requests have secrets in their addresses; engines have their own spans.
        Layer.succeed(HttpClient.TracerDisabledWhen, () => true)
      )
    )
  )
}
