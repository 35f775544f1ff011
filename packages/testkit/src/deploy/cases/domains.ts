import { assert } from "@effect/vitest"
import { InstanceSettings } from "@slipway/deploy/administration"
import { DomainConflicts, Services, Tags } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { ApplicationStore, instanceName } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Result } from "effect"
import { newServer } from "../builders.ts"
import { plantWorld } from "../world.ts"
import {
  type Body,
  bodyOf,
  type Case,
  changesNothing,
  create,
  createImage,
  get,
  holdersOf,
  remove,
  shown,
  update,
  type World
} from "./support.ts"

const app = "https://app.example"

const conflicts = <A, E, R>(effect: Effect.Effect<A, E, R>, watched = app) =>
  Effect.map(changesNothing(effect, watched), (error) =>
    error instanceof DomainConflicts ? error.conflicts : assert.fail(`was refused as ${String(error)}`)
  )

const fifty = (world: World, bodyFor: (n: number) => Body) =>
  Effect.forEach(
    Array.from({ length: 50 }, (_, n) => n),
    (n) => Effect.result(createImage(world, bodyFor(n))),
    { concurrency: "unbounded" }
  )

const servedBy = (uuid: string) => Effect.map(shown(uuid), (fields) => fields.domains)

/** Domains: claimed by one, shared when asked for, generated when there are none (decision "Domains"). */
export const domainCases = {
  "of fifty simultaneous creations with one domain, one succeeds (invariant I28)": Effect.gen(function* () {
    const world = yield* plantWorld()
    // Fifty spellings of one domain.
    const results = yield* fifty(world, (n) => ({
      domains: `http://app.example${"/".repeat(n % 10)}`,
      name: `number ${n}`
    }))
    const [winner, ...others] = results.filter(Result.isSuccess)
    assert.isDefined(winner)
    assert.deepStrictEqual(others, [])
    for (const { failure } of results.filter(Result.isFailure)) {
      if (!(failure instanceof DomainConflicts)) return assert.fail(`was refused as ${String(failure)}`)
      const [conflict, ...more] = failure.conflicts
      assert.deepStrictEqual(more, [])
      assert.strictEqual(conflict?.resourceUuid, winner.success.uuid)
      assert.strictEqual(conflict?.resourceName, winner.success.configuration.name)
    }
    assert.strictEqual(yield* (yield* ApplicationStore).count, 1)
    assert.deepStrictEqual(yield* holdersOf(app), [["application", winner.success.uuid]])
  }),
  "of fifty simultaneous creations with one domain that force it, all succeed": Effect.gen(function* () {
    const world = yield* plantWorld()
    const results = yield* fifty(world, () => ({ domains: app, force_domain_override: true }))
    assert.strictEqual(results.filter(Result.isSuccess).length, 50)
    assert.strictEqual((yield* holdersOf(app)).length, 50)
  }),
  "of fifty simultaneous creations that name two domains in either order, one succeeds": Effect.gen(function* () {
    const world = yield* plantWorld()
    const two = ["https://a.example", "https://b.example"]
    const results = yield* fifty(world, (n) => ({ domains: (n % 2 === 0 ? two : two.toReversed()).join() }))
    assert.strictEqual(results.filter(Result.isSuccess).length, 1)
    for (const { failure } of results.filter(Result.isFailure)) assert.instanceOf(failure, DomainConflicts)
  }),
  "of fifty simultaneous updates to one domain, one succeeds": Effect.gen(function* () {
    const world = yield* plantWorld()
    const made = yield* Effect.forEach(Array.from({ length: 50 }), () => createImage(world))
    const results = yield* Effect.forEach(made, ({ uuid }) => Effect.result(update(uuid, { domains: app })), {
      concurrency: "unbounded"
    })
    assert.strictEqual(results.filter(Result.isSuccess).length, 1)
    for (const { failure } of results.filter(Result.isFailure)) assert.instanceOf(failure, DomainConflicts)
    assert.strictEqual((yield* holdersOf(app)).length, 1)
  }),
  "a domain of another application is a conflict, however it is spelled": Effect.gen(function* () {
    const world = yield* plantWorld()
    const holder = yield* createImage(world, { domains: "https://App.example:443/A%7Eb/", name: "the holder" })
    for (const domains of ["http://app.example:80/A~b", "HTTPS://APP.EXAMPLE/A%7eb//", " http://app.example./A~b "]) {
      assert.deepStrictEqual(yield* conflicts(createImage(world, { domains }), "http://app.example/A~b"), [
        {
          domain: domains.trim(),
          resourceName: "the holder",
          resourceUuid: holder.uuid,
          resourceType: "application"
        }
      ])
    }
    const domains = "http://app.example/a~b,http://app.example,http://app.example:8080/A~b,http://www.app.example/A~b"
    yield* createImage(world, { domains })
  }),
  "a domain of a service or of the instance is a conflict, and the other way round": Effect.gen(function* () {
    const world = yield* plantWorld()
    const { destinationUuid, environmentUuid, projectUuid, serverUuid } = world.placement
    const where = { destinationUuid, environmentUuid, projectUuid, serverUuid }
    const input = { name: "a service", description: "", dockerComposeRaw: "services: {}" }
    const newService = (url: string) =>
      Services.create(system("service.create"), { ...input, urls: [{ name: "web", url }] }, where, false)
    const service = yield* newService("https://service.example,https://both.example")
    const setInstance = (instanceDomains: string) =>
      InstanceSettings.update(system("settings.update"), { instanceDomains }, false)
    yield* setInstance("https://slipway.example")
    const wanted = "https://slipway.example,https://mine.example,https://service.example"
    assert.deepStrictEqual(yield* conflicts(createImage(world, { domains: wanted }), wanted), [
      {
        domain: "https://slipway.example",
        resourceName: instanceName,
        resourceUuid: null,
        resourceType: "instance"
      },
      {
        domain: "https://service.example",
        resourceName: "a service",
        resourceUuid: service.uuid,
        resourceType: "service"
      }
    ])
    yield* createImage(world, { domains: app })
    assert.strictEqual((yield* conflicts(newService(app)))[0]?.resourceType, "application")
    assert.strictEqual((yield* conflicts(setInstance(app)))[0]?.resourceType, "application")
    yield* createImage(world, { domains: wanted, force_domain_override: true })
    assert.deepStrictEqual(yield* holdersOf("https://both.example"), [["service", service.uuid]])
  }),
  "a conflict names the one that has held the domain longest": Effect.gen(function* () {
    const world = yield* plantWorld()
    const first = yield* createImage(world, { domains: app })
    const second = yield* createImage(world, { domains: app, force_domain_override: true })
    yield* update(first.uuid, { description: "changed, and no younger for it" })
    assert.deepStrictEqual(
      (yield* conflicts(createImage(world, { domains: app }))).map((each) => each.resourceUuid),
      [first.uuid]
    )
    yield* remove(first.uuid)
    assert.deepStrictEqual(
      (yield* conflicts(createImage(world, { domains: app }))).map((each) => each.resourceUuid),
      [second.uuid]
    )
  }),
  "an application never conflicts with itself": Effect.gen(function* () {
    const world = yield* plantWorld()
    const { uuid } = yield* createImage(world, { domains: `${app},http://app.example` })
    yield* update(uuid, { domains: "http://app.example" })
    yield* update(uuid, { domains: `${app}/,https://other.example` })
    assert.deepStrictEqual(yield* holdersOf(app), [["application", uuid]])
  }),
  "an update to a domain of another is a conflict, unless it is forced": Effect.gen(function* () {
    const world = yield* plantWorld()
    const holder = yield* createImage(world, { domains: app })
    const { uuid } = yield* createImage(world, { domains: "https://mine.example" })
    yield* conflicts(update(uuid, { domains: app, name: "changed" }), `${app},https://mine.example`)
    yield* update(uuid, { domains: app, force_domain_override: true })
    assert.deepStrictEqual(yield* holdersOf(app), [
      ["application", holder.uuid],
      ["application", uuid]
    ])
    assert.deepStrictEqual(yield* holdersOf("https://mine.example"), [])
  }),
  "a domain that is shared already may be kept without forcing it again": Effect.gen(function* () {
    const world = yield* plantWorld()
    yield* createImage(world, { domains: app })
    const { uuid } = yield* createImage(world, { domains: app, force_domain_override: true })
    yield* update(uuid, { force_domain_override: false })
    yield* update(uuid, { domains: `${app}/`, name: "renamed" })
    assert.strictEqual(yield* servedBy(uuid), `${app}/`)
  }),
  "a domain is free when its holder gives it up or is deleted": Effect.gen(function* () {
    const world = yield* plantWorld()
    const first = yield* createImage(world, { domains: app })
    yield* update(first.uuid, { domains: "" })
    const second = yield* createImage(world, { domains: app })
    yield* remove(second.uuid)
    const third = yield* createImage(world, { domains: app })
    assert.deepStrictEqual(yield* holdersOf(app), [["application", third.uuid]])
  }),
  "the domains of compose services are claimed too": Effect.gen(function* () {
    const world = yield* plantWorld()
    const compose = [
      { name: "web", domain: `${app},https://web.example` },
      { name: "worker", domain: "" }
    ]
    const body = { build_pack: "dockercompose", autogenerate_domain: false, docker_compose_domains: compose }
    const holder = yield* create("public", bodyOf("public", world, body))
    assert.deepStrictEqual(yield* holdersOf(app), [["application", holder.uuid]])
    yield* conflicts(createImage(world, { domains: "https://web.example" }))
    yield* conflicts(create("public", bodyOf("public", world, body)))
    yield* update(holder.uuid, { docker_compose_domains: [] })
    assert.deepStrictEqual(yield* holdersOf(app), [])
  }),
  "an application without domains is given one, from the wildcard domain or the address of its server": Effect.gen(
    function* () {
      const world = yield* plantWorld()
      const servers = yield* ServerStore
      for (const [facts, suffix] of [
        [{ wildcardDomain: "apps.example" }, "apps.example"],
        [{ wildcardDomain: null, ip: "10.1.2.3" }, "10.1.2.3.sslip.io"],
        [{ wildcardDomain: null, ip: "2001:db8::1" }, "2001-db8--1.sslip.io"],
        [{ wildcardDomain: null, ip: "host.example" }, "host.example"]
      ] as const) {
        yield* servers.replace({ ...world.server, ...facts })
        for (const fields of [{}, { domains: "" }, { domains: " " }]) {
          const { uuid } = yield* createImage(world, { ...fields, autogenerate_domain: true })
          assert.strictEqual(yield* servedBy(uuid), `http://${uuid}.${suffix}`)
          assert.deepStrictEqual(yield* holdersOf(`https://${uuid}.${suffix}`), [["application", uuid]])
        }
      }
      const none = yield* createImage(world, { autogenerate_domain: false })
      assert.strictEqual(yield* servedBy(none.uuid), "")
    }
  ),
  "a generated domain stays while the application does, and makes way for one of its own": Effect.gen(function* () {
    const world = yield* plantWorld()
    const servers = yield* ServerStore
    const { uuid } = yield* createImage(world, { autogenerate_domain: true })
    const generated = yield* servedBy(uuid)
    yield* servers.replace({ ...world.server, ip: "10.9.9.9" })
    yield* update(uuid, { name: "renamed" })
    assert.strictEqual(yield* servedBy(uuid), generated)
    yield* conflicts(createImage(world, { domains: generated }), generated)
    yield* update(uuid, { domains: app })
    assert.strictEqual(yield* servedBy(uuid), app)
    assert.deepStrictEqual(yield* holdersOf(generated), [])
    yield* update(uuid, { domains: "" })
    assert.strictEqual(yield* servedBy(uuid), `http://${uuid}.10.9.9.9.sslip.io`)
    yield* update(uuid, { autogenerate_domain: false })
    assert.strictEqual(yield* servedBy(uuid), "")
  }),
  "an application that moves to another server is given a domain of that server": Effect.gen(function* () {
    const world = yield* plantWorld()
    const other = yield* plantWorld(2)
    yield* (yield* ServerStore).replace({ ...other.server, ...newServer(2, { wildcardDomain: "second.example" }) })
    const { uuid } = yield* createImage(world, { autogenerate_domain: true })
    const before = yield* servedBy(uuid)
    yield* update(uuid, { server_uuid: other.server.uuid })
    assert.strictEqual(yield* servedBy(uuid), `http://${uuid}.second.example`)
    assert.deepStrictEqual(yield* holdersOf(before), [])
    const own = yield* createImage(world, { domains: app })
    yield* update(own.uuid, { server_uuid: other.server.uuid })
    assert.strictEqual(yield* servedBy(own.uuid), app)
  }),
  "the name in a conflict is the present one": Effect.gen(function* () {
    const world = yield* plantWorld()
    const holder = yield* createImage(world, { domains: app })
    yield* update(holder.uuid, { name: "renamed" })
    yield* Tags.add(yield* systemOn("application.tag.add", { uuid: holder.uuid }), ["a"])
    const [conflict] = yield* conflicts(createImage(world, { domains: app }))
    assert.strictEqual(conflict?.resourceName, "renamed")
    assert.strictEqual((yield* get(holder.uuid)).configuration.name, "renamed")
  })
} satisfies Readonly<Record<string, Case | Readonly<Record<string, Case>>>>
