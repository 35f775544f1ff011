import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { ApplicationStore, EnvironmentStore, readRepositoryFilter, TagStore } from "@slipway/domain/deploy/apps"
import { ForgeAppStore, type ForgeAppUuid, PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import {
  configurationOf,
  moment,
  newApplication,
  newEnvironment,
  newForgeApp,
  newPrivateKey,
  newTag,
  placementOf,
  uuidOf
} from "../../builders.ts"
import { plantPlace, plantWorld } from "../../world.ts"

/** Contract tests of the store of applications, in addition to the contract of every collection. */
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
    "list only the applications of the given forge apps": Effect.gen(function* () {
      const { forgeApp, placement, privateKey } = yield* plantWorld()
      const another = yield* (yield* ForgeAppStore).insert(newForgeApp(2, privateKey))
      const third = yield* (yield* ForgeAppStore).insert(newForgeApp(3, privateKey))
      const store = yield* ApplicationStore
      const of = (n: number, app: { readonly uuid: ForgeAppUuid } | null) =>
        store.insert(newApplication(n, placement, { forgeAppUuid: app?.uuid ?? null }))
      const one = yield* of(5, forgeApp)
      const two = yield* of(4, another)
      yield* of(3, null)
      yield* of(2, third)
      yield* store.insert(newApplication(6, placement, { variant: "service", forgeAppUuid: forgeApp.uuid }))
      const five = yield* of(1, forgeApp)
      const both = [another.uuid, forgeApp.uuid, forgeApp.uuid, uuidOf<ForgeAppUuid>("forgeApp", 404)]
      assert.deepStrictEqual(yield* store.ofForgeApps(both, { limit: 9 }), [one, two, five])
      assert.deepStrictEqual(yield* store.ofForgeApps(both, { skip: 1, limit: 1 }), [two])
      assert.deepStrictEqual(yield* store.ofForgeApps(both, { after: two.id, limit: 9 }), [five])
      assert.deepStrictEqual(yield* store.ofForgeApps([another.uuid], { limit: 9 }), [two])
      assert.deepStrictEqual(yield* store.ofForgeApps([], { limit: 9 }), [])
      const moved = { ...one, forgeAppUuid: third.uuid }
      yield* store.replace(moved)
      assert.deepStrictEqual(yield* store.ofForgeApps([forgeApp.uuid], { limit: 9 }), [five])
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
    "list and count only the applications of the given repository, with the given tag if one is given, that a caller sees":
      Effect.gen(function* () {
        const { placement } = yield* plantPlace()
        const store = yield* ApplicationStore
        const tags = yield* TagStore
        const tag = yield* tags.insert(newTag(1, { name: "Straße" }))
        const longPart = "é".repeat(2_000)
        const addresses = [
          "https://forge.example/Acme/Site.git",
          "https://me:********@forge.example/acme/site",
          "git@forge.example:acme/SITE.GIT",
          "ssh://git@forge.example:2222/group/acme/site.git/",
          "https://other.example/acme/site.git",
          "https://forge.example/other-acme/site.git",
          "https://forge.example/acme/site-two.git",
          "https://forge.example/acme/É.git",
          `https://forge.example/acme/${longPart}1.git`,
          `https://forge.example/acme/${longPart}2.git`,
          null
        ]
        const rows = yield* Effect.forEach(addresses, (git_repository, index) =>
          // The uuids are in another order than the rows.
          store.insert(newApplication(20 - index, placement, { configuration: configurationOf({ git_repository }) }))
        )
        yield* store.insert(
          newApplication(30, placement, {
            variant: "service",
            configuration: configurationOf({ git_repository: "https://forge.example/acme/site.git" })
          })
        )
        const at = (...indexes: ReadonlyArray<number>) => rows.filter((_, index) => indexes.includes(index))
        for (const row of at(1, 2, 5)) yield* tags.attach(row.uuid, [tag.uuid])
        const filterOf = (repository: string) => readRepositoryFilter(repository) ?? assert.fail(repository)
        for (const [repository, wanted] of [
          ["acme/site", at(0, 1, 2, 3, 4)],
          ["ACME/Site.git", at(0, 1, 2, 3, 4)],
          ["group/acme/site", at(3)],
          ["acme/site-two", at(6)],
          // Only ASCII letters have a case.
          ["acme/É", at(7)],
          ["acme/é", []],
          [`acme/${longPart}2`, at(9)],
          ["https://FORGE.example/acme/site/", at(0, 1)],
          ["https://you@forge.example/acme/site.git", at(0, 1)],
          ["git@forge.example:acme/site", at(2)],
          ["ssh://forge.example:2222/group/acme/site", at(3)],
          ["https://forge.example:8443/acme/site.git", []],
          ["acme/s_te", []],
          ["acme/none", []],
          ["acme/\0", []],
          ["acme/\ud800", []]
        ] as const) {
          const filter = { repository: filterOf(repository) }
          assert.deepStrictEqual(yield* store.builtFrom(filter, { limit: 20 }), wanted, repository)
          assert.strictEqual(yield* store.countBuiltFrom(filter), wanted.length, repository)
        }
        const repository = filterOf("acme/site")
        assert.deepStrictEqual(yield* store.builtFrom({ repository }, { skip: 1, limit: 2 }), at(1, 2))
        const [first] = rows
        assert.isDefined(first)
        assert.deepStrictEqual(yield* store.builtFrom({ repository }, { after: first.id, limit: 2 }), at(1, 2))
        for (const [name, wanted] of [
          ["STRASSE", at(1, 2)],
          ["none", []]
        ] as const) {
          const filter = { repository, tag: name }
          assert.deepStrictEqual(yield* store.builtFrom(filter, { limit: 20 }), wanted)
          assert.deepStrictEqual(yield* store.builtFrom(filter, { skip: 1, limit: 20 }), wanted.slice(1))
          assert.strictEqual(yield* store.countBuiltFrom(filter), wanted.length)
        }
        const moved = configurationOf({ git_repository: "https://forge.example/acme/moved.git" })
        yield* store.replace({ ...first, configuration: moved })
        assert.deepStrictEqual(yield* store.builtFrom({ repository }, { limit: 20 }), at(1, 2, 3, 4))
        assert.strictEqual(yield* store.countBuiltFrom({ repository: filterOf("acme/moved") }), 1)
      }),
    "list and count only the applications with the given private key, and the given repository and tag if given":
      Effect.gen(function* () {
        const { placement } = yield* plantPlace()
        const { uuid: privateKeyUuid } = yield* (yield* PrivateKeyStore).insert(newPrivateKey(1))
        const store = yield* ApplicationStore
        const of = (path: string) => configurationOf({ git_repository: `https://forge.example/${path}.git` })
        const one = yield* store.insert(
          newApplication(3, placement, { privateKeyUuid, configuration: of("acme/site") })
        )
        const two = yield* store.insert(
          newApplication(2, placement, { privateKeyUuid, configuration: of("acme/shop") })
        )
        yield* store.insert(newApplication(1, placement, { configuration: of("acme/site") }))
        const repository = readRepositoryFilter("acme/site")
        for (const [filter, wanted] of [
          [{ privateKeyUuid }, [one, two]],
          [{ privateKeyUuid, repository }, [one]],
          [{ privateKeyUuid, tag: "none" }, []]
        ] as const) {
          assert.deepStrictEqual(yield* store.builtFrom(filter, { limit: 10 }), wanted)
          assert.strictEqual(yield* store.countBuiltFrom(filter), wanted.length)
        }
        assert.deepStrictEqual(yield* store.builtFrom({ privateKeyUuid }, { skip: 1, limit: 10 }), [two])
      }),
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
