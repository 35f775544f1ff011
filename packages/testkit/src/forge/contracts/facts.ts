import { assert } from "@effect/vitest"
import type { Sealed } from "@slipway/domain"
import {
  AccessTokenStore,
  type CallerKey,
  EmailStore,
  FactsStore,
  SecondFactorStore,
  SignInStore,
  type Stores,
  UserStore
} from "@slipway/domain/forge"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import { moment, newAccessToken, newUser, stored } from "../builders.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)

const load = (caller: CallerKey, sudo?: string) =>
  Effect.flatMap(FactsStore, (store) => store.load({ caller, sudo, about: { kind: "site" } }))
const about = (name: string) =>
  Effect.flatMap(FactsStore, (store) =>
    Effect.map(
      store.load({ caller: { _tag: "Nobody" }, sudo: undefined, about: { kind: "user", name } }),
      ({ found }) => found
    )
  )
const signIn = (name: string, failureKeys: ReadonlyArray<string> = []): CallerKey => ({
  _tag: "SignInName",
  name,
  failureKeys
})

const world = Effect.gen(function* () {
  const users = yield* UserStore
  const one = yield* users.insert(newUser(1, { passwordHash: "hash of one" }))
  const other = yield* users.insert(newUser(2))
  return { users, one, other }
})

/** What the store of facts promises. */
export const facts: Contract<Stores> = {
  port: "FactsStore",
  musts: {
    "find the caller by the hash of a token, with the token": Effect.gen(function* () {
      const { one, other } = yield* world
      const tokens = yield* AccessTokenStore
      const row = newAccessToken(7, one, { expiresAt: moment(1), scopes: ["public-only", "write:user"] })
      const token = yield* tokens.insert(row)
      yield* tokens.insert(newAccessToken(8, other))
      equal(yield* load({ _tag: "TokenHash", hash: row.hash }), {
        caller: { user: one, token: stored(row, token), passwordHash: null, secondFactor: undefined },
        failures: [],
        sudo: undefined,
        found: {}
      })
      for (const hash of ["", "\0", row.hash.toUpperCase().replace("0", "1"), row.name]) {
        assert.isUndefined((yield* load({ _tag: "TokenHash", hash })).caller)
      }
    }),
    "find the caller by name, with the password's hash, the second factor and the failures to sign in": Effect.gen(
      function* () {
        const { one, users } = yield* world
        const factors = yield* SecondFactorStore
        const factor = { userId: one.id, secret: "sealed" as Sealed, confirmed: false, lastStep: 4 }
        const bare = { token: undefined, passwordHash: "hash of one", secondFactor: undefined }
        yield* factors.write(factor)
        equal((yield* load(signIn("USER-1"))).caller, { ...bare, user: one })
        yield* factors.write({ ...factor, confirmed: true })
        yield* (yield* SignInStore).fail({
          keys: ["b", "a", "c"],
          at: moment(3),
          forgetBefore: moment(0),
          atMost: 9
        })
        const found = yield* load(signIn("user-1", ["a", "missing", "b"]))
        equal(found.caller, {
          ...bare,
          user: { ...one, secondFactor: true },
          secondFactor: { ...factor, confirmed: true }
        })
        equal(found.failures, [
          { key: "a", count: 1, lastAt: moment(3) },
          { key: "b", count: 1, lastAt: moment(3) }
        ])
        equal((yield* load({ _tag: "Name", name: "User-1" })).caller, {
          ...bare,
          passwordHash: null,
          user: { ...one, secondFactor: true }
        })
        yield* users.rename(one.id, "renamed")
        for (const key of [signIn("user-1"), { _tag: "Name", name: "user-1" } as const]) {
          assert.isUndefined((yield* load(key)).caller)
        }
        equal((yield* load(signIn("nobody", ["a"]))).failures.length, 1)
      }
    ),
    "find the caller by a confirmed address, and by no other": Effect.gen(function* () {
      const { one, users } = yield* world
      const unconfirmed = yield* users.insert(newUser(3, { emailVerified: false }))
      yield* (yield* EmailStore).add(one.id, ["second@example.com"], true)
      for (const name of [one.email, "Second@Example.com"]) equal((yield* load(signIn(name))).caller?.user, one)
      assert.isUndefined((yield* load(signIn(unconfirmed.email))).caller)
      assert.isUndefined((yield* load({ _tag: "Name", name: one.email })).caller)
    }),
    "find the user to act as by their present name alone": Effect.gen(function* () {
      const { one, other, users } = yield* world
      const found = yield* load(signIn("user-1"), "USER-2")
      equal(found.caller?.user, one)
      equal(found.sudo, other)
      yield* users.rename(other.id, "renamed")
      assert.isUndefined((yield* load(signIn("user-1"), "user-2")).sudo)
      equal((yield* load({ _tag: "Nobody" }, "renamed")).sudo?.id, other.id)
    }),
    "find the user that a request is about, by old names too": Effect.gen(function* () {
      const { one, users } = yield* world
      equal(yield* about("USER-1"), { user: one, moved: false })
      yield* users.rename(one.id, "renamed")
      equal(yield* about("user-1"), { user: { ...one, name: "renamed" }, moved: true })
      equal(yield* about("renamed"), { user: { ...one, name: "renamed" }, moved: false })
    }),
    "find nobody where nobody is": Effect.gen(function* () {
      yield* world
      const nobody = { caller: undefined, failures: [], sudo: undefined, found: {} }
      equal(yield* load({ _tag: "Nobody" }), nobody)
      for (const name of ["", "nobody", "\0", "\ud800", "%"]) {
        equal(yield* load(signIn(name, []), name), nobody)
        equal(yield* load({ _tag: "Name", name }), nobody)
        assert.isUndefined(yield* about(name))
      }
    })
  }
}
