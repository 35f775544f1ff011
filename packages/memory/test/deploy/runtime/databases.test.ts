import { assert, describe, it } from "@effect/vitest"
import { DatabaseStatus, Databases } from "@slipway/deploy/databases"
import { InvalidInput } from "@slipway/domain"
import { DeletionStore, type Placement } from "@slipway/domain/deploy/apps"
import { containerName, type Engine } from "@slipway/domain/deploy/containers"
import { type Database, DatabaseStore, ownerOf } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation, ends, type ImageBehaviour } from "@slipway/memory/deploy"
import { Effect, Fiber, Redacted } from "effect"
import { nothing, plantDatabase, runDatabase, settle, shownDatabase } from "./support/databaseSupport.ts"
import { pass, place, plantApplication, server, startWorker, world } from "./support/support.ts"

const may = (database: Database) => system("database.deploy", { database })

const publish = Effect.fnUntraced(function* (behaviour?: ImageBehaviour) {
  for (const image of ["postgres:17-alpine", "postgres:18-alpine", "redis:7.4-alpine"]) {
    yield* (yield* EngineSimulation).publish(image, behaviour)
  }
})

const inventory = Effect.flatMap(EngineSimulation, ({ inventory }) => inventory(server))

const containersOf = ({ uuid }: Pick<Database, "uuid">) =>
  Effect.map(inventory, ({ containers }) =>
    containers
      .filter(({ owner }) => owner.application === ownerOf(uuid))
      .map(({ name, spec, state }) => ({ name, state, image: spec.image }))
  )

const word = (database: Database) => DatabaseStatus.read(system("database.read", { database }))

/** A running database. */
const running = Effect.fnUntraced(function* (input: Partial<Databases.DatabaseInput> = {}) {
  yield* publish()
  const there = yield* place()
  yield* startWorker()
  return { there, database: yield* runDatabase(yield* plantDatabase(there, input)) }
})

