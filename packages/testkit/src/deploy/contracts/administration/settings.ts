import { assert } from "@effect/vitest"
import { Sealed, Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import { moment } from "../../builders.ts"

const first = {
  instanceDomains: "https://slipway.example",
  isApiEnabled: true,
  isMcpEnabled: false,
  keyCheck: Sealed.make("sealed"),
  createdAt: moment(1),
  updatedAt: moment(1)
}
const second = {
  instanceDomains: "https://a.example,https://b.example/path",
  isApiEnabled: false,
  isMcpEnabled: true,
  keyCheck: null,
  createdAt: moment(1),
  updatedAt: moment(2)
}

/** Contract tests of the store of instance settings. Every implementation must pass them. */
export const settings: Contract<Stores> = {
  port: "SettingsStore",
  musts: {
    "return nothing before the first write": Effect.gen(function* () {
      const store = yield* SettingsStore
      assert.isUndefined(yield* store.read)
      const transaction = yield* Transaction
      assert.isUndefined(yield* transaction.run(store.lock))
      yield* Effect.exit(transaction.run(Effect.andThen(store.write(first), Effect.fail("no"))))
      assert.isUndefined(yield* store.read)
    }),
    "return the settings last written": Effect.gen(function* () {
      const store = yield* SettingsStore
      const transaction = yield* Transaction
      for (const written of [first, second, { ...first, instanceDomains: "", updatedAt: moment(3) }]) {
        yield* store.write(written)
        assert.deepStrictEqual(yield* store.read, written)
        assert.deepStrictEqual(yield* transaction.run(store.lock), written)
      }
    }),
    "let only one transaction lock the settings at a time": {
      "before the first write": Effect.gen(function* () {
        const store = yield* SettingsStore
        const transaction = yield* Transaction
        const [mine, seen] = yield* runInTurn(
          store.read,
          (held) => transaction.run(Effect.tap(store.lock, () => Effect.andThen(held, store.write(first)))),
          transaction.run(store.lock)
        )
        assert.deepStrictEqual([mine, seen], [undefined, first])
      }),
      "after the first write": Effect.gen(function* () {
        const store = yield* SettingsStore
        const transaction = yield* Transaction
        yield* store.write(first)
        const [mine, seen] = yield* runInTurn(
          store.read,
          (held) => transaction.run(Effect.tap(store.lock, () => Effect.andThen(held, store.write(second)))),
          transaction.run(store.lock)
        )
        assert.deepStrictEqual([mine, seen], [first, second])
      })
    }
  }
}
