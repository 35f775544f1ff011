import { assert, describe, it } from "@effect/vitest"
import { Status } from "@slipway/deploy/apps"
import { DatabaseStatus, Databases } from "@slipway/deploy/databases"
import { ApplicationStore, DeploymentStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine, EngineRefused } from "@slipway/domain/deploy/containers"
import { DatabaseStore, ownerOf } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { nothing, plantDatabase, runDatabase, shownDatabase } from "../support/databaseSupport.ts"
import {
  pass,
  passUntilEnded,
  place,
  plantApplication,
  queue,
  server,
  shown,
  startKeeping,
  startWorker,
  visit,
  world
} from "../support/support.ts"

const image = "postgres:17-alpine"

/** Deploys an application, and starts a worker and the reconciliation of desired state. */
const deployed = Effect.fnUntraced(function* (facts: Parameters<typeof plantApplication>[2] = {}) {
  const there = yield* place()
  const application = yield* plantApplication(there, 1, facts)
  const first = yield* queue(1, application)
  yield* startWorker()
  yield* passUntilEnded(first, 60)
  yield* startKeeping()
  yield* pass(2)
  assert.strictEqual((yield* shown(first)).status, "finished")
  return { application, first, there }
})

/** Starts a database, and starts the reconciliation of desired state. */
const running = Effect.gen(function* () {
  const simulation = yield* EngineSimulation
  yield* simulation.publish(image)
  const there = yield* place()
  yield* startWorker()
  const database = yield* runDatabase(yield* plantDatabase(there))
  assert.strictEqual(database.state, "done")
  yield* startKeeping()
  yield* pass(2)
  return { database, simulation, there }
})

const engine = Effect.flatMap(ContainerEngine, (engines) =>
  Effect.scoped(engines.open({ _tag: "Local", server, socket: null, connectionTimeout: 5 }))
)

const removeAll = Effect.fnUntraced(function* (application: ApplicationUuid) {
  const { list, remove } = yield* engine
  for (const { name } of yield* list({ application })) yield* remove({ application, name })
})

const statesOf = (application: ApplicationUuid) =>
  Effect.map(
    Effect.flatMap(engine, ({ list }) => list({ application })),
    (all) => all.map(({ state }) => state)
  )

const wordOf = Effect.fnUntraced(function* (uuid: Parameters<typeof shownDatabase>[0]) {
  const database = yield* shownDatabase(uuid)
  return yield* DatabaseStatus.read(system("database.read", { database }))
})

/** Counts start requests to an engine, which refuses them while `isBroken` is true. */
const refusingStarts = Effect.gen(function* () {
  const starts = { isBroken: true, times: 0 }
  yield* (yield* EngineSimulation).onCall((_, operation) =>
    Effect.suspend(() => {
      if (operation !== "start") return Effect.void
      starts.times++
      return starts.isBroken ? Effect.fail(new EngineRefused({ because: "no space left on device" })) : Effect.void
    })
  )
  return starts
})

