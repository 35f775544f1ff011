import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { type KeyHolder, type NewSshKey, SshKeyStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all } from "../../builders.ts"
import { equal, refusalOf, repository, samePaginated, user } from "../base/fixtures.ts"

const at = "2026-01-02T03:04:05.678Z"

const newKey = (n: number, holder: KeyHolder): NewSshKey => ({
  holder,
  title: `Ünï ${n}`,
  publicKey: `ssh-ed25519 AAAA${n}`,
  comment: n === 1 ? "" : `ünï@lap  top ${n}`,
  fingerprint: `SHA256:${n}`,
  createdAt: at
})

const fixture = Effect.gen(function* () {
  const store = yield* SshKeyStore
  const [ann, bob] = [yield* user(1), yield* user(2)]
  const mine = yield* repository(1, { kind: "user", id: bob.id })
  const ofAnn = { kind: "user", userId: ann.id } as const
  const ofMine = { kind: "repository", repositoryId: mine.id, readOnly: true } as const
  return { store, ann, bob, mine, ofAnn, ofMine }
})

/** Contract tests of the store of SSH keys. Every implementation must pass them. */
export const sshKeys: Contract<Stores> = {
  port: "SshKeyStore",
  musts: {
    "return a key as inserted, with an id, and never used": Effect.gen(function* () {
      const { ofAnn, ofMine, store } = yield* fixture
      for (const [n, holder] of [ofAnn, ofMine, { ...ofMine, readOnly: false }].entries()) {
        const inserted = yield* store.insert(newKey(n, holder))
        equal(inserted, { ...newKey(n, holder), id: inserted.id, usedAt: null })
      }
    }),
    "reject a second key with the same fingerprint, under any owner": Effect.gen(function* () {
      const { ofAnn, ofMine, store } = yield* fixture
      yield* store.insert(newKey(1, ofAnn))
      equal(yield* refusalOf(store.insert(newKey(1, ofMine))), "Duplicate sshKey.fingerprint")
      equal(yield* refusalOf(store.insert(newKey(1, ofAnn))), "Duplicate sshKey.fingerprint")
    }),
    "find a key by its id and by its fingerprint": Effect.gen(function* () {
      const { ofAnn, store } = yield* fixture
      const key = yield* store.insert(newKey(1, ofAnn))
      equal(yield* store.find(key.id), key)
      equal(yield* store.byFingerprint("SHA256:1"), key)
      for (const id of [0, -1, 1.5, 404_404]) assert.isUndefined(yield* store.find(id))
      for (const text of ["", "sha256:1", "\0", "\ud800"]) assert.isUndefined(yield* store.byFingerprint(text))
    }),
    "list the keys of a user by id, and count them": Effect.gen(function* () {
      const { ann, bob, ofAnn, ofMine, store } = yield* fixture
      for (const n of [1, 2, 3]) yield* store.insert(newKey(n, ofAnn))
      yield* store.insert(newKey(4, ofMine))
      const page = yield* store.ofUser(ann.id, { page: 2, perPage: 2 })
      equal([page.rows.map(({ fingerprint }) => fingerprint), page.total], [["SHA256:3"], 3])
      equal(yield* store.ofUser(bob.id, all), { rows: [], total: 0 })
      yield* samePaginated((each) => store.ofUser(ann.id, each))
    }),
    "list the keys of a repository by id, and count them": Effect.gen(function* () {
      const { mine, ofAnn, ofMine, store } = yield* fixture
      for (const n of [1, 2]) yield* store.insert(newKey(n, ofMine))
      yield* store.insert(newKey(3, ofAnn))
      const page = yield* store.ofRepository(mine.id, all)
      equal([page.rows.map(({ fingerprint }) => fingerprint), page.total], [["SHA256:1", "SHA256:2"], 2])
    }),
    "list the keys of many users in one call, up to a limit per user": Effect.gen(function* () {
      const { ann, bob, ofAnn, ofMine, store } = yield* fixture
      const ofBob = { kind: "user", userId: bob.id } as const
      const [a, b] = [yield* store.insert(newKey(1, ofAnn)), yield* store.insert(newKey(2, ofBob))]
      yield* store.insert(newKey(3, ofMine))
      const c = yield* store.insert(newKey(4, ofAnn))
      equal(
        yield* store.ofUsers([ann.id, bob.id, ann.id, 404_404 as typeof ann.id], 5),
        new Map([
          [ann.id, [a, c]],
          [bob.id, [b]]
        ])
      )
      equal(yield* store.ofUsers([ann.id], 1), new Map([[ann.id, [a]]]))
      equal(yield* store.ofUsers([], 5), new Map())
    }),
    "remove a key once, and report when it is missing": Effect.gen(function* () {
      const { ofAnn, store } = yield* fixture
      const key = yield* store.insert(newKey(1, ofAnn))
      assert.isTrue(yield* store.remove(key.id))
      assert.isFalse(yield* store.remove(key.id))
      assert.isUndefined(yield* store.byFingerprint("SHA256:1"))
    }),
    "store when a key was used": Effect.gen(function* () {
      const { ofAnn, store } = yield* fixture
      const key = yield* store.insert(newKey(1, ofAnn))
      yield* store.touch(key.id, "2026-05-06T07:08:09.123Z")
      equal(yield* store.find(key.id), { ...key, usedAt: "2026-05-06T07:08:09.123Z" })
    }),
    "remove the keys of a removed user or repository": Effect.gen(function* () {
      const { ann, mine, ofAnn, ofMine, store } = yield* fixture
      const keys = [yield* store.insert(newKey(1, ofAnn)), yield* store.insert(newKey(2, ofMine))]
      yield* (yield* UserStore).remove(ann.id)
      yield* (yield* RepositoryStore).remove(mine.id)
      for (const { id } of keys) assert.isUndefined(yield* store.find(id))
    })
  }
}
