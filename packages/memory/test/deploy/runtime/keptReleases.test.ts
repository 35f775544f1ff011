import { assert, describe, it } from "@effect/vitest"
import { Applications, Deployments } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { Cleanups, LocalEngine } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import type { New } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Configuration,
  type Deployment,
  hasEnded,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  ContainerEngine,
  EngineRefused,
  EngineUnreachable,
  imageOwner,
  imageReference
} from "@slipway/domain/deploy/containers"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  commit,
  Gate,
  Health,
  pass,
  place,
  plantApplication,
  plantRepository,
  queue,
  server,
  shown,
  startWorker,
  visit,
  world
} from "./support/support.ts"

const untilEnded = Effect.fnUntraced(function* (deployment: Deployment) {
  for (let passed = 0; passed < 100 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  return yield* shown(deployment)
})

const deployed = (n: number, application: Application, facts: Partial<New<Deployment>> = {}) =>
  Effect.flatMap(queue(n, application, facts), untilEnded)

const rolledBack = Effect.fnUntraced(function* (application: Application, wanted: string) {
  return yield* untilEnded(
    yield* Deployments.rollback(yield* systemOn("application.deploy", { uuid: application.uuid }), wanted)
  )
})

const change = Effect.fnUntraced(function* (application: Application, facts: Partial<Configuration>) {
  const changed = { ...application, configuration: { ...application.configuration, ...facts } }
  yield* Effect.orDie((yield* ApplicationStore).replace(changed))
  return changed
})

const releasesOf = Effect.fnUntraced(function* ({ uuid }: Application) {
  return yield* (yield* ReleaseStore).ofApplication(uuid, 100)
})

const stages = Effect.gen(function* () {
  const { stages } = yield* (yield* EngineSimulation).inventory(server)
  return stages.map(({ application, deployment }) => [application, deployment] as const)
})

const tags = Effect.gen(function* () {
  const { images } = yield* (yield* EngineSimulation).inventory(server)
  return images.flatMap((image) => image.tags)
})

const web = { image: "web" }

describe("kept releases", () => {
  it.effect(
    "are the last releases that served, and a rollback to each succeeds after many deployments and restarts",
    () =>
      Effect.gen(function* () {
        const application = yield* plantApplication(yield* place())
        const { sick } = yield* Health
        yield* startWorker({ keptReleases: 4 })
        const served: Array<string> = []
        for (let n = 1; n <= 30; n++) {
          if (n % 3 !== 1) sick.add(uuidOf("deployment", n))
          const { status, uuid } =
            n % 5 === 2
              ? yield* untilEnded(
                  yield* Deployments.restart(yield* systemOn("application.deploy", { uuid: application.uuid }))
                )
              : yield* deployed(n, application)
          if (n % 5 !== 2 && status === "finished") served.push(uuid)
        }
        const kept = (yield* releasesOf(application)).map(({ deploymentUuid }) => deploymentUuid)
        assert.includeMembers(kept, served.slice(-4))
        assert.isAtMost((yield* tags).length, 6)
        for (const wanted of served.slice(-4)) {
          const again = yield* rolledBack(application, wanted)
          assert.deepStrictEqual([again.status, again.reason, yield* visit()], ["finished", null, again.uuid])
        }
      }).pipe(Effect.provide(world))
  )

  it.effect("include a release that a queued rollback needs, at any age", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      const worker = yield* startWorker({ keptReleases: 2 })
      for (const n of [1, 2]) yield* deployed(n, application)
      yield* (yield* Gate).guard(uuidOf("deployment", 3), ({ step }) =>
        step === "build" ? Effect.sleep("5 seconds") : Effect.void
      )
      const third = yield* queue(3, application)
      yield* pass(2)
      const [first] = [uuidOf<Deployment["uuid"]>("deployment", 1)]
      const again = yield* Deployments.rollback(
        yield* systemOn("application.deploy", { uuid: application.uuid }),
        first
      )
      yield* untilEnded(third)
      const { reason, status } = yield* untilEnded(again)
      assert.deepStrictEqual([status, reason], ["finished", null])
      yield* Fiber.interrupt(worker)
    }).pipe(Effect.provide(world))
  )

  it.effect("cannot serve at an address that another application owns now (invariant I28)", () =>
    Effect.gen(function* () {
      const planted = yield* place()
      const application = yield* plantApplication(planted)
      const update = (uuid: string, domains: string) =>
        Effect.flatMap(systemOn("application.update", { uuid }), (proof) => Applications.update(proof, { domains }))
      yield* update(application.uuid, "http://a1.example")
      yield* startWorker()
      const first = yield* deployed(1, application)
      const second = yield* deployed(2, yield* update(application.uuid, "http://a3.example"))
      const other = yield* plantApplication(planted, 2)
      yield* update(other.uuid, "http://a1.example")
      const again = yield* rolledBack(application, first.uuid)
      assert.deepStrictEqual(
        [again.status, again.reason],
        ["failed", "the address http://a1.example belongs to another application"]
      )
      assert.deepStrictEqual([yield* visit(1), yield* visit(3)], [404, second.uuid])
      const third = yield* deployed(3, (yield* (yield* ApplicationStore).find(other.uuid)) ?? other)
      assert.deepStrictEqual([third.status, yield* visit(1)], ["finished", third.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("do not include old images, even if the engine refuses to remove one of these", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      yield* startWorker({ keptReleases: 1 })
      for (const n of [1, 2, 3]) yield* deployed(n, application)
      let isFirst = true
      yield* (yield* EngineSimulation).onCall((_, operation) =>
        Effect.suspend(() => {
          const isRefused = isFirst && operation === "removeImage"
          isFirst = operation === "listImages" || (isFirst && !isRefused)
          return isRefused ? Effect.fail(new EngineRefused({ because: "the image is locked" })) : Effect.void
        })
      )
      for (const n of [4, 5, 6, 7]) yield* deployed(n, application)
      // The oldest image is the locked one.
      const left = [3, 7].map((n) => `slipway/${application.uuid}:${uuidOf("deployment", n)}`)
      assert.sameMembers([...(yield* tags)], left)
    }).pipe(Effect.provide(world))
  )

  it.effect("can run again after the application changed to another build pack and back", () =>
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      yield* simulation.publish("web", { ports: [3000] })
      yield* simulation.publish("cache")
      const files = { Dockerfile: "FROM web" }
      const application = yield* plantRepository(yield* place(), 1, { web, cache: { image: "cache" } })
      yield* commit(1, { web, cache: { image: "cache" } }, files)
      yield* startWorker()
      const composed = yield* deployed(1, application)
      const single = { build_pack: "dockerfile", domains: "http://a1.example", ports_exposes: "3000" } as const
      const changed = yield* change(application, { ...single, docker_compose_domains: [] })
      const built = yield* deployed(2, changed)
      assert.deepStrictEqual([composed.reason, built.reason, yield* visit()], [null, null, built.uuid])
      for (const [wanted, count] of [
        [composed, 2],
        [built, 1],
        [composed, 2]
      ] as const) {
        const again = yield* rolledBack(changed, wanted.uuid)
        assert.deepStrictEqual([again.status, again.reason, yield* visit()], ["finished", null, again.uuid])
        const restarted = yield* untilEnded(
          yield* Deployments.restart(yield* systemOn("application.deploy", { uuid: changed.uuid }))
        )
        assert.deepStrictEqual([restarted.status, yield* visit()], ["finished", restarted.uuid])
        assert.strictEqual((yield* simulation.inventory(server)).containers.length, count)
      }
    }).pipe(Effect.provide(world))
  )

  it.effect("include all images of a serving compose project", () =>
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      yield* simulation.publish("web", { ports: [3000] })
      yield* simulation.publish("cache")
      const application = yield* plantRepository(yield* place(), 1, { web, cache: { image: "cache" } })
      yield* startWorker({ keptReleases: 1 })
      for (const n of [1, 2, 3]) yield* deployed(n, application)
      const again = yield* untilEnded(
        yield* Deployments.restart(yield* systemOn("application.deploy", { uuid: application.uuid }))
      )
      assert.strictEqual(again.status, "finished")
      const mine = (yield* tags).filter((tag) => tag.startsWith("slipway/"))
      const expected = [uuidOf("deployment", 3), again.uuid].flatMap((uuid) =>
        ["web", "cache"].map((service) => `slipway/${application.uuid}:${uuid}-${service}`)
      )
      assert.sameMembers(mine, expected)
    }).pipe(Effect.provide(world))
  )
})

