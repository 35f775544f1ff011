import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { type AttachedTo, AttachmentStore, type NewAttachment, RepositoryStore } from "@slipway/domain/forge/code"
import { comments, issues, releases } from "@slipway/domain/forge/collaboration"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { newCommentOn, newIssueIn, newReleaseIn } from "../../builders.ts"
import { equal, oddTexts, repository, run, user } from "../base/fixtures.ts"

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const fixture = Effect.gen(function* () {
  const store = yield* AttachmentStore
  const ann = yield* user(1)
  const own = { kind: "user", id: ann.id } as const
  const [site, other] = [yield* repository(1, own), yield* repository(2, own)] as const
  const door = yield* newIssueIn(site.id, ann.id, "The door")
  const window = yield* newIssueIn(site.id, ann.id, "The window")
  const comment = yield* newCommentOn(door, ann.id, "It squeaks")
  const release = yield* newReleaseIn(site.id, ann.id, "v1", { draft: false })
  const to: AttachedTo = { repositoryId: site.id, kind: "issue", id: door.id }
  const insertAttachment = (n: number, facts: Partial<NewAttachment> = {}) =>
    store.insert({
      uuid: uuid(n),
      to,
      uploaderId: ann.id,
      name: `file ${n}.png`,
      size: n,
      type: "image/png",
      link: null,
      createdAt: "2026-01-02T03:04:05.678Z",
      ...facts
    })
  /** Other resources. */
  const others: ReadonlyArray<AttachedTo> = [
    { repositoryId: site.id, kind: "comment", id: comment.id },
    { repositoryId: site.id, kind: "release", id: release.id },
    { repositoryId: site.id, kind: "issue", id: window.id }
  ]
  const elsewhere: AttachedTo = { ...to, repositoryId: other.id }
  return { ann, comment, door, elsewhere, insertAttachment, others, release, site, store, to, window }
})

