import { assert } from "@effect/vitest"
import {
  type AttachedTo,
  AttachmentStore,
  type NewAttachment,
  RepositoryStore,
  type Stores,
  UserStore
} from "@slipway/domain/forge"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import { equal, oddTexts, repository, user } from "./ground.ts"

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const ground = Effect.gen(function* () {
  const store = yield* AttachmentStore
  const ann = yield* user(1)
  const own = { kind: "user", id: ann.id } as const
  const [site, other] = [yield* repository(1, own), yield* repository(2, own)] as const
  const to: AttachedTo = { repositoryId: site.id, kind: "issue", id: 7 }
  const made = (n: number, facts: Partial<NewAttachment> = {}) =>
    store.insert({
      uuid: uuid(n),
      to,
      uploaderId: ann.id,
      name: `file ${n}.png`,
      size: n,
      type: "image/png",
      createdAt: "2026-01-02T03:04:05.678Z",
      ...facts
    })
  /** Things that are not the one, and differ from it in one respect each. */
  const others: ReadonlyArray<AttachedTo> = [
    { ...to, repositoryId: other.id },
    { ...to, kind: "comment" },
    { ...to, kind: "release" },
    { ...to, id: 8 }
  ]
  return { ann, made, others, site, store, to }
})

/** What the store of attachments promises. */
export const attachments: Contract<Stores> = {
  port: "AttachmentStore",
  musts: {
    "give back an attachment as it was inserted, with a number and no downloads": Effect.gen(function* () {
      const { ann, made, store, to } = yield* ground
      const first = yield* made(1, { name: 'Ünï "x".png', size: 5_000_000_000 })
      equal(first, {
        id: first.id,
        uuid: uuid(1),
        to,
        uploaderId: ann.id,
        name: 'Ünï "x".png',
        size: 5_000_000_000,
        type: "image/png",
        createdAt: "2026-01-02T03:04:05.678Z",
        downloadCount: 0
      })
      equal(yield* store.find(to, first.id), first)
      assert.isNull((yield* made(2, { uploaderId: null })).uploaderId)
    }),
    // Invariant I6: the number of an attachment means nothing below another thing or repository.
    "find, rename and remove the attachments of one thing alone": Effect.gen(function* () {
      const { made, others, store, to } = yield* ground
      const first = yield* made(1)
      for (const each of others) {
        assert.isUndefined(yield* store.find(each, first.id))
        assert.isFalse(yield* store.rename(each, first.id, "x"))
        assert.isFalse(yield* store.remove(each, first.id))
      }
      for (const id of [404_404, 1.5]) {
        assert.isUndefined(yield* store.find(to, id))
        assert.isFalse(yield* store.remove(to, id))
      }
      assert.isTrue(yield* store.rename(to, first.id, "new.png"))
      equal(yield* store.find(to, first.id), { ...first, name: "new.png" })
      assert.isTrue(yield* store.remove(to, first.id))
      assert.isFalse(yield* store.remove(to, first.id))
      assert.isUndefined(yield* store.find(to, first.id))
    }),
    "list the attachments of a thing in the order in which they came": Effect.gen(function* () {
      const { made, others, store, to } = yield* ground
      for (const n of [3, 1, 2]) yield* made(n)
      for (const [n, each] of others.entries()) yield* made(10 + n, { to: each })
      const sizes = (of: AttachedTo) => Effect.map(store.list(of), (found) => found.map(({ size }) => size))
      equal(yield* sizes(to), [3, 1, 2])
      equal(yield* Effect.forEach(others, sizes), [[10], [11], [12], [13]])
      equal(yield* sizes({ ...to, id: 9 }), [])
    }),
    "find an attachment by its uuid, and count its downloads": Effect.gen(function* () {
      const { made, store } = yield* ground
      const [first, second] = [yield* made(1), yield* made(2)]
      for (const each of [first, first, { uuid: uuid(9) }]) yield* store.countDownload(each.uuid)
      equal(yield* store.findByUuid(uuid(1)), { ...first, downloadCount: 2 })
      equal(yield* store.findByUuid(uuid(2)), second)
      for (const odd of oddTexts) assert.isUndefined(yield* store.findByUuid(odd))
    }),
    "list the attachments of many things at once, and remove all those of one": Effect.gen(function* () {
      const { made, others, store, to } = yield* ground
      const [first, second] = [yield* made(1), yield* made(2)]
      const next = yield* made(3, { to: { ...to, id: 8 } })
      for (const [n, each] of others.slice(0, 3).entries()) yield* made(10 + n, { to: each })
      const listed = Effect.map(store.listFor(to, [7, 8, 9]), (found) => [...found].toSorted(([a], [b]) => a - b))
      equal(yield* listed, [
        [7, [first, second]],
        [8, [next]]
      ])
      equal([...(yield* store.listFor(to, []))], [])
      yield* store.removeAll(to)
      equal(yield* listed, [[8, [next]]])
      equal(
        (yield* Effect.forEach(others, (each) => store.list(each))).map(({ length }) => length),
        [1, 1, 1, 1]
      )
    }),
    "tell which of many uuids are those of attachments": Effect.gen(function* () {
      const { made, store } = yield* ground
      for (const n of [1, 2, 3]) yield* made(n)
      equal((yield* store.known([uuid(9), uuid(3), uuid(1), "x"])).toSorted(), [uuid(1), uuid(3)])
      equal(yield* store.known([]), [])
    }),
    "remove the attachments of a repository that is removed, and keep those of a user who is": Effect.gen(function* () {
      const { made, site, store } = yield* ground
      const bob = yield* user(2)
      const kept = yield* made(1, { uploaderId: bob.id })
      yield* (yield* UserStore).remove(bob.id)
      equal(yield* store.findByUuid(uuid(1)), kept)
      yield* (yield* RepositoryStore).remove(site.id)
      assert.isUndefined(yield* store.findByUuid(uuid(1)))
    })
  }
}
