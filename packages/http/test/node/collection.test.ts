import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { collectWhenIdle, interval } from "../../src/node/collection.ts"

/** Returns after which of the measured shares of time garbage was collected. */
const collectedAfter = (...shares: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    let checks = 0
    const collected: Array<number> = []
    const collection = Effect.sync(() => void collected.push(checks))
    yield* Effect.forkChild(
      collectWhenIdle(() => shares[checks++] ?? 0, collection),
      { startImmediately: true }
    )
    yield* TestClock.adjust(`${(shares.length - 1) * interval} seconds`)
    assert.strictEqual(checks, shares.length)
    return collected
  })

describe("the collection of garbage in an idle service", () => {
  it.effect("runs once after each load", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* collectedAfter(0.9, 0.01, 0.01, 0.2, 0.9, 0.05, 0), [2, 6])
    })
  )

  it.effect("does not run while requests arrive", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* collectedAfter(0.9, 0.06, 0.1, 0.5, 0.3), [])
    })
  )

  it.effect("does not run in a service without a load", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* collectedAfter(0, 0.19, 0.01, 0.1, 0), [])
    })
  )
})