describe("a database", () => {
  it.effect("runs in a container with a volume, with its uuid as alias in the destination's network", () =>
    Effect.gen(function* () {
      const { database } = yield* running()
      assert.deepStrictEqual([database.state, database.reason, database.servingUuid], ["done", null, database.runUuid])
      const { containers, networks, volumes } = yield* inventory
      assert.deepStrictEqual(
        containers.map(({ spec, state }) => [state, spec.networks]),
        [["running", [{ network: "network-1", aliases: [database.uuid] }]]]
      )
      assert.deepStrictEqual(networks, [{ name: "network-1", application: null }])
      const application = ownerOf(database.uuid)
      assert.deepStrictEqual(volumes, [
        { name: `${database.uuid}_data`, application },
        { name: `${database.uuid}_backups`, application }
      ])
      assert.strictEqual(yield* word(database), "running:healthy")
      yield* (yield* EngineSimulation).crash(server, ownerOf(database.uuid), containers[0]?.name ?? "", 1)
      assert.strictEqual(yield* word(database), "exited:unhealthy")
      yield* (yield* EngineSimulation).cutOff(server, "the cable is cut")
      assert.strictEqual(yield* word(database), "running:unknown")
    }).pipe(Effect.provide(world))
  )

  it.effect("waits until its container is healthy, and reports that", () =>
    Effect.gen(function* () {
      yield* publish({ program: () => ({ healthyAfter: 20 }) })
      const there = yield* place()
      yield* startWorker()
      const database = yield* plantDatabase(there)
      yield* Databases.start(may(database))
      yield* pass(10)
      const waiting = yield* shownDatabase(database)
      assert.deepStrictEqual([waiting.state, waiting.reason], ["working", "waiting for the container to be healthy"])
      assert.strictEqual(yield* word(waiting), "starting:unknown")
      assert.strictEqual((yield* settle(database)).state, "done")
    }).pipe(Effect.provide(world))
  )

  it.effect("keeps its volume when it is stopped, and when it is restarted in a new container", () =>
    Effect.gen(function* () {
      const { database } = yield* running()
      yield* Databases.update(system("database.update", { database }), { ...nothing, image: "postgres:18-alpine" })
      yield* Databases.restart(may(database))
      const again = yield* settle(database)
      assert.strictEqual(again.state, "done")
      assert.notStrictEqual(again.servingUuid, database.servingUuid)
      const name = containerName({
        application: ownerOf(database.uuid),
        deployment: again.servingUuid ?? assert.fail("it serves"),
        service: null
      })
      assert.deepStrictEqual(
        (yield* containersOf(database)).map((each) => [each.name, each.state]),
        [[name, "running"]]
      )
      yield* Databases.stop(may(database))
      const stopped = yield* settle(database)
      assert.deepStrictEqual([stopped.state, stopped.servingUuid], ["done", null])
      assert.deepStrictEqual(
        (yield* containersOf(database)).map(({ state }) => state),
        ["exited"]
      )
      assert.strictEqual(yield* word(stopped), "exited:unhealthy")
      assert.strictEqual((yield* inventory).volumes.length, 2)
    }).pipe(Effect.provide(world))
  )

  // Prevents: a broken image leaves an application without its database.
  it.effect("keeps its old container when a new one fails to run", () =>
    Effect.gen(function* () {
      const { database } = yield* running()
      const simulation = yield* EngineSimulation
      yield* simulation.publish("postgres:18-alpine", { program: () => ends(1, "not my data") })
      yield* Databases.update(system("database.update", { database }), { ...nothing, image: "postgres:18-alpine" })
      yield* Databases.start(may(database))
      const failed = yield* settle(database)
      assert.deepStrictEqual([failed.state, failed.servingUuid], ["failed", database.servingUuid])
      assert.match(failed.reason ?? "", /^the container exited/)
      yield* Databases.restart(may(database))
      yield* settle(database)
      assert.deepStrictEqual((yield* containersOf(database)).map(({ state }) => state).toSorted(), [
        "exited",
        "running"
      ])
      assert.strictEqual(yield* word(failed), "running:healthy")
    }).pipe(Effect.provide(world))
  )

  it.effect("reports the reason if it cannot run", () =>
    Effect.gen(function* () {
      const there = yield* place()
      yield* startWorker()
      const missing = yield* plantDatabase(there, { image: "registry.example/none:1" })
      yield* Databases.start(may(missing))
      const failed = yield* settle(missing)
      assert.deepStrictEqual(
        [failed.state, failed.reason],
        ["failed", "the image registry.example/none:1 cannot be pulled: the registry has no such image"]
      )
      yield* publish()
      const [one, other] = [
        yield* plantDatabase(there, { isPublic: true, publicPort: 5_432 }),
        yield* plantDatabase(there)
      ]
      // As if a program outside the platform used the port.
      yield* Effect.orDie((yield* DatabaseStore).replace({ ...other, isPublic: true, publicPort: 5_432 }))
      yield* Databases.start(may(one))
      yield* settle(one)
      yield* Databases.start(may(other))
      const taken = yield* settle(other)
      assert.deepStrictEqual([taken.state, taken.reason], ["failed", "port 5432 is already in use"])
      assert.strictEqual((yield* shownDatabase(one)).state, "done")
    }).pipe(Effect.provide(world))
  )

  it.effect("waits for an unreachable server without occupying a worker slot, and reports the reason", () =>
    Effect.gen(function* () {
      yield* publish()
      const there = yield* place()
      const simulation = yield* EngineSimulation
      yield* simulation.cutOff(server, "the cable is cut")
      yield* startWorker({ timeout: 3_600 })
      const database = yield* plantDatabase(there)
      yield* Databases.start(may(database))
      yield* pass(5)
      assert.strictEqual(
        (yield* shownDatabase(database)).reason,
        "waiting for the engine of the server, which does not respond: the cable is cut"
      )
      yield* simulation.cutOff(server, null)
      assert.strictEqual((yield* settle(database)).state, "done")
    }).pipe(Effect.provide(world))
  )

  it.effect("starts within the server's limit of concurrent builds", () =>
    Effect.gen(function* () {
      yield* publish({ program: () => ({ healthyAfter: 5 }) })
      const there = yield* place({ concurrentBuilds: 1 })
      yield* startWorker()
      const all = yield* Effect.forEach([1, 2, 3], () => plantDatabase(there))
      for (const each of all) yield* Databases.start(may(each))
      yield* pass(2)
      const states = Effect.forEach(all, (each) => Effect.map(shownDatabase(each), ({ state }) => state))
      assert.deepStrictEqual(yield* states, ["working", "queued", "queued"])
      for (const each of all) assert.strictEqual((yield* settle(each)).state, "done")
    }).pipe(Effect.provide(world))
  )

  it.effect("is stopped in the end when a stop is requested during its start", () =>
    Effect.gen(function* () {
      yield* publish({ program: () => ({ healthyAfter: 30 }) })
      const there = yield* place()
      yield* startWorker()
      const database = yield* plantDatabase(there)
      yield* Databases.start(may(database))
      yield* pass(5)
      yield* Databases.stop(may(database))
      const stopped = yield* settle(database)
      assert.deepStrictEqual([stopped.action, stopped.state, stopped.servingUuid], ["stop", "done", null])
      assert.deepStrictEqual(
        (yield* containersOf(database)).map(({ state }) => state),
        ["exited"]
      )
    }).pipe(Effect.provide(world))
  )
})

