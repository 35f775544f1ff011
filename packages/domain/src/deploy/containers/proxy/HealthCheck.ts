import { Clock, Effect, Schema } from "effect"
import type { Configuration } from "../../apps/applications/Application.ts"
import type { ProbeAnswer, ProbeRequest } from "./Proxy.ts"
import type { ProbeFailed } from "./ProxyError.ts"

/** The HTTP health check of an application, which the proxy runs; all times are in seconds. */
export interface HealthCheck {
  readonly request: ProbeRequest
  /** The container port to probe; null is the port that receives requests. */
  readonly port: number | null
  readonly status: number
  /** The text that the response body must contain; null accepts any body. */
  readonly text: string | null
  readonly interval: number
  /** The number of failures after the start period at which the application counts as unhealthy. */
  readonly retries: number
  readonly startPeriod: number
}

// Fragments are never sent, and non-ASCII characters are sent escaped.
const sent = (path: string): string => {
  const { pathname, search } = new URL(`http://container${path === "" ? "/" : path}`)
  return `${pathname}${search}`
}

const orNull = (text: string | null): string | null => (text === "" ? null : text)

/** Returns the health check of an application, or null when it is disabled. */
export const healthCheckOf = (configuration: Configuration): HealthCheck | null => {
  if (!configuration.health_check_enabled) return null
  const port = orNull(configuration.health_check_port)
  return {
    request: {
      scheme: configuration.health_check_scheme,
      method: (orNull(configuration.health_check_method) ?? "GET").toUpperCase(),
      path: sent(configuration.health_check_path),
      host: orNull(configuration.health_check_host),
      timeout: configuration.health_check_timeout
    },
    port: port === null ? null : Number(port),
    status: configuration.health_check_return_code,
    text: orNull(configuration.health_check_response_text),
    interval: configuration.health_check_interval,
    retries: configuration.health_check_retries,
    startPeriod: configuration.health_check_start_period
  }
}

/**
 * Returns the reason why the response to a health check is unhealthy; null if it is healthy.
 *
 * @example
 * judge({ status: 200, text: null }, { status: 503, body: "" }) // => "responded with 503 instead of 200"
 * judge({ status: 200, text: "ok" }, { status: 200, body: "all ok" }) // => null
 */
export const judge = (check: Pick<HealthCheck, "status" | "text">, answer: ProbeAnswer): string | null => {
  if (answer.status !== check.status) return `responded with ${answer.status} instead of ${check.status}`
  if (check.text !== null && !answer.body.includes(check.text)) return "responded without the expected text"
  return null
}

/** The failures so far, and the seconds to wait before the next attempt; null as `wait` ends the check. */
export interface NextTry {
  readonly failures: number
  readonly wait: number | null
}

/**
 * Returns the failure count and the delay after a failed health check.
 *
 * Failures in the start period are not counted, and the next attempt follows after at most one second. `elapsed` is in
 * seconds.
 *
 * @example
 * afterFailure({ interval: 5, retries: 2, startPeriod: 10 }, 9, 0) // => { failures: 0, wait: 1 }
 * afterFailure({ interval: 5, retries: 2, startPeriod: 10 }, 10, 0) // => { failures: 1, wait: 5 }
 * afterFailure({ interval: 5, retries: 2, startPeriod: 10 }, 15, 1) // => { failures: 2, wait: null }
 */
export const afterFailure = (
  check: Pick<HealthCheck, "interval" | "retries" | "startPeriod">,
  elapsed: number,
  failures: number
): NextTry => {
  if (elapsed < check.startPeriod) return { failures, wait: Math.min(check.interval, 1) }
  const counted = failures + 1
  return { failures: counted, wait: counted < check.retries ? check.interval : null }
}

/** Reports that an application did not become healthy: the reason of the last failure, and the number of attempts. */
export class Unhealthy extends Schema.TaggedError<Unhealthy>()("Unhealthy", {
  because: Schema.String,
  tries: Schema.Int
}) {}

/**
 * Repeats a health check until it succeeds; fails with `Unhealthy` after the allowed number of failures. `report`
 * receives the reason of each failure.
 */
export const untilHealthy = Effect.fnUntraced(function* <E, R, R2>(
  check: HealthCheck,
  probe: Effect.Effect<ProbeAnswer, ProbeFailed | E, R>,
  report: (because: string) => Effect.Effect<void, never, R2>
) {
  const started = yield* Clock.currentTimeMillis
  let failures = 0
  for (let tries = 1; ; tries++) {
    const because = yield* probe.pipe(
      Effect.map((answer) => judge(check, answer)),
      Effect.catchTag("ProbeFailed", (failed) => Effect.succeed((failed as ProbeFailed).because))
    )
    if (because === null) return
    yield* report(because)
    const elapsed = ((yield* Clock.currentTimeMillis) - started) / 1000
    const next = afterFailure(check, elapsed, failures)
    if (next.wait === null) return yield* new Unhealthy({ because, tries })
    failures = next.failures
    yield* Effect.sleep(next.wait * 1000)
  }
})
