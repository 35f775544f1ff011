import { assert } from "@effect/vitest"
import type { Sealed } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { SecondFactorStore, SignInStore, type UsedCode, type User, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { signInFailures } from "../../../sign-in/failures.ts"
import { missing, moment, newUser } from "../../builders.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)

const two = Effect.gen(function* () {
  const users = yield* UserStore
  const one = yield* users.insert(newUser(1))
  const other = yield* users.insert(newUser(2))
  return { factors: yield* SecondFactorStore, signIns: yield* SignInStore, users, one, other }
})

const factorOf = (user: User, facts = {}) => ({
  userId: user.id,
  secret: `sealed ${user.id}` as Sealed,
  confirmed: true,
  lastStep: 0,
  ...facts
})

const none: UsedCode = { _tag: "None" }

/** Contract tests of the store of second factors. Every implementation must pass them. */
export const secondFactors: Contract<Stores> = {
  port: "SecondFactorStore",
  musts: {
    "return the second factor last written for a user": Effect.gen(function* () {
      const { factors, one, other, users } = yield* two
      assert.isUndefined(yield* factors.find(one.id))
      yield* factors.write(factorOf(one, { confirmed: false }))
      equal(yield* factors.find(one.id), factorOf(one, { confirmed: false }))
      equal((yield* users.find(one.id))?.secondFactor, false)
      yield* factors.write(factorOf(one, { lastStep: 58_000_000, secret: "sealed again" }))
      equal(yield* factors.find(one.id), factorOf(one, { lastStep: 58_000_000, secret: "sealed again" }))
      equal((yield* users.find(one.id))?.secondFactor, true)
      assert.isUndefined(yield* factors.find(other.id))
      equal((yield* users.find(other.id))?.secondFactor, false)
    }),
    "replace all recovery codes of a user": Effect.gen(function* () {
      const { factors, one, other, signIns } = yield* two
      yield* factors.writeRecoveryCodes(one.id, ["aa", "bb", "cc"])
      yield* factors.writeRecoveryCodes(other.id, ["aa"])
      yield* factors.writeRecoveryCodes(one.id, ["cc", "dd"])
      equal(yield* factors.countRecoveryCodes(one.id), 2)
      equal(yield* factors.countRecoveryCodes(other.id), 1)
      const uses = (hash: string) =>
        signIns.succeed({ userId: one.id, at: moment(1), code: { _tag: "Recovery", hash }, forgive: [] })
      assert.isFalse(yield* uses("aa"))
      assert.isTrue(yield* uses("cc"))
      assert.isTrue(yield* uses("dd"))
    }),
    "remove a second factor with its recovery codes, and report when it is missing": Effect.gen(function* () {
      const { factors, one, other, users } = yield* two
      for (const user of [one, other]) {
        yield* factors.write(factorOf(user))
        yield* factors.writeRecoveryCodes(user.id, ["aa"])
      }
      assert.isTrue(yield* factors.remove(one.id))
      assert.isFalse(yield* factors.remove(one.id))
      assert.isUndefined(yield* factors.find(one.id))
      equal(yield* factors.countRecoveryCodes(one.id), 0)
      equal((yield* users.find(one.id))?.secondFactor, false)
      equal(yield* factors.find(other.id), factorOf(other))
      equal(yield* factors.countRecoveryCodes(other.id), 1)
    }),
    "remove the second factor of a removed user": Effect.gen(function* () {
      const { factors, one, users } = yield* two
      yield* factors.write(factorOf(one))
      yield* factors.writeRecoveryCodes(one.id, ["aa"])
      yield* users.remove(one.id)
      assert.isUndefined(yield* factors.find(one.id))
      equal(yield* factors.countRecoveryCodes(one.id), 0)
    })
  }
}

const usesOnce = (code: UsedCode) =>
  Effect.gen(function* () {
    const { factors, one, other, signIns, users } = yield* two
    for (const user of [one, other]) yield* factors.write(factorOf(user, { lastStep: 5 }))
    yield* factors.writeRecoveryCodes(one.id, ["aa", "bb"])
    yield* factors.writeRecoveryCodes(other.id, ["cc"])
    const at = moment(9)
    const uses = Array.from({ length: 6 }, () => signIns.succeed({ userId: one.id, at, code, forgive: [] }))
    const used = yield* Effect.all(uses, { concurrency: "unbounded" })
    equal(used.filter(Boolean).length, 1)
    equal((yield* users.find(one.id))?.lastSignInAt, at)
    equal(yield* factors.countRecoveryCodes(other.id), 1)
    equal((yield* factors.find(other.id))?.lastStep, 5)
  })

/** Contract tests of the store of sign-ins. Every implementation must pass them. */
export const signIns: Contract<Stores> = {
  port: "SignInStore",
  musts: {
    ...signInFailures(SignInStore),
    "remove only the failures of the given keys": Effect.gen(function* () {
      const { one, signIns: store } = yield* two
      yield* store.fail({ keys: ["a", "b"], at: moment(1), forgetBefore: moment(0), atMost: 100, lasts: 1_000 })
      yield* store.succeed({ userId: one.id, at: moment(2), code: none, forgive: ["a", "c"] })
      equal(yield* store.failures(["a", "b"]), [{ key: "b", count: 1, lastAt: moment(1) }])
      const wrong: UsedCode = { _tag: "Recovery", hash: "none" }
      assert.isFalse(yield* store.succeed({ userId: one.id, at: moment(3), code: wrong, forgive: ["b"] }))
      equal((yield* store.failures(["b"])).length, 1)
    }),
    "store when a user last signed in, and never an earlier time": Effect.gen(function* () {
      const { one, other, signIns: store, users } = yield* two
      for (const [signedIn, known] of [
        [5, 5],
        [4, 5],
        [6, 6]
      ] as const) {
        assert.isTrue(yield* store.succeed({ userId: one.id, at: moment(signedIn), code: none, forgive: [] }))
        equal(yield* users.find(one.id), { ...one, lastSignInAt: moment(known) })
      }
      yield* store.succeed({ userId: missing, at: moment(1), code: none, forgive: [] })
      equal(yield* users.find(other.id), other)
    }),
    "accept each time step once, and no earlier step, also in concurrent sign-ins": {
      "only once": usesOnce({ _tag: "Step", step: 6 }),
      "not for an earlier step": Effect.gen(function* () {
        const { factors, one, signIns: store } = yield* two
        const uses = (step: number) =>
          store.succeed({ userId: one.id, at: moment(1), code: { _tag: "Step", step }, forgive: [] })
        assert.isFalse(yield* uses(8))
        yield* factors.write(factorOf(one, { lastStep: 7 }))
        assert.isFalse(yield* uses(7))
        assert.isTrue(yield* uses(9))
        assert.isFalse(yield* uses(8))
        equal((yield* factors.find(one.id))?.lastStep, 9)
      })
    },
    "accept each recovery code once, and only for its user": {
      "only once": usesOnce({ _tag: "Recovery", hash: "bb" }),
      "not for another user": Effect.gen(function* () {
        const { factors, one, other, signIns: store } = yield* two
        yield* factors.writeRecoveryCodes(one.id, ["aa"])
        const uses = (user: User) =>
          store.succeed({ userId: user.id, at: moment(1), code: { _tag: "Recovery", hash: "aa" }, forgive: [] })
        assert.isFalse(yield* uses(other))
        assert.isTrue(yield* uses(one))
        assert.isFalse(yield* uses(one))
      })
    }
  }
}
