import { assert, describe, it } from "@effect/vitest"
import { Applications } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import type { Stores } from "@slipway/domain/deploy"
import {
  type Application,
  ApplicationStore,
  type Deletion,
  type DeletionFlags,
  DeletionStore,
  hasEnded
} from "@slipway/domain/deploy/apps"
import { ContainerEngine, type ServerAccess, volumeName } from "@slipway/domain/deploy/containers"
import { EngineSimulation } from "@slipway/memory/deploy"
import { testLayer as secrets } from "@slipway/testkit"
import { newDeletion, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber } from "effect"
import { bring, type InjectedFailure } from "./support/injectedFailures.ts"
import {
  Gate,
  pass,
  place,
  plantApplication,
  queue,
  server,
  shown,
  startKeeping,
  startWorker,
  visit,
  world
} from "./support/support.ts"

const access: ServerAccess = { _tag: "Local", server, socket: null, connectionTimeout: 1 }

/** A running application with its own volume and network. */
const running = Effect.gen(function* () {
  const application = yield* plantApplication(yield* place(), 1, { custom_docker_run_options: "-v data:/data" })
  const engine = yield* (yield* ContainerEngine).open(access)
  yield* engine.ensureNetwork("own", application.uuid)
  const deployment = yield* queue(1, application)
  const worker = yield* startWorker()
  yield* pass(10)
  yield* Fiber.interrupt(worker)
  assert.strictEqual((yield* shown(deployment)).status, "finished")
  return {
    application,
    always: [`routes ${application.uuid}`, `container ${application.uuid}-${deployment.uuid}`],
    image: `image slipway/${application.uuid}:${deployment.uuid}`,
    volume: `volume ${volumeName(application.uuid, "data")}`,
    network: "network own"
  }
})

const remove = Effect.fnUntraced(function* (
  { application }: Effect.Success<typeof running>,
  flags: Partial<DeletionFlags> = {}
) {
  const { destinationUuid, serverUuid } = application.placement
  const target = { applicationUuid: application.uuid, serverUuid, destinationUuid }
  yield* Effect.orDie((yield* ApplicationStore).remove(application.uuid))
  return yield* Effect.orDie((yield* DeletionStore).insert(newDeletion(1, target, flags)))
})

const find = Effect.fnUntraced(function* ({ uuid }: Deletion) {
  return (yield* (yield* DeletionStore).find(uuid)) ?? assert.fail("the deletion is gone")
})

const everything: DeletionFlags = {
  dockerCleanup: true,
  deleteVolumes: true,
  deleteConnectedNetworks: true,
  deleteConfigurations: true
}

const onAndOff = [true, false]
const allFlags: ReadonlyArray<DeletionFlags> = onAndOff.flatMap((dockerCleanup) =>
  onAndOff.flatMap((deleteVolumes) =>
    onAndOff.flatMap((deleteConnectedNetworks) =>
      onAndOff.map((deleteConfigurations) => ({
        dockerCleanup,
        deleteVolumes,
        deleteConnectedNetworks,
        deleteConfigurations
      }))
    )
  )
)

/** Deletes, injects a failure after some steps, and returns the steps before the failure. */
const removeWith = Effect.fnUntraced(function* (after: number, trouble: InjectedFailure) {
  const present = yield* running
  const worker = yield* startWorker()
  const simulation = yield* EngineSimulation
  const { end, taken } = yield* bring({ trouble, after, deployment: uuidOf("deployment", 404) })
  const deletion = yield* remove(present)
  yield* pass(10)
  yield* end(worker)
  yield* pass(80)
  const { left, removed, status } = yield* find(deletion)
  assert.deepStrictEqual([status, left], ["finished", []])
  const all = [...present.always, present.image, present.volume, present.network]
  assert.sameMembers([...removed], all)
  const { containers, images, networks, volumes } = yield* simulation.inventory(server)
  assert.deepStrictEqual([containers, images, volumes], [[], [], []])
  assert.isFalse(networks.some(({ name }) => name === "own"))
  return taken.map(({ step }) => step)
})