describe("a database with a killed worker", () => {
  const steps: ReadonlyArray<keyof Engine> = ["pull", "ensureNetwork", "create", "start", "inspect", "stop", "remove"]

  it.effect.each(steps)("reaches the requested state when the worker is killed before `%s`", (step) =>
    Effect.gen(function* () {
      const { database } = yield* running()
      // The worker that reaches this step hangs there.
      const simulation = yield* EngineSimulation
      let isCut = true
      yield* simulation.onCall((_, operation) => (isCut && operation === step ? Effect.never : Effect.void))
      yield* Databases.start(may(database))
      yield* pass(10)
      isCut = false
      // A killed process writes nothing more, and its lease expires.
      const doomed = yield* shownDatabase(database)
      yield* Effect.orDie((yield* DatabaseStore).replace({ ...doomed, claimedBy: "a killed process" }))
      const done = yield* settle(database, 90)
      assert.deepStrictEqual([done.state, done.servingUuid], ["done", done.runUuid])
      yield* pass(2)
      const left = (yield* containersOf(database)).filter(({ state }) => state === "running")
      assert.strictEqual(left.length, 1)
      assert.strictEqual(yield* word(done), "running:healthy")
    }).pipe(Effect.provide(world))
  )

  it.effect("is released immediately when its worker shuts down gracefully", () =>
    Effect.gen(function* () {
      yield* publish({ program: () => ({ healthyAfter: 20 }) })
      const there = yield* place()
      const first = yield* startWorker()
      const database = yield* plantDatabase(there)
      yield* Databases.start(may(database))
      yield* pass(5)
      yield* Fiber.interrupt(first)
      assert.deepStrictEqual(
        [(yield* shownDatabase(database)).claimedBy, (yield* shownDatabase(database)).leaseUntil],
        [null, null]
      )
      yield* startWorker()
      assert.strictEqual((yield* settle(database)).state, "done")
    }).pipe(Effect.provide(world))
  )
})

