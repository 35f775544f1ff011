import { assert } from "@effect/vitest"
import { timeOf } from "@slipway/domain"
import type { SignInFailures } from "@slipway/domain/sign-in"
import { type Context, Effect } from "effect"
import type { Promised } from "../contract.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)
const moment = (n: number): string => timeOf(1_767_225_600_123 + n * 1_007)

/** Returns the contract tests of a store that counts failed sign-ins. Both services use them. */
export const signInFailures = <I, S extends SignInFailures>(
  failures: Context.Key<I, S>
): Readonly<Record<string, Promised<I>>> => ({
  "count failures under each key": Effect.gen(function* () {
    const store = yield* failures
    const keep = { forgetBefore: moment(0), atMost: 100, lasts: 1_000 }
    yield* store.fail({ keys: ["account:bob", "address:10.0.0.1"], at: moment(1), ...keep })
    yield* store.fail({ keys: ["account:bob", "address:10.0.0.2"], at: moment(2), ...keep })
    equal(yield* store.failures(["address:10.0.0.1", "account:bob", "account:cy"]), [
      { key: "address:10.0.0.1", count: 1, lastAt: moment(1) },
      { key: "account:bob", count: 2, lastAt: moment(2) }
    ])
    const many = Array.from({ length: 10 }, () => store.fail({ keys: ["b", "a"], at: moment(3), ...keep }))
    yield* Effect.all(many, { concurrency: "unbounded" })
    equal(yield* store.failures(["a"]), [{ key: "a", count: 10, lastAt: moment(3) }])
  }),
  "return the counted failures of each key, so that concurrent attempts get different counts": Effect.gen(function* () {
    const store = yield* failures
    const keep = { forgetBefore: moment(0), atMost: 100, lasts: 1_000 }
    yield* store.fail({ keys: ["b"], at: moment(1), ...keep })
    const counted = yield* store.fail({ keys: ["b", "a"], at: moment(2), ...keep })
    equal(
      counted.toSorted((one, other) => one.count - other.count),
      [
        { key: "a", count: 1, lastAt: moment(2) },
        { key: "b", count: 2, lastAt: moment(2) }
      ]
    )
    const many = Array.from({ length: 10 }, () => store.fail({ keys: ["a"], at: moment(3), ...keep }))
    const counts = yield* Effect.all(many, { concurrency: "unbounded" })
    equal(
      counts.flatMap((each) => each.map(({ count }) => count)).toSorted((one, other) => one - other),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    )
  }),
  "forget one failure after each expiry period": Effect.gen(function* () {
    const store = yield* failures
    const fail = (seconds: number) =>
      Effect.andThen(
        store.fail({ keys: ["a"], at: moment(seconds), forgetBefore: moment(-9_000), atMost: 100, lasts: 20 }),
        Effect.map(store.failures(["a"]), ([failures]) => failures?.count)
      )
    const counts = yield* Effect.forEach([0, 1, 2, 3, 22, 23, 63, 200, 190], fail)
    equal(counts, [1, 2, 3, 4, 5, 6, 5, 1, 2])
  }),
  "restart the count when the last failure is too old": Effect.gen(function* () {
    const store = yield* failures
    yield* store.fail({ keys: ["a", "b"], at: moment(1), forgetBefore: moment(0), atMost: 100, lasts: 1_000 })
    yield* store.fail({ keys: ["a"], at: moment(50), forgetBefore: moment(40), atMost: 100, lasts: 1_000 })
    equal(yield* store.failures(["a", "b"]), [{ key: "a", count: 1, lastAt: moment(50) }])
  }),
  "keep at most the given number of keys, the latest ones": Effect.gen(function* () {
    const store = yield* failures
    const keys = Array.from({ length: 6 }, (_, n) => `key ${n}`)
    for (const [n, key] of keys.entries()) {
      yield* store.fail({ keys: [key], at: moment(n), forgetBefore: moment(-9), atMost: 3, lasts: 1_000 })
    }
    yield* store.fail({ keys: ["key 3"], at: moment(10), forgetBefore: moment(-9), atMost: 3, lasts: 1_000 })
    yield* store.fail({ keys: ["key 9"], at: moment(11), forgetBefore: moment(-9), atMost: 3, lasts: 1_000 })
    equal(
      (yield* store.failures([...keys, "key 9"])).map((each) => each.key),
      ["key 3", "key 5", "key 9"]
    )
  })
})
