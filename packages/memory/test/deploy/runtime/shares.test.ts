import { assert, describe, it } from "@effect/vitest"
import { Applications } from "@slipway/deploy/apps"
import { Cleanups } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { type Application, DeletionStore } from "@slipway/domain/deploy/apps"
import { EngineUnreachable } from "@slipway/domain/deploy/containers"
import { system } from "@slipway/domain/deploy/entry"
import { CleanupStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect } from "effect"
import { pass, place, plantApplication, queue, shown, startWorker, world } from "./support/support.ts"

const serverAt = (n: number) => uuidOf<ServerUuid>("server", n)
const silence = Effect.andThen(
  Effect.sleep("1 minute"),
  Effect.fail(new EngineUnreachable({ because: "no answer within 60 seconds" }))
)

/** Makes some servers accept connections and never respond, until they are removed from the set. */
const hanging = Effect.fnUntraced(function* (...numbers: ReadonlyArray<number>) {
  const servers = new Set(numbers.map(serverAt))
  yield* (yield* EngineSimulation).onCall((server) => (servers.has(server) ? silence : Effect.void))
  return servers
})

/** Plants servers with some applications each. */
const planted = Effect.fnUntraced(function* (servers: number, each: number) {
  const applications: Array<Application> = []
  for (let n = 1; n <= servers; n++) {
    const there = yield* place({ concurrentBuilds: each }, n)
    for (let m = 0; m < each; m++) {
      const facts = { health_check_enabled: false }
      applications.push(yield* plantApplication(there, applications.length + 1, facts))
    }
  }
  return applications
})

const flags = { deleteConfigurations: true, deleteVolumes: true, dockerCleanup: true, deleteConnectedNetworks: true }

describe("servers that accept connections and never respond", () => {
  // Prevents: four such servers occupy all eight slots of a process for DEPLOY_PATIENCE.
  it.effect("delay no deployment of other servers (invariant I25)", () =>
    Effect.gen(function* () {
      yield* hanging(1, 2, 3, 4)
      const applications = yield* planted(5, 2)
      const deployments = yield* Effect.forEach(applications, (application, n) => queue(n + 1, application))
      yield* startWorker()
      yield* pass(8)
      const statuses = yield* Effect.forEach(deployments, (each) => Effect.map(shown(each), ({ status }) => status))
      assert.deepStrictEqual(statuses, [...Array(8).fill("preparing"), "finished", "finished"])
    }).pipe(Effect.provide(world))
  )

  it.effect("get their waiting deployments when they respond, within the limit of concurrent builds", () =>
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      const hung = yield* hanging(1, 2, 3)
      const applications = yield* planted(3, 2)
      const deployments = yield* Effect.forEach(applications, (application, n) => queue(n + 1, application))
      yield* simulation.onBuild(() => ({ hangs: true }))
      yield* startWorker({ atOnce: 2 })
      const building = Effect.map(
        Effect.forEach([1, 2, 3], (n) => simulation.inventory(serverAt(n))),
        (all) => all.reduce((sum, { building }) => sum + building, 0)
      )
      yield* pass(5)
      assert.deepStrictEqual(
        yield* Effect.forEach(deployments, (each) => Effect.map(shown(each), ({ status }) => status)),
        Array(6).fill("preparing")
      )
      hung.clear()
      let most = 0
      yield* pass(
        90,
        Effect.map(building, (count) => {
          most = Math.max(most, count)
        })
      )
      assert.strictEqual(most, 2)
      yield* simulation.onBuild(() => ({}))
    }).pipe(Effect.provide(world))
  )

  it.effect("delay no cleanup of other servers (invariant I25)", () =>
    Effect.gen(function* () {
      const hung = yield* hanging(1, 2, 3)
      const { onCall } = yield* EngineSimulation
      // Like a server that keeps sending signs of life.
      yield* onCall((server) => (hung.has(server) ? Effect.never : Effect.void))
      const cleanups = yield* CleanupStore
      for (const n of [1, 2, 3, 4]) {
        yield* Cleanups.run(system("server.cleanup.run", { server: (yield* place({}, n)).server }))
      }
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* pass(10)
      const statuses = yield* Effect.forEach([1, 2, 3, 4], (n) =>
        Effect.map(cleanups.ofServer(serverAt(n)), ([newest]) => newest?.status)
      )
      assert.deepStrictEqual(statuses, ["running", "running", "running", "success"])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("delay no deletion of other servers (invariant I25)", () =>
    Effect.gen(function* () {
      yield* hanging(1, 2)
      const [one, two, three] = yield* planted(3, 1)
      if (one === undefined || two === undefined || three === undefined) return assert.fail("they were planted")
      for (const application of [one, two, three]) {
        yield* Applications.remove(system("application.delete", { application }), flags)
      }
      yield* startWorker({ atOnce: 2 })
      yield* pass(5)
      const [left] = yield* (yield* DeletionStore).ofApplication(three.uuid)
      assert.strictEqual(left?.status, "finished")
    }).pipe(Effect.provide(world))
  )
})