const cleanups = Effect.flatMap(systemOn("server.cleanup.list", { uuid: server }), Cleanups.list)

/** Cleans up the first server, and waits for the end. */
const cleanedUp = Effect.scoped(
  Effect.gen(function* () {
    yield* Cleanups.run(yield* systemOn("server.cleanup.run", { uuid: server }))
    yield* Effect.forkScoped(Pipeline.sweep)
    while ((yield* cleanups)[0]?.finishedAt === null) yield* pass(1)
  })
)

describe("leftover build stages", () => {
  it.effect("are removed with their releases and their application", () =>
    Effect.gen(function* () {
      const planted = yield* place()
      const [mine, other] = [yield* plantApplication(planted), yield* plantApplication(planted, 2)]
      yield* (yield* EngineSimulation).onBuild(() => ({ stages: 2 }))
      yield* startWorker({ keptReleases: 1 })
      const first = yield* deployed(1, mine)
      const others = yield* deployed(2, other)
      assert.strictEqual((yield* stages).length, 4)
      const second = yield* deployed(3, mine)
      const ofOther = [other.uuid, others.uuid] as const
      assert.deepStrictEqual(yield* stages, [ofOther, ofOther, [mine.uuid, second.uuid], [mine.uuid, second.uuid]])
      assert.notStrictEqual(first.uuid, second.uuid)
      const flags = {
        deleteConfigurations: true,
        deleteVolumes: true,
        dockerCleanup: true,
        deleteConnectedNetworks: true
      }
      yield* Applications.remove(yield* systemOn("application.delete", { uuid: mine.uuid }), flags)
      yield* pass(20)
      assert.deepStrictEqual(yield* stages, [ofOther, ofOther])
    }).pipe(Effect.provide(world))
  )

  it.effect("are removed when unused, and stay during a deployment", () =>
    Effect.gen(function* () {
      const planted = yield* place()
      const application = yield* plantApplication(planted)
      const simulation = yield* EngineSimulation
      yield* simulation.onBuild(() => ({ stages: 1 }))
      yield* startWorker()
      const served = yield* deployed(1, application)
      yield* simulation.onBuild(() => ({ stages: 3, fails: "it is broken" }))
      yield* deployed(2, application)
      yield* simulation.onBuild(() => ({ stages: 5, hangs: true }))
      const building = yield* queue(3, application)
      yield* pass(5)
      assert.strictEqual((yield* stages).length, 9)
      yield* cleanedUp
      const left = new Set((yield* stages).map(([, deployment]) => deployment))
      assert.deepStrictEqual([...left], [served.uuid, building.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("are removed with unused images and networks of deleted applications; volumes stay", () =>
    Effect.gen(function* () {
      const planted = yield* place()
      const [mine, other] = [yield* plantApplication(planted), yield* plantApplication(planted, 2)]
      yield* startWorker()
      yield* deployed(1, mine)
      yield* deployed(2, other)
      const again = yield* untilEnded(
        yield* Deployments.restart(yield* systemOn("application.deploy", { uuid: other.uuid }))
      )
      const engine = yield* (yield* ContainerEngine).open({
        _tag: "Local",
        ...(yield* LocalEngine),
        server,
        connectionTimeout: 2
      })
      const others = { application: other.uuid, deployment: uuidOf("deployment", 9) as DeploymentUuid, service: null }
      const [first] = (yield* engine.listImages(mine.uuid)).flatMap(({ tags }) => tags)
      const owner = imageOwner(first ?? "") ?? others
      for (const { uuid } of [mine, other]) {
        yield* engine.ensureNetwork(`net-${uuid}`, uuid)
        yield* engine.ensureVolume(uuid, `vol-${uuid}`)
      }
      const flags = {
        deleteConfigurations: true,
        deleteVolumes: false,
        dockerCleanup: true,
        deleteConnectedNetworks: true
      }
      yield* Applications.remove(yield* systemOn("application.delete", { uuid: mine.uuid }), flags)
      yield* pass(20)
      // Restores what was in use during the deletion.
      yield* engine.tagImage(
        (yield* engine.inspectImage(imageReference({ ...owner, application: other.uuid, deployment: again.uuid }))).id,
        owner
      )
      yield* engine.tagImage(imageReference(owner), others)
      yield* engine.ensureNetwork(`net-${mine.uuid}`, mine.uuid)
      yield* cleanedUp
      const { networks, volumes } = yield* (yield* EngineSimulation).inventory(server)
      const left = yield* tags
      assert.notInclude(left, imageReference(owner))
      // An image without a known deployment may belong to another platform.
      assert.include(left, imageReference(others))
      assert.include(left, imageReference({ ...others, deployment: again.uuid }))
      assert.deepStrictEqual(
        networks.flatMap(({ application, name }) => (application === null ? [] : [name])),
        [`net-${other.uuid}`]
      )
      assert.sameMembers(
        volumes.map(({ name }) => name),
        [`vol-${mine.uuid}`, `vol-${other.uuid}`]
      )
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("are removed with all other unused data on servers that only the platform uses", () =>
    Effect.gen(function* () {
      const planted = yield* place()
      const simulation = yield* EngineSimulation
      const asked: Array<string> = []
      yield* simulation.onCall((_, operation) =>
        Effect.sync(() => void (operation === "freeUnused" && asked.push(operation)))
      )
      yield* cleanedUp
      assert.deepStrictEqual(asked, [])
      yield* startWorker()
      yield* deployed(1, yield* plantApplication(planted))
      yield* cleanedUp
      assert.include(asked, "freeUnused")
    }).pipe(Effect.provide(world))
  )
})

describe("the cleanup of a server", () => {
  it.effect("runs once on schedule, and reports its result", () =>
    Effect.gen(function* () {
      yield* place({ cleanupFrequency: "every_minute", createdAt: "1970-01-01T00:00:00.000Z" })
      yield* startWorker()
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* pass(59)
      assert.deepStrictEqual(yield* cleanups, [])
      yield* pass(7)
      const ended = (yield* cleanups).map(({ message, status }) => ({ message, status }))
      const nothing = "removed 0 images and 0 networks, and freed 0 bytes of unused data"
      assert.deepStrictEqual(ended, [{ message: nothing, status: "success" }])
      yield* pass(60)
      assert.lengthOf(yield* cleanups, 2)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("fails with a reason when its engine does not respond or the platform stops", () =>
    Effect.gen(function* () {
      yield* place({ cleanupFrequency: "0 0 1 1 *" })
      const simulation = yield* EngineSimulation
      yield* simulation.onCall(() => Effect.fail(new EngineUnreachable({ because: "no route" })))
      yield* cleanedUp
      assert.deepInclude((yield* cleanups)[0], { status: "failed", message: "no route" })
      yield* simulation.onCall(() => Effect.never)
      yield* Cleanups.run(yield* systemOn("server.cleanup.run", { uuid: server }))
      const sweeping = yield* Effect.forkChild(Pipeline.sweep)
      yield* pass(1)
      assert.deepInclude((yield* cleanups)[0], { status: "running", message: null })
      yield* Cleanups.run(yield* systemOn("server.cleanup.run", { uuid: server }))
      yield* Fiber.interrupt(sweeping)
      assert.deepInclude((yield* cleanups)[0], { status: "failed", message: "the platform was stopped while it ran" })
      assert.lengthOf(yield* cleanups, 2)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("runs again when its process is killed", () =>
    Effect.gen(function* () {
      const planted = yield* place({ cleanupFrequency: "0 0 1 1 *" })
      yield* Cleanups.add(planted.server, "running")
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(yield* cleanups, 1)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        (yield* cleanups).map(({ message, status }) => [status, message]),
        [
          ["success", "removed 0 images and 0 networks, and freed 0 bytes of unused data"],
          ["failed", "the platform exited while it ran"]
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
