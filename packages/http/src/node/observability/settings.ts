import { Effect } from "effect"
import {
  type Listening,
  listeningSettings,
  numberSetting,
  readTogether,
  SettingInvalid,
  textSetting
} from "../settings.ts"

/** The observability settings of a service. */
export interface Observability {
  /** The host and port of the metrics endpoint; undefined turns it off. */
  readonly metrics: Listening | undefined
  /** The duration in milliseconds from which a request is logged as slow; 0 turns this log off. */
  readonly slow: number
  /** Whether traces are sent to the endpoint in the standard variables of OpenTelemetry. */
  readonly traces: boolean
  readonly logs: "text" | "json"
}

const wrong = (variable: string, problem: string) => Effect.fail(new SettingInvalid({ variable, problem }))

const logFormat = (variable: string): Effect.Effect<"text" | "json", SettingInvalid> =>
  Effect.flatMap(textSetting(variable), (text = "text") =>
    text === "text" || text === "json" ? Effect.succeed(text) : wrong(variable, "must be text or json")
  )

const collectors = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] as const

const traces = Effect.gen(function* () {
  let isOn = false
  for (const variable of collectors) {
    const text = yield* textSetting(variable)
    if (text !== undefined && !/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
      return yield* wrong(variable, "must be an address such as http://127.0.0.1:4318")
    }
    isOn ||= text !== undefined
  }
  return isOn
})

/** Reads the observability settings, from variables that begin with the name of the service. */
export const observabilitySettings = (prefix: string) => {
  const port = `${prefix}_METRICS_PORT`
  return readTogether({
    metrics: Effect.flatMap(textSetting(port), (text) =>
      text === undefined ? Effect.undefined : listeningSettings(port, 0)
    ),
    slow: numberSetting(`${prefix}_SLOW_REQUEST`, 0, { minimum: 0, maximum: 3_600_000 }),
    traces,
    logs: logFormat(`${prefix}_LOG_FORMAT`)
  }) satisfies Effect.Effect<Observability, unknown>
}
