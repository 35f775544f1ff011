import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { ApplicationStore, TagStore } from "@slipway/domain/deploy/apps"
import { DatabaseStore, ownerOf } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { newApplication, newDatabase, newTag, uuidOf } from "../../builders.ts"
import { plantPlace } from "../../world.ts"

const namesOf = (tags: ReadonlyArray<{ readonly name: string }>) => tags.map((tag) => tag.name)

const tagged = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const store = yield* TagStore
  const one = yield* (yield* ApplicationStore).insert(newApplication(1, placement))
  const other = yield* (yield* ApplicationStore).insert(newApplication(2, placement))
  return { store, one, other }
})

/** Contract tests of the store of tags, in addition to the contract of every collection. */
export const tags: Contract<Stores> = {
  port: "TagStore",
  musts: {
    "create only tags with new names in a team, ignoring case, and return the tags of all given names": {
      "one after the other": Effect.gen(function* () {
        const store = yield* TagStore
        const present = yield* store.insert(newTag(1, { name: "Straße" }))
        const asked = [newTag(2, { name: "STRASSE" }), newTag(3, { name: "new" }), newTag(4, { name: "NEW" })]
        const answered = yield* store.ensure(asked)
        assert.deepStrictEqual(answered[0], present)
        assert.strictEqual(answered.length, 2)
        assert.strictEqual(answered[1]?.name.toLowerCase(), "new")
        assert.deepStrictEqual(yield* store.list({ limit: 10 }), answered)
        assert.deepStrictEqual(yield* store.ensure(asked), answered)
        assert.deepStrictEqual(yield* store.ensure([]), [])
      }),
      "ten concurrently": Effect.gen(function* () {
        const store = yield* TagStore
        const answers = yield* Effect.forEach(
          [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
          (n) => store.ensure([newTag(n * 2, { name: n % 2 === 0 ? "a" : "A" }), newTag(n * 2 + 1, { name: "b" })]),
          { concurrency: "unbounded" }
        )
        const all = yield* store.list({ limit: 10 })
        assert.deepStrictEqual(
          namesOf(all)
            .map((name) => name.toLowerCase())
            .sort(),
          ["a", "b"]
        )
        for (const answer of answers) assert.deepStrictEqual(answer, all)
      })
    },
    "attach a tag to an application once, even if requested repeatedly": {
      "one after the other": Effect.gen(function* () {
        const { one, other, store } = yield* tagged
        const [a, b] = yield* store.ensure([newTag(1, { name: "a" }), newTag(2, { name: "b" })])
        assert.isDefined(a)
        assert.isDefined(b)
        yield* store.attach(one.uuid, [a.uuid, a.uuid])
        yield* store.attach(one.uuid, [a.uuid, b.uuid])
        yield* store.attach(one.uuid, [])
        assert.deepStrictEqual(yield* store.ofApplication(one.uuid), [a, b])
        assert.deepStrictEqual(yield* store.ofApplication(other.uuid), [])
        assert.strictEqual(yield* (yield* ApplicationStore).countTagged("a"), 1)
      }),
      "ten times concurrently": Effect.gen(function* () {
        const { one, store } = yield* tagged
        const [a] = yield* store.ensure([newTag(1)])
        assert.isDefined(a)
        const ten = Array.from({ length: 10 }, () => store.attach(one.uuid, [a.uuid]))
        yield* Effect.all(ten, { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* store.ofApplication(one.uuid), [a])
      })
    },
    "list the tags of an application by name": Effect.gen(function* () {
      const { one, store } = yield* tagged
      // The order is by code points, ignoring case; by UTF-16 code units the last two would change places.
      const inOrder = ["-", "1", "10", "2", "a", "B", "b c", "c", "ä", "\uff5e", "🚀"]
      const shuffled = [8, 2, 10, 0, 6, 4, 9, 1, 3, 5, 7].map((n) => newTag(n + 1, { name: String(inOrder[n]) }))
      const rows = yield* store.ensure(shuffled)
      yield* store.attach(
        one.uuid,
        rows.map((tag) => tag.uuid)
      )
      assert.deepStrictEqual(namesOf(yield* store.ofApplication(one.uuid)), inOrder)
      assert.deepStrictEqual(yield* store.ofApplication(uuidOf("application", 404)), [])
    }),
    "detach a tag, and report when it was not attached": Effect.gen(function* () {
      const { one, other, store } = yield* tagged
      const [a, b] = yield* store.ensure([newTag(1), newTag(2)])
      assert.isDefined(a)
      assert.isDefined(b)
      yield* store.attach(one.uuid, [a.uuid, b.uuid])
      yield* store.attach(other.uuid, [a.uuid])
      assert.isTrue(yield* store.detach(one.uuid, a.uuid))
      assert.isFalse(yield* store.detach(one.uuid, a.uuid))
      assert.isFalse(yield* store.detach(other.uuid, b.uuid))
      assert.isFalse(yield* store.detach(one.uuid, uuidOf("tag", 404)))
      assert.isFalse(yield* store.detach(uuidOf("application", 404), a.uuid))
      assert.deepStrictEqual(yield* store.ofApplication(one.uuid), [b])
      assert.deepStrictEqual(yield* store.ofApplication(other.uuid), [a])
      assert.strictEqual(yield* store.count, 2)
    }),
    "attach tags to databases in the same way, without listing these as tagged applications": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const store = yield* TagStore
      const databases = yield* DatabaseStore
      const applications = yield* ApplicationStore
      const first = yield* databases.insert(newDatabase(1, placement))
      const second = yield* databases.insert(newDatabase(2, placement))
      const application = yield* applications.insert(newApplication(1, placement))
      const [one, other] = [ownerOf(first.uuid), ownerOf(second.uuid)]
      const [a, b] = yield* store.ensure([newTag(1, { name: "a" }), newTag(2, { name: "b" })])
      assert.isDefined(a)
      assert.isDefined(b)
      yield* store.attach(one, [b.uuid, a.uuid, a.uuid])
      yield* store.attach(other, [a.uuid])
      yield* store.attach(application.uuid, [a.uuid])
      assert.deepStrictEqual(yield* store.ofApplication(one), [a, b])
      assert.deepStrictEqual(yield* applications.tagged("a", { limit: 5 }), [application])
      assert.strictEqual(yield* applications.countTagged("a"), 1)
      assert.deepStrictEqual(yield* applications.named([], ["a"], 5), [application])
      assert.isTrue(yield* store.detach(one, a.uuid))
      assert.isFalse(yield* store.detach(one, a.uuid))
      assert.deepStrictEqual(yield* store.ofApplication(one), [b])
      assert.deepStrictEqual(yield* store.ofApplication(other), [a])
      assert.isTrue(yield* databases.remove(second.uuid))
      assert.deepStrictEqual(yield* store.ofApplication(other), [])
      assert.strictEqual(yield* store.count, 2)
    })
  }
}
