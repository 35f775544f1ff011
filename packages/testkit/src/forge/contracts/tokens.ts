import { assert } from "@effect/vitest"
import { Duplicate } from "@slipway/domain"
import { AccessTokenStore, oauth2Applications, type Stores, type TokenId, UserStore } from "@slipway/domain/forge"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import { all, missing, moment, newAccessToken, newUser, stored } from "../builders.ts"
import { cutsAlike } from "./ground.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)
const nowhere = 4_040_404 as TokenId

const two = Effect.gen(function* () {
  const users = yield* UserStore
  const one = yield* users.insert(newUser(1))
  const other = yield* users.insert(newUser(2))
  return { store: yield* AccessTokenStore, users, one, other }
})

/** What the store of access tokens promises. */
export const tokens: Contract<Stores> = {
  port: "AccessTokenStore",
  musts: {
    "give back a token as it was inserted, with a number": Effect.gen(function* () {
      const { one, store } = yield* two
      const bare = newAccessToken(1, one)
      const full = newAccessToken(2, one, {
        name: "Ünïcödé 😀",
        scopes: ["public-only", "read:issue", "write:user"],
        expiresAt: moment(50)
      })
      const given = newAccessToken(3, one, {
        kind: "oauth2",
        grant: "grant",
        origin: { client: "app", sent: [1, null] }
      })
      for (const each of [bare, full, given]) {
        const token = yield* store.insert(each)
        equal(token, stored(each, token))
        equal(yield* store.find(one.id, token.id), token)
      }
    }),
    "refuse a second token of a name among those of one user, ignoring case": Effect.gen(function* () {
      const { one, other, store } = yield* two
      yield* store.insert(newAccessToken(1, one, { name: "Deploy" }))
      const refusal = yield* Effect.flip(store.insert(newAccessToken(2, one, { name: "DEPLOY" })))
      assert.instanceOf(refusal, Duplicate)
      equal(refusal.of, "accessToken.name")
      yield* store.insert(newAccessToken(2, other, { name: "deploy" }))
      equal((yield* store.ofUser(one.id, all)).total, 1)
    }),
    "list the tokens of one user and one kind alone, in the order of their insertion, and count them": Effect.gen(
      function* () {
        const { one, other, store } = yield* two
        for (const n of [3, 1, 2]) yield* store.insert(newAccessToken(n, one))
        yield* store.insert(newAccessToken(9, other))
        const session = yield* store.insert(newAccessToken(10, one, { kind: "session" }))
        equal(yield* store.ofUser(one.id, all, "session"), { rows: [session], total: 1 })
        equal(yield* store.ofUser(one.id, all, "oauth2"), { rows: [], total: 0 })
        const shown = (page = all) =>
          Effect.map(store.ofUser(one.id, page), ({ rows, total }) => [rows.map((row) => row.name), total])
        equal(yield* shown(), [["token 3", "token 1", "token 2"], 3])
        equal(yield* shown({ page: 2, perPage: 2 }), [["token 2"], 3])
        equal(yield* shown({ page: 3, perPage: 2 }), [[], 3])
        equal(yield* store.ofUser(missing, all), { rows: [], total: 0 })
        yield* cutsAlike((page) => store.ofUser(one.id, page))
      }
    ),
    "find a token of one user alone, by number, and one that the user made by name": Effect.gen(function* () {
      const { one, other, store } = yield* two
      const token = yield* store.insert(newAccessToken(1, one, { name: "Deploy" }))
      equal(yield* store.find(one.id, token.id), token)
      equal(yield* store.named(one.id, "deploy"), token)
      assert.isUndefined(yield* store.find(other.id, token.id))
      assert.isUndefined(yield* store.named(other.id, "deploy"))
      for (const name of ["", "%", "\0", "\ud800", "deploy "]) assert.isUndefined(yield* store.named(one.id, name))
      assert.isUndefined(yield* store.find(one.id, nowhere))
      const session = yield* store.insert(newAccessToken(2, one, { kind: "session", name: "browser" }))
      equal(yield* store.find(one.id, session.id), session)
      assert.isUndefined(yield* store.named(one.id, "browser"))
    }),
    "find a token by the hash of its secret, and remove it by that once": Effect.gen(function* () {
      const { one, other, store } = yield* two
      const [row, beside] = [newAccessToken(1, one, { kind: "oauth2" }), newAccessToken(2, other)]
      const [token, kept] = [yield* store.insert(row), yield* store.insert(beside)]
      equal(yield* store.ofHash(row.hash), token)
      assert.isTrue(yield* store.removeHash(row.hash))
      assert.isFalse(yield* store.removeHash(row.hash))
      assert.isUndefined(yield* store.ofHash(row.hash))
      equal(yield* store.ofHash(beside.hash), kept)
    }),
    "remove a token of one user alone, once": Effect.gen(function* () {
      const { one, other, store } = yield* two
      const token = yield* store.insert(newAccessToken(1, one))
      assert.isFalse(yield* store.remove(other.id, token.id))
      assert.isTrue(yield* store.remove(one.id, token.id))
      assert.isFalse(yield* store.remove(one.id, token.id))
      assert.isUndefined(yield* store.find(one.id, token.id))
    }),
    "remove the tokens of one user and of some kinds alone, and tell how many there were": Effect.gen(function* () {
      const { one, other, store } = yield* two
      for (const n of [1, 2, 3]) yield* store.insert(newAccessToken(n, one))
      yield* store.insert(newAccessToken(5, one, { kind: "session" }))
      yield* store.insert(newAccessToken(6, one, { kind: "oauth2" }))
      const kept = yield* store.insert(newAccessToken(4, other))
      equal([yield* store.removeAll(one.id, ["session"]), yield* store.removeAll(one.id, [])], [1, 0])
      equal((yield* store.ofUser(one.id, all)).total, 3)
      equal([yield* store.removeAll(one.id), yield* store.removeAll(one.id)], [4, 0])
      equal((yield* store.ofUser(one.id, all)).total, 0)
      equal(yield* store.find(other.id, kept.id), kept)
    }),
    "remove the tokens of one grant alone, and tell how many there were": Effect.gen(function* () {
      const { one, store } = yield* two
      for (const n of [1, 2]) yield* store.insert(newAccessToken(n, one, { kind: "oauth2", grant: "ended" }))
      const kept = [
        yield* store.insert(newAccessToken(3, one, { kind: "oauth2", grant: "other" })),
        yield* store.insert(newAccessToken(4, one, { kind: "oauth2" }))
      ]
      equal([yield* store.removeGrant("ended"), yield* store.removeGrant("ended")], [2, 0])
      equal((yield* store.ofUser(one.id, all, "oauth2")).rows, kept)
    }),
    "remove the tokens that expired before a moment, but those that users made": Effect.gen(function* () {
      const { one, store } = yield* two
      yield* store.insert(newAccessToken(1, one, { kind: "session", expiresAt: moment(1) }))
      yield* store.insert(newAccessToken(2, one, { kind: "session", expiresAt: moment(9) }))
      yield* store.insert(newAccessToken(3, one, { expiresAt: moment(1) }))
      yield* store.insert(newAccessToken(4, one, { kind: "session" }))
      equal([yield* store.removeExpired(moment(5)), yield* store.removeExpired(moment(5))], [1, 0])
      equal([(yield* store.ofUser(one.id, all)).total, (yield* store.ofUser(one.id, all, "session")).total], [1, 2])
    }),
    "remember when a token was last used, never earlier than it knew": Effect.gen(function* () {
      const { one, store } = yield* two
      const token = yield* store.insert(newAccessToken(1, one))
      for (const [used, known] of [
        [5, 5],
        [4, 5],
        [6, 6]
      ] as const) {
        yield* store.touch(token.id, moment(used))
        equal(yield* store.find(one.id, token.id), { ...token, lastUsedAt: moment(known) })
      }
      yield* store.touch(nowhere, moment(7))
    }),
    "forget the tokens of a user who is removed, and those of an application that is": Effect.gen(function* () {
      const { one, other, store, users } = yield* two
      const token = yield* store.insert(newAccessToken(1, one))
      const applications = yield* oauth2Applications.store
      const { id: applicationId } = yield* applications.insert({
        userId: other.id,
        name: "App",
        clientId: "app",
        redirectUris: [],
        confidential: true,
        skipsConsent: false,
        secretHash: "hash",
        createdAt: moment(1)
      })
      const given = yield* store.insert(newAccessToken(2, one, { kind: "oauth2", applicationId }))
      yield* applications.remove({ userId: other.id }, applicationId)
      assert.isUndefined(yield* store.find(one.id, given.id))
      equal(yield* store.find(one.id, token.id), token)
      yield* users.remove(one.id)
      assert.isUndefined(yield* store.find(one.id, token.id))
      equal((yield* store.ofUser(one.id, all)).total, 0)
    })
  }
}
