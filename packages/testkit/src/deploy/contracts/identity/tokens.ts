import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { AccountStore, GrantStore, rootTeam, TeamStore, TokenStore } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import { moment, newAccount, newToken, uuidOf } from "../../builders.ts"
import { newGrant, newTeam } from "../../people.ts"

/** Contract tests of the store of access tokens, in addition to the contract of every collection. */
export const tokens: Contract<Stores> = {
  port: "TokenStore",
  musts: {
    "find a token only by its hash": Effect.gen(function* () {
      const store = yield* TokenStore
      const one = yield* store.insert(newToken(1, { hash: "ab".repeat(32) }))
      const other = yield* store.insert(newToken(2, { name: "ab".repeat(32) }))
      assert.deepStrictEqual(yield* store.findByHash(one.hash), one)
      assert.deepStrictEqual(yield* store.findByHash(other.hash), other)
      for (const wrong of ["", one.uuid, `${one.hash}0`, one.hash.slice(1), "\0", "\ud800", "%"]) {
        assert.isUndefined(yield* store.findByHash(wrong))
      }
      yield* store.replace({ ...one, hash: "cd".repeat(32) })
      assert.isUndefined(yield* store.findByHash(one.hash))
      assert.strictEqual((yield* store.findByHash("cd".repeat(32)))?.uuid, one.uuid)
      yield* store.remove(one.uuid)
      assert.isUndefined(yield* store.findByHash("cd".repeat(32)))
    }),
    "store when a token was last used, and never an earlier time": Effect.gen(function* () {
      const store = yield* TokenStore
      const token = yield* store.insert(newToken(1))
      const other = yield* store.insert(newToken(2))
      for (const [used, known] of [
        [5, 5],
        [4, 5],
        [5, 5],
        [6, 6]
      ] as const) {
        yield* store.touch(token.uuid, moment(used))
        assert.deepStrictEqual(yield* store.find(token.uuid), { ...token, lastUsedAt: moment(known) })
      }
      const many = Array.from({ length: 10 }, (_, n) => store.touch(token.uuid, moment(20 - n)))
      yield* Effect.all(many, { concurrency: "unbounded" })
      assert.strictEqual((yield* store.find(token.uuid))?.lastUsedAt, moment(20))
      yield* store.touch(uuidOf("token", 404), moment(1))
      assert.deepStrictEqual(yield* store.find(other.uuid), other)
    }),
    "find a token together with its account, and the teams and grants of the account": Effect.gen(function* () {
      const store = yield* TokenStore
      const account = yield* (yield* AccountStore).insert(newAccount(1, { isDisabled: true }))
      const owned = yield* store.insert(newToken(1, { accountUuid: account.uuid, expiresAt: moment(9) }))
      const other = yield* store.insert(newToken(2))
      yield* (yield* TeamStore).addMember({ teamId: rootTeam, accountUuid: account.uuid, createdAt: moment(1) })
      yield* (yield* GrantStore).insert(newGrant(1, account))
      assert.deepStrictEqual(yield* store.findWithAccount(owned.hash), {
        token: owned,
        account,
        access: yield* (yield* GrantStore).accessOf(account.uuid),
        isApiEnabled: true
      })
      assert.deepStrictEqual(yield* store.findWithAccount(other.hash), {
        token: other,
        account: undefined,
        access: undefined,
        isApiEnabled: true
      })
      for (const wrong of ["", owned.uuid, "\0", "\ud800"]) assert.isUndefined(yield* store.findWithAccount(wrong))
    }),
    "report with a token whether the API is enabled, which it is before the first write of the settings": Effect.gen(
      function* () {
        const store = yield* TokenStore
        const settings = yield* SettingsStore
        const { hash } = yield* store.insert(newToken(1))
        assert.isTrue((yield* store.findWithAccount(hash))?.isApiEnabled)
        const written = { instanceDomains: "", keyCheck: null, createdAt: moment(1), updatedAt: moment(1) }
        for (const isApiEnabled of [false, true]) {
          yield* settings.write({ ...written, isApiEnabled, isMcpEnabled: false })
          assert.strictEqual((yield* store.findWithAccount(hash))?.isApiEnabled, isApiEnabled)
        }
      }
    ),
    "list the tokens of an account, oldest first": Effect.gen(function* () {
      const store = yield* TokenStore
      const accounts = yield* AccountStore
      const [ann, bob] = [yield* accounts.insert(newAccount(1)), yield* accounts.insert(newAccount(2))]
      const first = yield* store.insert(newToken(2, { accountUuid: ann.uuid }))
      yield* store.insert(newToken(3, { accountUuid: bob.uuid }))
      yield* store.insert(newToken(4))
      const second = yield* store.insert(newToken(1, { accountUuid: ann.uuid }))
      assert.deepStrictEqual(yield* store.ofAccount(ann.uuid), [first, second])
      assert.deepStrictEqual(yield* store.ofAccount(uuidOf("account", 404)), [])
    }),
    "list the tokens of a team that belong to no account and have not expired at a time, oldest first": Effect.gen(
      function* () {
        const store = yield* TokenStore
        const { uuid } = yield* (yield* AccountStore).insert(newAccount(1))
        const team = yield* (yield* TeamStore).insert(newTeam(2))
        const first = yield* store.insert(newToken(2))
        const second = yield* store.insert(newToken(1, { expiresAt: moment(6) }))
        yield* store.insert(newToken(3, { expiresAt: moment(5) }))
        yield* store.insert(newToken(4, { accountUuid: uuid }))
        const other = yield* store.insert(newToken(5, { teamId: team.id }))
        assert.deepStrictEqual(yield* store.withoutAccount(rootTeam, moment(5)), [first, second])
        assert.deepStrictEqual(yield* store.withoutAccount(team.id, moment(5)), [other])
      }
    ),
    "return every token of the instance with `root`, oldest first, and block their removal until this transaction ends":
      Effect.gen(function* () {
        const store = yield* TokenStore
        const account = yield* (yield* AccountStore).insert(newAccount(1))
        yield* store.insert(newToken(9, { accountUuid: account.uuid, abilities: ["root"] }))
        const { run } = yield* Transaction
        const first = yield* store.insert(newToken(1, { abilities: ["read", "root"] }))
        yield* store.insert(newToken(2, { abilities: ["read", "write", "deploy"] }))
        const second = yield* store.insert(newToken(3, { abilities: ["root"] }))
        assert.deepStrictEqual(yield* store.lockRoots, [first, second])
        const removed = (uuid: typeof first.uuid) =>
          Effect.gen(function* () {
            const roots = yield* store.lockRoots
            if (roots.length > 1) yield* store.remove(uuid)
            return roots.map((each) => each.uuid)
          })
        const answers = yield* runInTurn(
          store.count,
          (held) => run(Effect.tap(removed(first.uuid), () => held)),
          run(removed(second.uuid))
        )
        assert.deepStrictEqual(answers, [[first.uuid, second.uuid], [second.uuid]])
        assert.deepStrictEqual(yield* store.lockRoots, [second])
      })
  }
}
