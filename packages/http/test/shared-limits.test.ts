import { describe, expect, it } from "@effect/vitest"
import type { RequestCount } from "@slipway/domain"
import { Clock, Deferred, Effect, Fiber, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { countRequests } from "../src/server/gate/RateLimits.ts"
import { batchedCountExchange } from "../src/server/gate/sharedCounts.ts"

const secret = Redacted.make(new Uint8Array(32).fill(7))
const request = HttpServerRequest.fromWeb(new Request("http://service.test/"))

type Add = (counts: ReadonlyArray<RequestCount>) => Effect.Effect<ReadonlyArray<RequestCount>>

/** A minimal model of the shared database; `told` has the counts of each call. */
const database = () => {
  const rows = new Map<string, { count: number; endsAt: number }>()
  const told: Array<ReadonlyArray<RequestCount>> = []
  const add: Add = (counts) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      told.push(counts)
      return counts.map(({ caller, count, endsIn }) => {
        const row = rows.get(caller)
        const kept = row !== undefined && row.endsAt > now ? row : { count: 0, endsAt: now + endsIn }
        const next = { count: kept.count + count, endsAt: kept.endsAt }
        rows.set(caller, next)
        return { caller, count: next.count, endsIn: next.endsAt - now }
      })
    })
  return { add, told }
}

/** A process that allows or rejects a request. */
const process = (quota: number, add: Add) => {
  const count = countRequests(
    { address: quota, token: undefined, trustedProxies: [] },
    batchedCountExchange(add, secret)
  )
  return Effect.gen(function* () {
    let counted = count(request, yield* Clock.currentTimeMillis)
    while (counted.report !== undefined) {
      yield* counted.report
      counted = count(request, yield* Clock.currentTimeMillis)
    }
    return counted.retryAfter
  })
}

describe("rate limits of several processes", () => {
  it.effect.each([
    { processes: 1, quota: 100 },
    { processes: 2, quota: 100 },
    { processes: 2, quota: 3 },
    { processes: 4, quota: 250 }
  ])(
    "allow $quota requests for $processes processes, and at most a tenth more for each process",
    ({ processes, quota }) =>
      Effect.gen(function* () {
        const { add, told } = database()
        const all = Array.from({ length: processes }, () => process(quota, add))
        const asks = Array.from({ length: 4 * quota }, (_, index) => all[(index * index + index) % processes])
        const waits = yield* Effect.all(asks as ReadonlyArray<(typeof all)[number]>, { concurrency: 16 })
        const passed = waits.filter((wait) => wait === undefined).length
        const share = Math.ceil(quota / 10)
        expect(passed).toBeGreaterThanOrEqual(quota)
        expect(passed).toBeLessThan(quota + (processes === 1 ? 1 : processes * share))
        // Not one statement per request: each call sends a tenth of the quota, and no rejected requests.
        expect(told.length).toBeLessThanOrEqual(Math.ceil(passed / share) + processes)
        expect(told.flat().every(({ caller }) => /^[\w-]{43}$/.test(caller))).toBe(true)
      })
  )

  it.effect("reset for all processes at the reset time of the first process that counted", () =>
    Effect.gen(function* () {
      const { add } = database()
      const [one, other] = [process(1, add), process(1, add)]
      expect(yield* one).toBe(undefined)
      expect(yield* one).toBe(60)
      yield* TestClock.adjust("40 seconds")
      expect(yield* other).toBe(undefined)
      expect(yield* other).toBe(20)
    })
  )

  it.effect("are separate for each process while the database is unavailable", () =>
    Effect.gen(function* () {
      const [one, other] = [process(2, () => Effect.never), process(2, () => Effect.die("away"))]
      expect([yield* one, yield* other, yield* other, yield* other]).toEqual([undefined, undefined, undefined, 60])
      const begun = yield* Deferred.make<void>()
      const late = yield* Effect.forkChild(Effect.andThen(Deferred.succeed(begun, undefined), one))
      yield* Deferred.await(begun)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(late)).toBe(undefined)
    })
  )
})