describe("a running database", () => {
  it.effect("is started again after its engine returns", () =>
    Effect.gen(function* () {
      const { database, simulation } = yield* running
      const application = ownerOf(database.uuid)
      yield* simulation.cutOff(server, "the machine is off")
      yield* pass(25)
      yield* simulation.cutOff(server, null)
      const { list, kill } = yield* engine
      for (const { name } of yield* list({ application })) yield* kill({ application, name })
      assert.strictEqual(yield* wordOf(database), "exited:unhealthy")
      yield* pass(30)
      assert.strictEqual(yield* wordOf(database), "running:healthy")
      const again = yield* shownDatabase(database)
      assert.deepStrictEqual([again.state, again.servingUuid], ["done", database.servingUuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("stays stopped after its engine returns when it was stopped by a request", () =>
    Effect.gen(function* () {
      const { database, simulation } = yield* running
      yield* Databases.stop(system("database.deploy", { database }))
      yield* pass(5)
      yield* simulation.cutOff(server, "the machine is off")
      yield* pass(25)
      yield* simulation.cutOff(server, null)
      yield* pass(45)
      assert.deepStrictEqual(yield* statesOf(ownerOf(database.uuid)), ["exited"])
    }).pipe(Effect.provide(world))
  )

  it.effect("stays stopped when its container was stopped by hand while the platform watched", () =>
    Effect.gen(function* () {
      const { database } = yield* running
      const application = ownerOf(database.uuid)
      const { list, stop } = yield* engine
      for (const { name } of yield* list({ application })) yield* stop({ application, name })
      yield* pass(65)
      assert.deepStrictEqual(yield* statesOf(application), ["exited"])
    }).pipe(Effect.provide(world))
  )

  it.effect("is recreated with its volume when its container, image and network were removed by hand", () =>
    Effect.gen(function* () {
      const { database, simulation } = yield* running
      const before = yield* simulation.inventory(server)
      yield* removeAll(ownerOf(database.uuid))
      yield* simulation.prune(server)
      const { images, networks } = yield* simulation.inventory(server)
      assert.deepStrictEqual([images, networks], [[], []])
      yield* pass(30)
      assert.strictEqual(yield* wordOf(database), "running:healthy")
      const after = yield* simulation.inventory(server)
      const facts = ({ containers, volumes }: typeof before) => [
        containers.map(({ name, spec }) => [name, spec.networks, spec.mounts]),
        volumes
      ]
      assert.deepStrictEqual(facts(after), facts(before))
    }).pipe(Effect.provide(world))
  )

  it.effect("is recreated when its network was removed by hand under a stopped container", () =>
    Effect.gen(function* () {
      const { database, simulation } = yield* running
      yield* simulation.cutOff(server, "the machine is off")
      yield* pass(25)
      yield* simulation.cutOff(server, null)
      const application = ownerOf(database.uuid)
      const { list, kill } = yield* engine
      for (const { name } of yield* list({ application })) yield* kill({ application, name })
      yield* simulation.loseNetwork(server, "network-1")
      yield* pass(30)
      assert.strictEqual(yield* wordOf(database), "running:healthy")
    }).pipe(Effect.provide(world))
  )

  it.effect("is restarted with exponential backoff, and is degraded with a reason until it runs", () =>
    Effect.gen(function* () {
      const { database } = yield* running
      const starts = yield* refusingStarts
      yield* removeAll(ownerOf(database.uuid))
      yield* pass(600)
      // The delays are 20, 40, 80, 160 and 320 seconds.
      assert.strictEqual(starts.times, 5)
      const failed = yield* shownDatabase(database)
      assert.deepStrictEqual(
        [failed.state, failed.reason, failed.servingUuid],
        ["failed", "no space left on device", database.servingUuid]
      )
      assert.strictEqual(yield* wordOf(database), "degraded:unhealthy")
      assert.strictEqual(DatabaseStatus.storedWordOf(failed), "degraded:unhealthy")
      starts.isBroken = false
      yield* pass(340)
      assert.strictEqual(yield* wordOf(database), "running:healthy")
      assert.deepStrictEqual([(yield* shownDatabase(database)).reason], [null])
    }).pipe(Effect.provide(world))
  )

  it.effect("is not repaired while a request is in progress", () =>
    Effect.gen(function* () {
      const { database, simulation } = yield* running
      yield* simulation.publish("postgres:18-alpine", { program: () => ({ healthyAfter: 50 }) })
      yield* Databases.update(system("database.update", { database }), { ...nothing, image: "postgres:18-alpine" })
      yield* Databases.start(system("database.deploy", { database }))
      yield* pass(45)
      const working = yield* shownDatabase(database)
      assert.deepStrictEqual([working.action, working.state], ["start", "working"])
      yield* pass(20)
      assert.deepStrictEqual([(yield* shownDatabase(database)).state], ["done"])
      assert.deepStrictEqual(yield* statesOf(ownerOf(database.uuid)), ["running"])
    }).pipe(Effect.provide(world))
  )
})

describe("a serving application", () => {
  it.effect("is restarted with exponential backoff, and is degraded with a reason until it runs", () =>
    Effect.gen(function* () {
      const { application, first } = yield* deployed()
      const starts = yield* refusingStarts
      yield* removeAll(application.uuid)
      yield* pass(600)
      assert.strictEqual(starts.times, 5)
      const status = Status.read(system("application.read", { application }))
      const why = `could not start ${application.uuid}-${first.uuid}: no space left on device`
      assert.deepStrictEqual([(yield* status).state, (yield* status).reason], ["degraded", why])
      starts.isBroken = false
      yield* pass(340)
      assert.deepStrictEqual([(yield* status).state, (yield* status).reason], ["running", null])
      assert.strictEqual((yield* (yield* ReleaseStore).serving(application.uuid))?.degraded, null)
      assert.strictEqual(yield* visit(), first.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("is restarted immediately when its server responds again", () =>
    Effect.gen(function* () {
      const { application, first } = yield* deployed()
      const simulation = yield* EngineSimulation
      const starts = yield* refusingStarts
      yield* removeAll(application.uuid)
      yield* pass(310)
      starts.isBroken = false
      yield* simulation.cutOff(server, "the machine is off")
      yield* pass(25)
      yield* simulation.cutOff(server, null)
      yield* pass(25)
      assert.strictEqual(yield* visit(), first.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("is degraded with a reason while its container is stopped by hand, until it runs again", () =>
    Effect.gen(function* () {
      const { application, first } = yield* deployed()
      yield* pass(25)
      const { list, start, stop } = yield* engine
      const [container] = yield* list({ application: application.uuid })
      const ref = { application: application.uuid, name: container?.name ?? assert.fail("no container") }
      yield* stop(ref)
      yield* pass(45)
      const status = Status.read(system("application.read", { application }))
      const stored = Effect.map(
        Effect.flatMap(ReleaseStore, ({ serving }) => serving(application.uuid)),
        (serving) => serving?.degraded
      )
      assert.deepStrictEqual(
        [yield* statesOf(application.uuid), (yield* status).state, yield* stored],
        [["exited"], "degraded", `${application.uuid}-${first.uuid} exited with 143`]
      )
      yield* start(ref)
      yield* pass(25)
      assert.deepStrictEqual([(yield* status).state, yield* stored], ["running", null])
    }).pipe(Effect.provide(world))
  )

  it.effect("gets its network and container back when both were removed by hand", () =>
    Effect.gen(function* () {
      const { application, first } = yield* deployed()
      const simulation = yield* EngineSimulation
      yield* removeAll(application.uuid)
      yield* simulation.loseNetwork(server, "network-1")
      yield* pass(25)
      assert.strictEqual(yield* visit(), first.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("is deployed again when its image was removed by hand", () =>
    Effect.gen(function* () {
      const { application, first } = yield* deployed()
      const simulation = yield* EngineSimulation
      yield* removeAll(application.uuid)
      yield* simulation.prune(server)
      yield* pass(40)
      const [newest, ...older] = yield* (yield* DeploymentStore).ofApplication(application.uuid, { limit: 9 })
      assert.deepStrictEqual([newest?.action, newest?.status, newest?.commit], ["deploy", "finished", first.commit])
      assert.deepStrictEqual(
        older.map(({ uuid }) => uuid),
        [first.uuid]
      )
      assert.strictEqual(yield* visit(), newest?.uuid)
    }).pipe(Effect.provide(world))
  )

  // Prevents: a repair activates a change that no user has deployed.
  it.effect("is degraded, and not deployed, when its image is gone and its configuration has changed", () =>
    Effect.gen(function* () {
      const { application } = yield* deployed()
      const simulation = yield* EngineSimulation
      const changed = {
        ...application,
        configuration: { ...application.configuration, dockerfile: "FROM other" }
      }
      yield* Effect.orDie((yield* ApplicationStore).replace(changed))
      yield* removeAll(application.uuid)
      yield* simulation.prune(server)
      yield* pass(40)
      const { reason, state } = yield* Status.read(system("application.read", { application: changed }))
      assert.deepStrictEqual(
        [state, reason],
        [
          "degraded",
          "the image is gone from the server, and the configuration has changed since (dockerfile): deploy the application"
        ]
      )
      assert.strictEqual((yield* (yield* DeploymentStore).ofApplication(application.uuid, { limit: 9 })).length, 1)
    }).pipe(Effect.provide(world))
  )
})

describe("the repair of a database", () => {
  it.effect("is skipped if the database was stopped in the meantime", () =>
    Effect.gen(function* () {
      const { database } = yield* running
      yield* Databases.stop(system("database.deploy", { database }))
      yield* pass(5)
      const serving = database.servingUuid ?? assert.fail("it serves")
      yield* Databases.repair(system("database.deploy", { database }), serving)
      assert.deepStrictEqual((yield* (yield* DatabaseStore).find(database.uuid))?.action, "stop")
    }).pipe(Effect.provide(world))
  )
})
