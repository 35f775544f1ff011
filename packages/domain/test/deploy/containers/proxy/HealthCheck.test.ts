import { assert, describe, it } from "@effect/vitest"
import { type HealthCheck, healthCheckOf, ProbeFailed, untilHealthy } from "@slipway/domain/deploy/containers"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { configurationOf } from "./support.ts"

const check: HealthCheck = {
  request: { scheme: "http", method: "GET", path: "/", host: null, timeout: 5 },
  port: null,
  status: 200,
  text: null,
  interval: 5,
  retries: 3,
  startPeriod: 2
}

const healthy = Effect.succeed({ status: 200, body: "" })
const broken = Effect.succeed({ status: 500, body: "" })
const silent = Effect.fail(new ProbeFailed({ because: "connection refused" }))

/** Runs a check on responses, repeating the last one. Returns the time and the result of each try. */
const ran = Effect.fnUntraced(function* (
  ...answers: ReadonlyArray<Effect.Effect<{ status: number; body: string }, ProbeFailed>>
) {
  const began = yield* Clock.currentTimeMillis
  const at: Array<number> = []
  const probe = Effect.gen(function* () {
    const answer = answers[Math.min(at.length, answers.length - 1)] ?? healthy
    at.push(((yield* Clock.currentTimeMillis) - began) / 1000)
    return yield* answer
  })
  const reports: Array<string> = []
  const fiber = yield* Effect.forkChild(
    Effect.result(untilHealthy(check, probe, (because) => Effect.sync(() => void reports.push(because))))
  )
  yield* TestClock.adjust("1 hour")
  const result = yield* Fiber.join(fiber)
  return {
    at,
    reports,
    end: result._tag === "Success" ? "healthy" : `${result.failure.because}, ${result.failure.tries} tries`
  }
})

describe("the health check of an application", () => {
  it("is off by default", () => {
    assert.isNull(healthCheckOf(configurationOf({})))
  })

  it("has the defaults of the specification", () => {
    assert.deepStrictEqual(healthCheckOf(configurationOf({ health_check_enabled: true })), {
      request: { scheme: "http", method: "GET", path: "/", host: null, timeout: 5 },
      port: null,
      status: 200,
      text: null,
      interval: 5,
      retries: 10,
      startPeriod: 5
    })
  })

  it("uses every field of the configuration", () => {
    const all = configurationOf({
      health_check_enabled: true,
      health_check_path: "/héalth/../ok?a=b#c",
      health_check_port: "9000",
      health_check_host: "h.test",
      health_check_method: "post",
      health_check_return_code: 204,
      health_check_scheme: "https",
      health_check_response_text: "fine",
      health_check_interval: 7,
      health_check_timeout: 8,
      health_check_retries: 9,
      health_check_start_period: 0
    })
    assert.deepStrictEqual(healthCheckOf(all), {
      request: { scheme: "https", method: "POST", path: "/ok?a=b", host: "h.test", timeout: 8 },
      port: 9000,
      status: 204,
      text: "fine",
      interval: 7,
      retries: 9,
      startPeriod: 0
    })
  })

  it("treats empty texts as unset", () => {
    const empty = configurationOf({
      health_check_enabled: true,
      health_check_path: "",
      health_check_port: "",
      health_check_host: "",
      health_check_method: "",
      health_check_response_text: ""
    })
    assert.deepStrictEqual(healthCheckOf(empty), healthCheckOf(configurationOf({ health_check_enabled: true })))
  })

  it("sends the path to the container unchanged (invariant I23)", () => {
    const path = "//evil.test/$(id)`id`"
    const found = healthCheckOf(configurationOf({ health_check_enabled: true, health_check_path: path }))
    assert.strictEqual(found?.request.path, "//evil.test/$(id)%60id%60")
  })

  it.effect("ends at the first healthy response", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ran(healthy), { at: [0], reports: [], end: "healthy" })
      const late = yield* ran(silent, silent, broken, broken, healthy)
      assert.deepStrictEqual(late, {
        at: [0, 1, 2, 7, 12],
        reports: [
          "connection refused",
          "connection refused",
          "responded with 500 instead of 200",
          "responded with 500 instead of 200"
        ],
        end: "healthy"
      })
    })
  )

  it.effect("fails after its number of retries, and does not count failures of the start period", () =>
    Effect.gen(function* () {
      const { at, end } = yield* ran(silent)
      assert.deepStrictEqual(at, [0, 1, 2, 7, 12])
      assert.strictEqual(end, "connection refused, 5 tries")
    })
  )
})