/** Contract tests of the store of attachments. Every implementation must pass them. */
export const attachments: Contract<Stores> = {
  port: "AttachmentStore",
  musts: {
    "return an attachment as inserted, with an id and no downloads": Effect.gen(function* () {
      const { ann, insertAttachment, store, to } = yield* fixture
      const first = yield* insertAttachment(1, { name: 'Ünï "x".png', size: 5_000_000_000 })
      equal(first, {
        id: first.id,
        uuid: uuid(1),
        to,
        uploaderId: ann.id,
        name: 'Ünï "x".png',
        size: 5_000_000_000,
        type: "image/png",
        link: null,
        createdAt: "2026-01-02T03:04:05.678Z",
        downloadCount: 0
      })
      equal(yield* store.find(to, first.id), first)
      assert.isNull((yield* insertAttachment(2, { uploaderId: null })).uploaderId)
      const link = "https://cdn.example/app.zip?x=1"
      equal((yield* insertAttachment(3, { link })).link, link)
    }),
    // Invariant I6: the id of an attachment is invalid below another resource or repository.
    "find, change and remove only attachments of the given resource": Effect.gen(function* () {
      const { elsewhere, insertAttachment, others, store, to } = yield* fixture
      const first = yield* insertAttachment(1)
      equal(yield* store.list(elsewhere), [])
      for (const each of [...others, elsewhere]) {
        assert.isUndefined(yield* store.find(each, first.id))
        assert.isFalse(yield* store.change(each, first.id, { name: "x" }))
        assert.isFalse(yield* store.remove(each, first.id))
      }
      for (const id of [404_404, 1.5]) {
        assert.isUndefined(yield* store.find(to, id))
        assert.isFalse(yield* store.remove(to, id))
      }
      assert.isTrue(yield* store.change(to, first.id, { name: "new.png" }))
      equal(yield* store.find(to, first.id), { ...first, name: "new.png" })
      assert.isTrue(yield* store.change(to, first.id, { link: "https://cdn.example/x" }))
      equal(yield* store.find(to, first.id), { ...first, name: "new.png", link: "https://cdn.example/x" })
      assert.isTrue(yield* store.remove(to, first.id))
      assert.isFalse(yield* store.remove(to, first.id))
      assert.isUndefined(yield* store.find(to, first.id))
    }),
    "list the attachments of a resource in the order of their upload": Effect.gen(function* () {
      const { insertAttachment, others, store, to } = yield* fixture
      for (const n of [3, 1, 2]) yield* insertAttachment(n)
      for (const [n, each] of others.entries()) yield* insertAttachment(10 + n, { to: each })
      const sizes = (of: AttachedTo) => Effect.map(store.list(of), (found) => found.map(({ size }) => size))
      equal(yield* sizes(to), [3, 1, 2])
      equal(yield* Effect.forEach(others, sizes), [[10], [11], [12]])
      equal(yield* sizes({ ...to, id: 404_404 }), [])
    }),
    "find an attachment by its uuid, and count its downloads": Effect.gen(function* () {
      const { insertAttachment, store } = yield* fixture
      const [first, second] = [yield* insertAttachment(1), yield* insertAttachment(2)]
      for (const each of [first, first, { uuid: uuid(9) }]) yield* store.countDownload(each.uuid)
      equal(yield* store.findByUuid(uuid(1)), { ...first, downloadCount: 2 })
      equal(yield* store.findByUuid(uuid(2)), second)
      for (const odd of oddTexts) assert.isUndefined(yield* store.findByUuid(odd))
    }),
    "list the attachments of many resources of one type in one call, in any repository": Effect.gen(function* () {
      const { ann, comment, door, insertAttachment, others, store, window } = yield* fixture
      const vault = yield* repository(3, { kind: "user", id: ann.id })
      const far = yield* newIssueIn(vault.id, ann.id, "Elsewhere")
      const [first, second] = [yield* insertAttachment(1), yield* insertAttachment(2)]
      const next = yield* insertAttachment(3, { to: { repositoryId: vault.id, kind: "issue", id: far.id } })
      for (const [n, each] of others.slice(0, 2).entries()) yield* insertAttachment(10 + n, { to: each })
      const listed = yield* store.listFor("issue", [far.id, window.id, door.id])
      equal(
        [...listed].toSorted(([a], [b]) => a - b),
        [
          [door.id, [first, second]],
          [far.id, [next]]
        ]
      )
      equal([...(yield* store.listFor("comment", [comment.id])).keys()], [comment.id])
      equal([...(yield* store.listFor("issue", []))], [])
    }),
    "reject an attachment of a missing resource": Effect.gen(function* () {
      const { insertAttachment, to } = yield* fixture
      for (const kind of ["issue", "comment", "release"] as const) {
        const { _tag } = yield* Effect.flip(run(insertAttachment(1, { to: { ...to, kind, id: 404_404 } })))
        equal(_tag, "Missing")
      }
    }),
    "return which of the given uuids belong to attachments": Effect.gen(function* () {
      const { insertAttachment, store } = yield* fixture
      for (const n of [1, 2, 3]) yield* insertAttachment(n)
      equal((yield* store.known([uuid(9), uuid(3), uuid(1), "x"])).toSorted(), [uuid(1), uuid(3)])
      equal(yield* store.known([]), [])
    }),
    "remove the attachments of a removed issue, comment, release or repository": Effect.gen(function* () {
      const { comment, door, insertAttachment, others, release, site, store, to, window } = yield* fixture
      const [ofComment, ofRelease, ofWindow] = others as readonly [AttachedTo, AttachedTo, AttachedTo]
      const places = [to, ofComment, ofRelease, ofWindow]
      for (const [n, place] of places.entries()) yield* insertAttachment(n, { to: place })
      const left = Effect.map(store.known(places.map((_, n) => uuid(n))), (known) => known.toSorted())
      equal(yield* left, [uuid(0), uuid(1), uuid(2), uuid(3)])
      yield* (yield* releases.store).remove({ repositoryId: site.id }, release.id)
      equal(yield* left, [uuid(0), uuid(1), uuid(3)])
      yield* insertAttachment(4, { to: ofComment })
      yield* (yield* comments.store).remove({ issueId: door.id }, comment.id)
      equal(yield* left, [uuid(0), uuid(3)])
      const another = yield* newCommentOn(door, door.authorId, "It squeaks")
      yield* insertAttachment(5, { to: { ...ofComment, id: another.id } })
      yield* (yield* issues.store).remove({ repositoryId: site.id }, door.id)
      equal(yield* left, [uuid(3)])
      assert.isUndefined(yield* store.findByUuid(uuid(5)))
      yield* (yield* RepositoryStore).remove(site.id)
      equal(yield* left, [])
      equal([...(yield* store.listFor("issue", [window.id]))], [])
    }),
    "keep the attachments of a removed user": Effect.gen(function* () {
      const { insertAttachment, store } = yield* fixture
      const bob = yield* user(2)
      const attachment = yield* insertAttachment(1, { uploaderId: bob.id })
      yield* (yield* UserStore).remove(bob.id)
      equal(yield* store.findByUuid(uuid(1)), attachment)
    })
  }
}
