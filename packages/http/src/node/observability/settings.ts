import { Effect } from "effect"
import { type Listening, listeningSettings, numberSetting, SettingInvalid, textSetting } from "../settings.ts"

/** What an operator wants to see of a service. */
export interface Observability {
  /** Where metrics can be read; nowhere when it is left out. */
  readonly metrics: Listening | undefined
  /** From how many milliseconds on a request is logged; none when it is 0. */
  readonly slow: number
  /** Whether traces are sent to where the standard variables of OpenTelemetry say. */
  readonly traces: boolean
  readonly logs: "text" | "json"
}

const wrong = (variable: string, problem: string) => Effect.fail(new SettingInvalid({ variable, problem }))

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

/** Reads what an operator wants to see, from variables that begin with the name of the service. */
export const observabilitySettings = (prefix: string): Effect.Effect<Observability, SettingInvalid> =>
  Effect.gen(function* () {
    const logs = (yield* textSetting(`${prefix}_LOG_FORMAT`)) ?? "text"
    if (logs !== "text" && logs !== "json") return yield* wrong(`${prefix}_LOG_FORMAT`, "must be text or json")
    const port = `${prefix}_METRICS_PORT`
    return {
      metrics: (yield* textSetting(port)) === undefined ? undefined : yield* listeningSettings(port, 0),
      slow: yield* numberSetting(`${prefix}_SLOW_REQUEST`, 0, { minimum: 0, maximum: 3_600_000 }),
      traces: yield* traces,
      logs
    }
  })