describe("a deleted database", () => {
  const flags = {
    deleteConfigurations: true,
    deleteVolumes: false,
    dockerCleanup: true,
    deleteConnectedNetworks: true
  }

  it.effect.each([false, true])("deletes its volume only on request: %s", (deleteVolumes) =>
    Effect.gen(function* () {
      const { database } = yield* running()
      const container = (yield* containersOf(database))[0]?.name ?? assert.fail("it runs")
      const { uuid } = yield* Databases.remove(system("database.delete", { database }), { ...flags, deleteVolumes })
      yield* pass(3)
      const deletion = (yield* (yield* DeletionStore).find(uuid)) ?? assert.fail("it is there")
      const volumes = [`volume ${database.uuid}_backups`, `volume ${database.uuid}_data`]
      assert.deepStrictEqual(
        [deletion.status, deletion.removed, deletion.left],
        ["finished", [`container ${container}`, ...(deleteVolumes ? volumes : [])], deleteVolumes ? [] : volumes]
      )
      const { containers, networks, volumes: present } = yield* inventory
      assert.deepStrictEqual([containers.length, present.length], [0, deleteVolumes ? 0 : 2])
      // Other containers may use the network of a destination.
      assert.deepStrictEqual(networks, [{ name: "network-1", application: null }])
    }).pipe(Effect.provide(world))
  )

  it.effect("is removed within seconds when it is deleted during its start", () =>
    Effect.gen(function* () {
      yield* publish({ program: () => ({ healthyAfter: 60 }) })
      const there = yield* place()
      yield* startWorker()
      const database = yield* plantDatabase(there)
      yield* Databases.start(may(database))
      yield* pass(3)
      const { uuid } = yield* Databases.remove(
        system("database.delete", { database: yield* shownDatabase(database) }),
        flags
      )
      yield* pass(20)
      assert.strictEqual((yield* (yield* DeletionStore).find(uuid))?.status, "finished")
      assert.deepStrictEqual((yield* inventory).containers, [])
    }).pipe(Effect.provide(world))
  )
})

describe("a public port", () => {
  const asked = (there: { readonly placement: Placement }, publicPort: number | null) =>
    Effect.flip(plantDatabase(there, { isPublic: true, publicPort })).pipe(
      Effect.map((error) => (error instanceof InvalidInput ? error.problems : error))
    )

  it.effect("is rejected if a database, an application or the proxy uses it, and the error names this owner", () =>
    Effect.gen(function* () {
      const there = yield* place()
      const elsewhere = yield* place({}, 2)
      const first = yield* plantDatabase(there, { name: "first", isPublic: true, publicPort: 5_432 })
      const application = yield* plantApplication(there, 1, { ports_mappings: "8080:80,7000-7002:1-3,9000:9/udp" })
      assert.deepStrictEqual(yield* asked(there, 5_432), {
        public_port: [`This port of the server is already used by the database \`first\` (${first.uuid}).`]
      })
      assert.deepStrictEqual(yield* asked(there, 7_001), {
        public_port: [
          `This port of the server is already used by the application \`application 1\` (${application.uuid}).`
        ]
      })
      assert.deepStrictEqual(yield* asked(there, 443), {
        public_port: ["This port of the server is already used by its proxy."]
      })
      assert.deepStrictEqual(yield* asked(there, null), {
        public_port: ["Must be set for a public database."]
      })
      yield* plantDatabase(elsewhere, { isPublic: true, publicPort: 5_432 })
      yield* plantDatabase(there, { isPublic: true, publicPort: 9_000 })
      yield* Effect.orDie((yield* ServerStore).replace({ ...there.server, proxyType: "none" }))
      yield* plantDatabase(there, { isPublic: true, publicPort: 443 })
      const same = Databases.update(system("database.update", { database: first }), { ...nothing, publicPort: 5_432 })
      assert.strictEqual((yield* same).publicPort, 5_432)
      const moved = Databases.update(system("database.update", { database: first }), { ...nothing, publicPort: 7_002 })
      assert.strictEqual((yield* Effect.flip(moved))._tag, "InvalidInput")
    }).pipe(Effect.provide(world))
  )
})

describe("the secrets of a database (invariant I15)", () => {
  it.effect("are generated unless given, are passed to its container, and are never stored in plain text", () =>
    Effect.gen(function* () {
      const { database } = yield* running({ fields: { postgres_user: "me" } })
      const [{ spec } = assert.fail("it runs")] = (yield* inventory).containers
      const told = Object.fromEntries(spec.environment.map(([name, value]) => [name, Redacted.value(value)]))
      assert.strictEqual(told["POSTGRES_USER"], "me")
      assert.match(told["POSTGRES_PASSWORD"] ?? "", /^[a-zA-Z0-9]{40}$/)
      assert.isFalse(JSON.stringify(database).includes(told["POSTGRES_PASSWORD"] ?? ""))
      assert.isFalse(JSON.stringify(spec).includes(told["POSTGRES_PASSWORD"] ?? ""))
    }).pipe(Effect.provide(world))
  )
})
