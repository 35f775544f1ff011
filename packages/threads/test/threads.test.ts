import { assert, describe, it } from "@effect/vitest"
import { makeThreads, ThreadExhausted, threadModule } from "@slipway/threads"
import { Cause, Effect, Exit } from "effect"
import type { Question } from "./support/testThread.ts"

const module = threadModule(import.meta.url, "support/testThread")
const threads = (count: number, timeout: `${number} millis` = "20000 millis") =>
  makeThreads<Question, number>(module, { threads: count, timeout, memory: 64 })

describe("threads", () => {
  it.live("answer requests in order, each thread independently", () =>
    Effect.gen(function* () {
      const ask = yield* threads(1)
      const all = yield* Effect.forEach(["count", "count", "count"] as const, ask, { concurrency: "unbounded" })
      assert.deepStrictEqual(all, [1, 2, 3])
    }).pipe(Effect.scoped)
  )

  it.live("do not block others, and are stopped at their timeout (invariant I25)", () =>
    Effect.gen(function* () {
      const ask = yield* threads(1, "300 millis")
      let turns = 0
      const turning = Effect.forever(
        Effect.andThen(
          Effect.sleep("5 millis"),
          Effect.sync(() => turns++)
        )
      )
      const failed = yield* Effect.raceFirst(Effect.flip(ask("loop")), turning)
      assert.deepStrictEqual(failed, new ThreadExhausted({ of: "time" }))
      assert.isAbove(turns, 5)
    }).pipe(Effect.scoped)
  )

  it.live("are stopped at their memory limit, and other threads answer the next request (invariant I25)", () =>
    Effect.gen(function* () {
      const ask = yield* threads(1)
      assert.strictEqual(yield* ask("count"), 1)
      assert.deepStrictEqual(yield* Effect.flip(ask("fill")), new ThreadExhausted({ of: "memory" }))
      assert.strictEqual(yield* ask("count"), 1)
      assert.deepStrictEqual(yield* Effect.flip(ask("end")), new ThreadExhausted({ of: "memory" }))
      assert.strictEqual(yield* ask("count"), 1)
    }).pipe(Effect.scoped)
  )

  it.live("do not affect a request if they crash while idle, and are not reused", () =>
    Effect.gen(function* () {
      const ask = yield* threads(1)
      assert.strictEqual(yield* ask("count"), 1)
      const channel = yield* Effect.acquireRelease(
        Effect.sync(() => new BroadcastChannel("threads that break")),
        (each) => Effect.sync(() => each.close())
      )
      channel.postMessage("break")
      // A request during the crash fails; a thread that crashes slowly still counts. No one waits for a dead thread.
      const again = Effect.catchDefect(ask("count"), () => Effect.succeed(0))
      const count = yield* Effect.repeat(Effect.delay(again, "100 millis"), { until: (each) => each === 1, times: 100 })
      assert.strictEqual(count, 1)
      assert.strictEqual(yield* ask("count"), 2)
    }).pipe(Effect.scoped)
  )

  it.live("crash on an error of their module, and other threads answer the next request", () =>
    Effect.gen(function* () {
      const ask = yield* threads(1)
      const exit = yield* Effect.exit(ask("throw"))
      assert.include(Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "", "it broke")
      assert.strictEqual(yield* ask("count"), 1)
    }).pipe(Effect.scoped)
  )
})
