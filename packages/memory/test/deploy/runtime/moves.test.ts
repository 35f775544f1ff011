import { assert, describe, it } from "@effect/vitest"
import { Applications, Deployments, Status } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { type Application, DeletionStore, type Deployment, ReleaseStore } from "@slipway/domain/deploy/apps"
import { DestinationStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { newDestination, uuidOf } from "@slipway/testkit/deploy"
import { Effect } from "effect"
import {
  Gate,
  Health,
  pass,
  place,
  plantApplication,
  queue,
  shown,
  startKeeping,
  startWorker,
  visit,
  world
} from "./support/support.ts"

const flags = { deleteConfigurations: true, deleteVolumes: true, dockerCleanup: true, deleteConnectedNetworks: true }
const servers = [1, 2].map((n) => uuidOf<Deployment["serverUuid"]>("server", n))

const inventories = Effect.gen(function* () {
  const simulation = yield* EngineSimulation
  return yield* Effect.forEach(servers, simulation.inventory)
})

/** Returns the containers, images and volumes of an application on each server. */
const thingsOf = Effect.fnUntraced(function* ({ uuid }: Application) {
  return (yield* inventories).map(({ containers, images, volumes }) => ({
    containers: containers.filter(({ owner }) => owner.application === uuid).map(({ owner }) => owner.deployment),
    images: images.flatMap(({ tags }) => tags).filter((tag) => tag.includes(uuid)).length,
    volumes: volumes.filter(({ application }) => application === uuid).length
  }))
})

/** An application that serves on the first of two servers; each server has another application too. */
const serving = Effect.gen(function* () {
  const [one, two] = [yield* place(), yield* place({}, 2)]
  const application = yield* plantApplication(one, 1, { custom_docker_run_options: "-v data:/data" })
  const others = [yield* plantApplication(one, 2), yield* plantApplication(two, 3)]
  yield* startWorker()
  const first = yield* queue(1, application)
  for (const [at, other] of others.entries()) yield* queue(at + 2, other)
  yield* pass(10)
  const moveTo = ({ server }: typeof one) =>
    Effect.flatMap(systemOn("application.update", { uuid: application.uuid }), (proof) =>
      Applications.update(proof, { server_uuid: server.uuid })
    )
  const checkOthers = Effect.gen(function* () {
    assert.deepStrictEqual([yield* visit(2, 1), yield* visit(3, 2)], [uuidOf("deployment", 2), uuidOf("deployment", 3)])
  })
  yield* checkOthers
  assert.strictEqual(yield* visit(), first.uuid)
  return { application, checkOthers, first, moveTo, one, two }
})

const deletions = Effect.gen(function* () {
  return (yield* (yield* DeletionStore).list({ limit: 9 })).map(({ serverUuid, status }) => [serverUuid, status])
})

describe("an application that moves to another server", () => {
  it.effect("serves on its old server until it is deployed, and then leaves only its volumes there", () =>
    Effect.gen(function* () {
      const { application, checkOthers, first, moveTo, two } = yield* serving
      const moved = yield* moveTo(two)
      yield* startKeeping()
      yield* pass(30)
      yield* (yield* EngineSimulation).startOver(servers[0] ?? assert.fail())
      yield* pass(30)
      assert.deepStrictEqual([yield* visit(), yield* deletions], [first.uuid, [[servers[0], "queued"]]])
      const status = yield* Status.read(yield* systemOn("application.read", { uuid: application.uuid }))
      assert.deepStrictEqual([status.state, status.containers.length], ["running", 1])
      // A failed deployment there changes nothing here.
      const broken = yield* queue(4, moved)
      ;(yield* Health).sick.add(broken.uuid)
      yield* pass(15)
      assert.deepStrictEqual([(yield* shown(broken)).status, yield* visit()], ["failed", first.uuid])
      const second = yield* queue(5, moved)
      yield* pass(30)
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [404, second.uuid])
      assert.deepStrictEqual(yield* deletions, [[servers[0], "finished"]])
      const [here, there] = yield* thingsOf(application)
      assert.deepStrictEqual(here, { containers: [], images: 0, volumes: 1 })
      assert.deepStrictEqual([there?.containers, there?.volumes], [[second.uuid], 1])
      yield* checkOthers
      yield* Applications.remove(yield* systemOn("application.delete", { uuid: application.uuid }), flags)
      yield* pass(20)
      const none = { containers: [], images: 0, volumes: 0 }
      assert.deepStrictEqual(yield* thingsOf(application), [none, none])
      yield* checkOthers
    }).pipe(Effect.provide(world))
  )

  it.effect("can be restarted and stopped on the server that serves it", () =>
    Effect.gen(function* () {
      const { application, checkOthers, first, moveTo, two } = yield* serving
      yield* moveTo(two)
      const again = yield* Deployments.restart(yield* systemOn("application.deploy", { uuid: application.uuid }))
      yield* pass(20)
      assert.deepStrictEqual([(yield* shown(again)).status, yield* visit()], ["finished", again.uuid])
      assert.notStrictEqual(again.uuid, first.uuid)
      const stop = yield* Deployments.stop(yield* systemOn("application.deploy", { uuid: application.uuid }))
      yield* pass(20)
      assert.strictEqual((yield* shown(stop)).status, "finished")
      assert.isUndefined(yield* (yield* ReleaseStore).serving(application.uuid))
      const none = { containers: [], images: 0, volumes: 0 }
      assert.deepStrictEqual(yield* thingsOf(application), [{ ...none, volumes: 1 }, none])
      yield* checkOthers
    }).pipe(Effect.provide(world))
  )

  it.effect("is not restarted on its old server after a deployment on another server", () =>
    Effect.gen(function* () {
      const { application, moveTo, two } = yield* serving
      const second = yield* queue(4, yield* moveTo(two))
      yield* (yield* Gate).guard(second.uuid, ({ step }) =>
        step === "build" ? Effect.sleep("5 seconds") : Effect.void
      )
      yield* pass(2)
      const again = yield* Deployments.restart(yield* systemOn("application.deploy", { uuid: application.uuid }))
      yield* pass(30)
      assert.deepStrictEqual(
        [(yield* shown(second)).status, (yield* shown(again)).reason],
        ["finished", "the application now serves on another server"]
      )
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [404, second.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("leaves nothing on its old server when it serves on another one, even if it will move back", () =>
    Effect.gen(function* () {
      const { application, checkOthers, moveTo, one, two } = yield* serving
      const gate = yield* Gate
      const second = yield* queue(4, yield* moveTo(two))
      yield* gate.guard(second.uuid, ({ step }) => (step === "build" ? Effect.sleep("5 seconds") : Effect.void))
      yield* pass(2)
      yield* moveTo(one)
      yield* pass(40)
      assert.strictEqual((yield* shown(second)).status, "finished")
      const [here, there] = yield* thingsOf(application)
      assert.deepStrictEqual([here?.containers, there?.containers], [[], [second.uuid]])
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [404, second.uuid])
      yield* checkOthers
    }).pipe(Effect.provide(world))
  )

  it.effect("leaves nothing on both servers when it is deleted before its deployment", () =>
    Effect.gen(function* () {
      const { application, checkOthers, moveTo, two } = yield* serving
      yield* moveTo(two)
      yield* Applications.remove(yield* systemOn("application.delete", { uuid: application.uuid }), flags)
      yield* pass(20)
      const none = { containers: [], images: 0, volumes: 0 }
      assert.deepStrictEqual(yield* thingsOf(application), [none, none])
      assert.strictEqual(yield* visit(), 404)
      yield* checkOthers
    }).pipe(Effect.provide(world))
  )

  it.effect("loses nothing when it moves back before the cleanup", () =>
    Effect.gen(function* () {
      const { application, checkOthers, moveTo, one, two } = yield* serving
      const simulation = yield* EngineSimulation
      const second = yield* queue(4, yield* moveTo(two))
      yield* pass(8)
      yield* simulation.cutOff(servers[0] ?? assert.fail(), "the cable is cut")
      yield* pass(20)
      assert.strictEqual(yield* visit(1, 2), second.uuid)
      const third = yield* queue(5, yield* moveTo(one))
      yield* simulation.cutOff(servers[0] ?? assert.fail(), null)
      yield* pass(120)
      assert.deepStrictEqual([(yield* shown(third)).status, yield* visit(1, 1)], ["finished", third.uuid])
      assert.strictEqual(yield* visit(1, 2), 404)
      const [here, there] = yield* thingsOf(application)
      assert.deepStrictEqual([here?.containers, there?.containers], [[third.uuid], []])
      yield* checkOthers
    }).pipe(Effect.provide(world))
  )
})

describe("an application that moves to another network of its server", () => {
  it.effect("is served by its old containers until its deployment, even if the old network is removed", () =>
    Effect.gen(function* () {
      const [here = assert.fail()] = servers
      const one = yield* place()
      const application = yield* plantApplication(one, 1, { ports_mappings: "9000:3000" })
      yield* startWorker()
      const first = yield* queue(1, application)
      yield* pass(10)
      const destinations = yield* DestinationStore
      const other = yield* Effect.orDie(destinations.insert(newDestination(2, one.server)))
      const moved = yield* Applications.update(yield* systemOn("application.update", { uuid: application.uuid }), {
        destination_uuid: other.uuid
      })
      assert.isTrue(yield* Effect.orDie(destinations.remove(one.destination.uuid)))
      yield* startKeeping()
      yield* (yield* EngineSimulation).startOver(here)
      yield* pass(25)
      assert.deepStrictEqual([yield* visit(), yield* deletions], [first.uuid, []])
      const broken = yield* queue(2, moved)
      ;(yield* Health).sick.add(broken.uuid)
      yield* pass(15)
      assert.deepStrictEqual([(yield* shown(broken)).status, yield* visit()], ["failed", first.uuid])
      const third = yield* queue(3, moved)
      yield* pass(20)
      assert.deepStrictEqual([(yield* shown(third)).status, yield* visit()], ["finished", third.uuid])
      const [{ containers } = assert.fail()] = yield* inventories
      assert.deepStrictEqual(
        containers.map(({ addresses, owner }) => [owner.deployment, Object.keys(addresses)]),
        [[third.uuid, [other.network]]]
      )
    }).pipe(Effect.provide(world))
  )
})