const inWorld = (...[last, trouble]: Parameters<typeof removeWith>) =>
  Effect.scoped(Effect.provide(removeWith(last, trouble), world, { local: true }))

const troubles = [
  ["reports everything that it removed when its server is silent before any step", "unreachable"],
  ["reports everything that was removed when its worker is killed before any step and another one continues", "killed"]
] as const

describe("a deletion", () => {
  // Prevents: a hanging build of a deleted application occupies a slot for an hour.
  it.effect("stops a build of its application", () =>
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      yield* simulation.onBuild(() => ({ hangs: true }))
      const application = yield* plantApplication(yield* place())
      const deployment = yield* queue(1, application)
      yield* startWorker()
      yield* pass(5)
      assert.strictEqual((yield* simulation.inventory(server)).building, 1)
      yield* Applications.remove(yield* systemOn("application.delete", { uuid: application.uuid }), everything)
      yield* pass(5)
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual([status, reason], ["cancelled", "the application was deleted"])
      assert.strictEqual((yield* simulation.inventory(server)).building, 0)
      const [deletion] = yield* (yield* DeletionStore).ofApplication(application.uuid)
      assert.strictEqual(deletion?.status, "finished")
    }).pipe(Effect.provide(world))
  )

  it.effect("waits for an unresponsive server without delaying deletions on other servers (invariant I25)", () =>
    Effect.gen(function* () {
      const [silent, other] = [yield* place(), yield* place({}, 2)]
      yield* (yield* EngineSimulation).onCall((at) => (at === server ? Effect.never : Effect.void))
      const insert = Effect.fnUntraced(function* (n: number, { placement }: typeof silent) {
        const { destinationUuid, serverUuid } = placement
        const target = { applicationUuid: uuidOf<Application["uuid"]>("application", n), serverUuid, destinationUuid }
        return yield* Effect.orDie((yield* DeletionStore).insert(newDeletion(n, target)))
      })
      const waits = yield* insert(1, silent)
      const goes = yield* insert(2, other)
      yield* startWorker()
      yield* pass(5)
      assert.deepStrictEqual([(yield* find(waits)).status, (yield* find(goes)).status], ["running", "finished"])
    }).pipe(Effect.provide(world))
  )

  for (const flags of allFlags) {
    const kept = Object.entries(flags).flatMap(([flag, isOn]) => (isOn ? [] : [flag]))
    it.effect(
      `removes the resources that its flags allow, and reports the remaining ones${kept.length === 0 ? "" : `, without ${kept.join(", ")}`}`,
      () =>
        Effect.gen(function* () {
          const present = yield* running
          yield* startWorker()
          yield* startWorker()
          const deletion = yield* remove(present, flags)
          yield* pass(10)
          const { left, reason, removed, status } = yield* find(deletion)
          const things = [
            [flags.dockerCleanup, present.image],
            [flags.deleteVolumes, present.volume],
            [flags.deleteConnectedNetworks, present.network]
          ] as const
          const named = (isOn: boolean) => things.flatMap(([flag, name]) => (flag === isOn ? [name] : []))
          assert.deepStrictEqual([status, reason], ["finished", null])
          assert.deepStrictEqual(removed, [...present.always, ...named(true)])
          assert.deepStrictEqual(left, named(false))
          const { containers, images, networks, volumes } = yield* (yield* EngineSimulation).inventory(server)
          assert.deepStrictEqual(containers, [])
          assert.strictEqual(images.length, flags.dockerCleanup ? 0 : 1)
          assert.strictEqual(volumes.length, flags.deleteVolumes ? 0 : 1)
          assert.strictEqual(
            networks.some(({ name }) => name === "own"),
            !flags.deleteConnectedNetworks
          )
          assert.strictEqual(yield* visit(), 404)
        }).pipe(Effect.provide(world))
    )
  }

  it.effect("is retried with backoff until its server responds", () =>
    Effect.gen(function* () {
      const present = yield* running
      yield* startWorker()
      const simulation = yield* EngineSimulation
      yield* simulation.cutOff(server, "the cable is cut")
      const deletion = yield* remove(present)
      yield* pass(60)
      const waiting = yield* find(deletion)
      assert.deepStrictEqual(
        [waiting.status, waiting.reason, waiting.removed, waiting.left],
        ["queued", "the cable is cut", [], []]
      )
      assert.isAbove(waiting.attempts, 3)
      assert.isBelow(waiting.attempts, 7)
      yield* simulation.cutOff(server, null)
      yield* pass(65)
      const { left, removed, status } = yield* find(deletion)
      assert.deepStrictEqual([status, left], ["finished", []])
      assert.deepStrictEqual(removed, [...present.always, present.image, present.volume, present.network])
    }).pipe(Effect.provide(world))
  )

  for (const [title, trouble] of troubles) {
    it.effect(title, () =>
      Effect.gen(function* () {
        const all = yield* inWorld(Number.POSITIVE_INFINITY, trouble)
        assert.isAbove(all.length, 8)
        for (let last = 0; last < all.length; last++) {
          assert.deepStrictEqual(yield* inWorld(last, trouble), all.slice(0, last))
        }
      })
    )
  }

  it.effect("waits for an unresponsive server without delaying deployments on other servers", () =>
    Effect.gen(function* () {
      const planted = yield* place()
      const other = yield* place({}, 2)
      const simulation = yield* EngineSimulation
      yield* simulation.onCall((uuid) => (uuid === other.server.uuid ? Effect.never : Effect.void))
      const { destination } = other
      yield* Effect.orDie(
        (yield* DeletionStore).insert(
          newDeletion(1, {
            applicationUuid: uuidOf("application", 2),
            serverUuid: destination.serverUuid,
            destinationUuid: destination.uuid
          })
        )
      )
      yield* startWorker()
      yield* pass(2)
      const deployment = yield* queue(1, yield* plantApplication(planted))
      yield* pass(10)
      assert.strictEqual((yield* shown(deployment)).status, "finished")
    }).pipe(Effect.provide(world))
  )

  for (const isSecond of [false, true]) {
    it.effect(
      `stops the application's ${isSecond ? "update" : "first deployment"} at any step, and leaves nothing`,
      () =>
        Effect.gen(function* () {
          const removeAt = Effect.fnUntraced(function* (last: number) {
            const application = yield* plantApplication(yield* place(), 1, {
              custom_docker_run_options: "-v data:/data"
            })
            if (isSecond) {
              yield* queue(1, application)
              const worker = yield* startWorker()
              yield* pass(10)
              yield* Fiber.interrupt(worker)
            }
            const stores = yield* Effect.context<Stores>()
            const deployment = yield* queue(2, application)
            let steps = 0
            yield* (yield* Gate).guard(deployment.uuid, ({ step }) =>
              Effect.suspend(() => {
                if (step === "renew" || steps++ !== last) return Effect.void
                const removed = Effect.flatMap(systemOn("application.delete", { uuid: application.uuid }), (proof) =>
                  Applications.remove(proof, everything)
                )
                return removed.pipe(Effect.orDie, Effect.asVoid, Effect.provideContext(stores), Effect.provide(secrets))
              })
            )
            yield* startKeeping()
            yield* startWorker()
            yield* pass(60)
            if (steps <= last) return false
            assert.isTrue(hasEnded((yield* shown(deployment)).status))
            const { containers, images, volumes } = yield* (yield* EngineSimulation).inventory(server)
            assert.deepStrictEqual([containers, images, volumes, yield* visit()], [[], [], [], 404])
            const rows = yield* (yield* DeletionStore).list({ limit: 9 })
            assert.deepStrictEqual(
              rows.map(({ left, status }) => [status, left]),
              [["finished", []]]
            )
            return true
          })
          let last = 0
          while (yield* Effect.scoped(Effect.provide(removeAt(last), world, { local: true }))) last++
          assert.isAbove(last, 15)
        })
    )
  }
})
