import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type LfsOid, LfsStore, RepositoryStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all } from "../../builders.ts"
import { equal, refusalOf, repository, samePaginated, user } from "../base/fixtures.ts"

const [one, two] = ["1".repeat(64), "2".repeat(64)] as [LfsOid, LfsOid]

const fixture = Effect.gen(function* () {
  const store = yield* LfsStore
  const ann = yield* user(1)
  const mine = yield* repository(1, { kind: "user", id: ann.id })
  const other = yield* repository(2, { kind: "user", id: ann.id })
  const newLock = (repositoryId: RepositoryId, path: string) => ({
    repositoryId,
    path,
    userId: ann.id,
    owner: ann.name,
    lockedAt: "2026-01-02T03:04:05.678Z"
  })
  return { store, ann, mine, other, newLock }
})

/** Contract tests of the store of LFS objects and locks. Every implementation must pass them. */
export const lfs: Contract<Stores> = {
  port: "LfsStore",
  musts: {
    "link an object to a repository once, and find it only there": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      for (const _ of [1, 2]) yield* store.link({ repositoryId: mine.id, oid: one, size: 2 ** 33 })
      equal([...(yield* store.linked(mine.id, [one]))], [[one, 2 ** 33]])
      // Bug class B9: objects of another repository are missing here.
      equal([...(yield* store.linked(other.id, [one]))], [])
    }),
    "return which of the given objects a repository has": Effect.gen(function* () {
      const { mine, store } = yield* fixture
      yield* store.link({ repositoryId: mine.id, oid: two, size: 5 })
      equal([...(yield* store.linked(mine.id, [one, two]))], [[two, 5]])
      equal([...(yield* store.linked(mine.id, []))], [])
    }),
    "lock a path of a repository once": Effect.gen(function* () {
      const { mine, newLock, other, store } = yield* fixture
      const lock = yield* store.lock(newLock(mine.id, "a/Ü b.psd"))
      equal(lock, { ...newLock(mine.id, "a/Ü b.psd"), id: lock.id })
      equal(yield* refusalOf(store.lock({ ...newLock(mine.id, "a/Ü b.psd"), userId: null })), "Duplicate lfsLock.path")
      yield* store.lock(newLock(other.id, "a/Ü b.psd"))
      yield* store.lock(newLock(mine.id, "A/Ü b.psd"))
    }),
    "find a lock only in its own repository, by its id and by its path": Effect.gen(function* () {
      const { mine, newLock, other, store } = yield* fixture
      const lock = yield* store.lock({ ...newLock(mine.id, "a"), userId: null, owner: "key" })
      equal(yield* store.findLock(mine.id, { id: lock.id }), lock)
      equal(yield* store.findLock(mine.id, { path: "a" }), lock)
      assert.isUndefined(yield* store.findLock(other.id, { id: lock.id }))
      for (const path of ["", "b", "\0", "\ud800"]) assert.isUndefined(yield* store.findLock(mine.id, { path }))
    }),
    "list the locks of a repository by id, and count them": Effect.gen(function* () {
      const { mine, newLock, other, store } = yield* fixture
      for (const path of ["c", "a", "b"]) yield* store.lock(newLock(mine.id, path))
      yield* store.lock(newLock(other.id, "d"))
      const listed = yield* store.locks(mine.id, all)
      yield* samePaginated((page) => store.locks(mine.id, page))
      equal([listed.rows.map(({ path }) => path), listed.total], [["c", "a", "b"], 3])
      equal(
        (yield* store.locks(mine.id, { page: 2, perPage: 2 })).rows.map(({ path }) => path),
        ["b"]
      )
    }),
    "remove a lock once, and report when it is missing": Effect.gen(function* () {
      const { mine, newLock, other, store } = yield* fixture
      const { id } = yield* store.lock(newLock(mine.id, "a"))
      assert.isFalse(yield* store.unlock(other.id, id))
      assert.isTrue(yield* store.unlock(mine.id, id))
      assert.isFalse(yield* store.unlock(mine.id, id))
    }),
    "remove the objects and locks of a removed repository": Effect.gen(function* () {
      const { mine, newLock, store } = yield* fixture
      yield* store.link({ repositoryId: mine.id, oid: one, size: 1 })
      yield* store.lock(newLock(mine.id, "a"))
      yield* (yield* RepositoryStore).remove(mine.id)
      equal([...(yield* store.linked(mine.id, [one]))], [])
      equal((yield* store.locks(mine.id, all)).total, 0)
    })
  }
}
