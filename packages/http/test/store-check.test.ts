import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { failWhileUnavailable, layerStoreCheck, StoreCheck } from "../src/server/index.ts"

/** Returns the result of a request of five seconds. */
const slowRequest = (answer: Effect.Effect<void>, room: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const check = yield* StoreCheck
    const request = yield* Effect.forkChild(
      Effect.exit(failWhileUnavailable(check)(Effect.as(Effect.sleep("5 seconds"), "done")))
    )
    for (let tenth = 0; tenth < 60 && request.pollUnsafe() === undefined; tenth++) {
      yield* TestClock.adjust("100 millis")
      // After a timeout, the check reads pending responses before it fails.
      yield* Effect.promise(() => new Promise((resume) => setTimeout(resume, 1)))
    }
    return yield* Fiber.join(request)
  }).pipe(Effect.provide(layerStoreCheck({ answer, room }, { maySilence: true }).pipe(Layer.fresh)))

it.effect("a slow request isn't aborted while the store answers, even if the disk-space check is slow", () =>
  Effect.gen(function* () {
    expect(yield* slowRequest(Effect.void, Effect.never)).toEqual(Exit.succeed("done"))
  })
)

it.effect("a slow request is aborted when the store does not answer", () =>
  Effect.gen(function* () {
    const exit = yield* slowRequest(Effect.never, Effect.void)
    expect(Exit.isFailure(exit) && String(exit.cause)).toContain("no answer")
  })
)
