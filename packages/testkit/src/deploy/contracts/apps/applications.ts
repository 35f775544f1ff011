import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { ApplicationStore, EnvironmentStore, TagStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newApplication, newEnvironment, newTag, placementOf, uuidOf } from "../../builders.ts"
import { plantPlace } from "../../world.ts"

/** The contract of the store of applications, in addition to that of every collection. */
export const applications: Contract<Stores> = {
  port: "ApplicationStore",
  musts: {
    "return an application with the current name of its environment": Effect.gen(function* () {
      const { destination, environment, placement, project } = yield* plantPlace()
      const store = yield* ApplicationStore
      const environments = yield* EnvironmentStore
      const application = yield* store.insert(newApplication(1, placement))
      yield* environments.replace({ ...environment, name: "renamed" })
      const moved = { ...application, placement: { ...placement, environmentName: "renamed" } }
      assert.deepStrictEqual(yield* store.find(application.uuid), moved)
      assert.deepStrictEqual(yield* store.lock(application.uuid), moved)
      assert.deepStrictEqual(yield* store.list({ limit: 5 }), [moved])
      const other = yield* environments.insert(newEnvironment(2, project))
      yield* store.replace({ ...application, placement: placementOf(other, destination) })
      assert.deepStrictEqual((yield* store.find(application.uuid))?.placement, placementOf(other, destination))
      // The name in the row is ignored.
      yield* store.replace({ ...application, placement: { ...placement, environmentName: "made up" } })
      assert.deepStrictEqual(yield* store.find(application.uuid), moved)
    }),
    "list and count no application that runs a service, but find it by its uuid": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const store = yield* ApplicationStore
      const tags = yield* TagStore
      const tag = yield* tags.insert(newTag(1, { name: "both" }))
      const before = yield* store.count
      const rows = yield* Effect.forEach([1, 2, 3, 4], (n) =>
        store.insert(newApplication(n, placement, n % 2 === 0 ? { variant: "service" } : {}))
      )
      for (const { uuid } of rows) yield* tags.attach(uuid, [tag.uuid])
      const [one, service, three] = rows
      assert.isDefined(one)
      assert.isDefined(service)
      assert.isDefined(three)
      assert.deepStrictEqual(yield* store.list({ limit: 9 }), [one, three])
      assert.deepStrictEqual(yield* store.list({ skip: 1, limit: 9 }), [three])
      assert.deepStrictEqual(yield* store.list({ after: one.id, limit: 1 }), [three])
      assert.strictEqual(yield* store.count, before + 2)
      const where = { _tag: "Server", uuid: placement.serverUuid } as const
      assert.deepStrictEqual(yield* store.placed(where, { limit: 9 }), [one, three])
      assert.deepStrictEqual(yield* store.tagged("both", { limit: 9 }), [one, three])
      assert.deepStrictEqual(yield* store.tagged("both", { skip: 1, limit: 9 }), [three])
      assert.strictEqual(yield* store.countTagged("both"), 2)
      assert.deepStrictEqual(yield* store.find(service.uuid), service)
      assert.deepStrictEqual(yield* store.named([service.uuid], [], 9), [service])
      yield* store.remove(service.uuid)
      assert.strictEqual(yield* store.count, before + 2)
    }),
    "list only the applications of the given server, project or environment": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const elsewhere = yield* plantPlace(2)
      const store = yield* ApplicationStore
      const rows = yield* Effect.forEach([5, 4, 3, 2, 1], (n) =>
        store.insert(newApplication(n, n % 2 === 0 ? elsewhere.placement : placement))
      )
      const mine = rows.filter((_, index) => index % 2 === 0)
      for (const where of [
        { _tag: "Server", uuid: placement.serverUuid },
        { _tag: "Project", uuid: placement.projectUuid },
        { _tag: "Environment", uuid: placement.environmentUuid }
      ] as const) {
        assert.deepStrictEqual(yield* store.placed(where, { limit: 9 }), mine)
        assert.deepStrictEqual(yield* store.placed(where, { after: mine[0]?.id, limit: 1 }), mine.slice(1, 2))
        assert.deepStrictEqual(yield* store.placed(where, { skip: 1, limit: 9 }), mine.slice(1))
      }
      const [first] = mine
      assert.isDefined(first)
      yield* store.replace({ ...first, placement: elsewhere.placement })
      const left = yield* store.placed({ _tag: "Server", uuid: placement.serverUuid }, { limit: 9 })
      assert.deepStrictEqual(left, mine.slice(1))
      const nowhere = { _tag: "Server", uuid: uuidOf<typeof placement.serverUuid>("server", 404) } as const
      assert.deepStrictEqual(yield* store.placed(nowhere, { limit: 9 }), [])
    }),
    "list and count only the applications with the given tag, ignoring case, that a caller sees": Effect.gen(
      function* () {
        const { placement } = yield* plantPlace()
        const store = yield* ApplicationStore
        const tags = yield* TagStore
        const rows = yield* Effect.forEach([7, 6, 5, 4, 3, 2, 1], (n) => store.insert(newApplication(n, placement)))
        const odd = yield* tags.insert(newTag(1, { name: "Straße" }))
        const other = yield* tags.insert(newTag(2))
        // The tags are attached in another order than the applications were created.
        for (const row of [...rows].reverse()) {
          yield* tags.attach(row.uuid, rows.indexOf(row) % 2 === 0 ? [odd.uuid, other.uuid] : [other.uuid])
        }
        const wanted = rows.filter((_, index) => index % 2 === 0)
        for (const name of ["Straße", "STRASSE", "strasse"]) {
          assert.deepStrictEqual(yield* store.tagged(name, { limit: 10 }), wanted)
          assert.strictEqual(yield* store.countTagged(name), 4)
        }
        assert.deepStrictEqual(yield* store.tagged("straße", { skip: 1, limit: 2 }), wanted.slice(1, 3))
        assert.deepStrictEqual(yield* store.tagged("straße", { after: wanted[0]?.id, limit: 2 }), wanted.slice(1, 3))
        assert.deepStrictEqual(
          yield* store.tagged("straße", { after: rows[1]?.id, skip: 1, limit: 9 }),
          wanted.slice(2)
        )
        for (const nobodys of ["", "none", "Stra%e", "\0", "\ud800", "x".repeat(10_000)]) {
          assert.deepStrictEqual(yield* store.tagged(nobodys, { limit: 10 }), [])
          assert.strictEqual(yield* store.countTagged(nobodys), 0)
        }
        const [first] = wanted
        assert.isDefined(first)
        assert.isTrue(yield* store.replace({ ...first, updatedAt: moment(99) }))
        assert.isTrue(yield* tags.detach(first.uuid, odd.uuid))
        assert.deepStrictEqual(yield* store.tagged("straße", { limit: 10 }), wanted.slice(1))
        assert.strictEqual(yield* store.countTagged("straße"), 3)
      }
    ),
    "find applications by uuids and by tags in one call, each once": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const store = yield* ApplicationStore
      const tags = yield* TagStore
      const insert = (n: number) => store.insert(newApplication(n, placement))
      const [one, two, three, four] = [yield* insert(4), yield* insert(3), yield* insert(2), yield* insert(1)] as const
      const [odd, other] = [yield* tags.insert(newTag(1, { name: "Straße" })), yield* tags.insert(newTag(2))]
      yield* tags.attach(four.uuid, [odd.uuid])
      yield* tags.attach(two.uuid, [odd.uuid, other.uuid])
      const named = (uuids: ReadonlyArray<string>, names: ReadonlyArray<string>, limit = 9) =>
        store.named(uuids, names, limit)
      assert.deepStrictEqual(yield* named([four.uuid, one.uuid, "nobody", "\0"], []), [one, four])
      assert.deepStrictEqual(yield* named([four.uuid], ["STRASSE", other.name, "none", "\ud800"]), [two, four])
      assert.deepStrictEqual(yield* named([three.uuid], ["strasse"], 2), [two, three])
      assert.deepStrictEqual(yield* named([], []), [])
    })
  }
}
