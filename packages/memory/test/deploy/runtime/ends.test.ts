import { assert, describe, it } from "@effect/vitest"
import { Deployments } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import type { New } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Configuration,
  type Deployment,
  hasEnded,
  type Release,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import type { ReleaseUuid } from "@slipway/domain/deploy/base"
import { EngineRefused, InstancePolicy } from "@slipway/domain/deploy/containers"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber } from "effect"
import {
  Gate,
  Health,
  linesOf,
  pass,
  place,
  plantApplication,
  queue,
  server,
  shown,
  startWorker,
  visit,
  world
} from "./support/support.ts"

const containersOf = Effect.fnUntraced(function* ({ uuid }: Application) {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  return containers.flatMap(({ owner, state }) => (owner.application === uuid ? [[owner.deployment, state]] : []))
})

const change = Effect.fnUntraced(function* (application: Application, facts: Partial<Configuration>) {
  const changed = { ...application, configuration: { ...application.configuration, ...facts } }
  yield* Effect.orDie((yield* ApplicationStore).replace(changed))
  return changed
})

/** An application with a serving first deployment, on a server with a short timeout. */
const served = Effect.fnUntraced(function* (facts: Partial<Configuration> = {}) {
  const planted = yield* place({ dynamicTimeout: 30 })
  const application = yield* plantApplication(planted, 1, facts)
  const first = yield* queue(1, application)
  const worker = yield* startWorker()
  yield* pass(10)
  assert.strictEqual(yield* visit(), first.uuid)
  yield* Fiber.interrupt(worker)
  return { application, first, planted }
})

/** Deploys and waits for the end. */
const ending = Effect.fnUntraced(function* (n: number, application: Application, facts: Partial<New<Deployment>> = {}) {
  const deployment = yield* queue(n, application, facts)
  const worker = yield* startWorker()
  for (let passed = 0; passed < 200 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  yield* Fiber.interrupt(worker)
  return yield* shown(deployment)
})

describe("a deployment", () => {
  it.effect("finishes when its post-deployment command never exits, and logs that (invariant I25)", () =>
    Effect.gen(function* () {
      const { application } = yield* served({ post_deployment_command: "sleep forever" })
      const simulation = yield* EngineSimulation
      yield* simulation.onCall((_, operation) => (operation === "exec" ? Effect.never : Effect.void))
      const second = yield* ending(2, application)
      assert.deepStrictEqual([second.status, yield* visit()], ["finished", second.uuid])
      assert.include(yield* linesOf(second), "the command `sleep` took longer than 30 seconds")
      assert.deepStrictEqual(yield* containersOf(application), [[second.uuid, "running"]])
    }).pipe(Effect.provide(world))
  )

  // Prevents: a cancellation waits a minute for a server that never responded, and occupies a slot.
  it.effect("is cancelled immediately while it waits for a server that never responded", () =>
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      const application = yield* plantApplication(yield* place())
      yield* simulation.cutOff(server, "the cable is cut")
      const deployment = yield* queue(1, application)
      yield* startWorker()
      yield* pass(10)
      assert.strictEqual((yield* shown(deployment)).status, "preparing")
      yield* Deployments.cancel(yield* systemOn("deployment.cancel", { uuid: deployment.uuid }))
      yield* pass(3)
      assert.strictEqual((yield* shown(deployment)).status, "cancelled")
    }).pipe(Effect.provide(world))
  )

  it.effect("fails when its server stops responding permanently during the switch (invariant I25)", () =>
    Effect.gen(function* () {
      const { application } = yield* served()
      const simulation = yield* EngineSimulation
      let isOver = false
      yield* (yield* Gate).guard(uuidOf("deployment", 2), ({ state }) =>
        Effect.suspend(() => {
          if (isOver || state !== "switching") return Effect.void
          isOver = true
          return simulation.cutOff(server, "the cable is cut")
        })
      )
      const { reason, status } = yield* ending(2, application)
      assert.deepStrictEqual(
        [status, reason],
        [
          "failed",
          "it took longer than 90 seconds, waiting for the engine of the server, which does not respond: the cable is cut"
        ]
      )
      yield* simulation.cutOff(server, null)
      const third = yield* ending(3, application)
      assert.deepStrictEqual([third.status, yield* visit()], ["finished", third.uuid])
      assert.deepStrictEqual(yield* containersOf(application), [[third.uuid, "running"]])
    }).pipe(Effect.provide(world))
  )

  it.effect("fails with the reason of the failed step, even if the serving release is unreadable", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      const releases = yield* ReleaseStore
      const release = (yield* releases.ofDeployment(first.uuid)) ?? assert.fail("there is no release")
      const unreadable = {
        ...release,
        uuid: "release00000000000000404" as ReleaseUuid,
        deploymentUuid: uuidOf<Deployment["uuid"]>("deployment", 404),
        compose: "nobody sealed this" as NonNullable<Release["compose"]>
      }
      yield* releases.insert(unreadable)
      const serving = (yield* releases.serving(application.uuid)) ?? assert.fail("nothing serves")
      yield* releases.serve(application.uuid, { ...serving, releaseUuid: unreadable.uuid })
      ;(yield* Health).sick.add(uuidOf("deployment", 2))
      const { reason, status } = yield* ending(2, application)
      assert.deepStrictEqual(
        [status, reason],
        ["failed", "not healthy after 3 tries: responded with 500 instead of 200"]
      )
    }).pipe(Effect.provide(world))
  )

  for (const isKilled of [false, true]) {
    const when = isKilled ? ", even if its worker was killed before" : ""
    it.effect(
      `keeps the serving release when its new address belongs to another application${when} (invariant I28)`,
      () =>
        Effect.gen(function* () {
          const { application, first, planted } = yield* served()
          const other = yield* ending(2, yield* plantApplication(planted, 2))
          const changed = yield* change(application, { domains: "http://a2.example" })
          const gate = yield* Gate
          if (isKilled) {
            yield* gate.guard(uuidOf("deployment", 3), ({ step }) => (step === "apply" ? Effect.never : Effect.void))
            const worker = yield* startWorker()
            yield* queue(3, changed)
            yield* pass(10)
            yield* Fiber.interrupt(worker)
            yield* gate.guard(uuidOf("deployment", 3), () => Effect.void)
            yield* startWorker()
            yield* pass(30)
          } else yield* ending(3, changed)
          const { reason, status } = yield* shown({ uuid: uuidOf("deployment", 3) })
          assert.deepStrictEqual(
            [status, reason],
            ["failed", "the address http://a2.example belongs to another application"]
          )
          assert.deepStrictEqual([yield* visit(1), yield* visit(2)], [first.uuid, other.uuid])
          assert.strictEqual((yield* (yield* ReleaseStore).serving(application.uuid))?.deploymentUuid, first.uuid)
          assert.deepStrictEqual(yield* containersOf(application), [[first.uuid, "running"]])
          // It can still be stopped.
          const stopped = yield* ending(4, changed, { action: "stop" })
          assert.deepStrictEqual([stopped.status, stopped.reason], ["finished", null])
          assert.deepStrictEqual([yield* containersOf(application), yield* visit(2)], [[], other.uuid])
        }).pipe(Effect.provide(world))
    )
  }

  it.effect("is not replaced by a restart that is requested while it waits", () =>
    Effect.gen(function* () {
      const { application } = yield* served()
      const second = yield* Deployments.deploy(yield* systemOn("application.deploy", { uuid: application.uuid }), true)
      const again = yield* Deployments.restart(yield* systemOn("application.deploy", { uuid: application.uuid }))
      assert.strictEqual(again.uuid, second.uuid)
      yield* startWorker()
      yield* pass(15)
      assert.deepStrictEqual([(yield* shown(second)).status, yield* visit()], ["finished", second.uuid])
      assert.strictEqual((yield* (yield* ReleaseStore).ofDeployment(second.uuid))?.deploymentUuid, second.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "runs its pre-deployment command even if the serving container has options that are no longer allowed",
    () =>
      Effect.gen(function* () {
        const options = { custom_docker_run_options: "--privileged", ports_exposes: "3000" }
        const { application, first } = yield* Effect.provideService(served(options), InstancePolicy, {
          hostAccess: true
        })
        const changed = yield* change(application, { custom_docker_run_options: "", pre_deployment_command: "true" })
        const second = yield* ending(2, changed)
        assert.deepStrictEqual([second.status, second.reason], ["finished", null])
        assert.include(yield* linesOf(second), `running \`true\` in ${application.uuid}-${first.uuid}`)
      }).pipe(Effect.provide(world))
  )

  it.effect("restarts the release that serves when the restart begins, not when it was requested", () =>
    Effect.gen(function* () {
      const { application } = yield* served()
      yield* (yield* Gate).guard(uuidOf("deployment", 2), ({ step }) =>
        step === "build" ? Effect.sleep("5 seconds") : Effect.void
      )
      yield* startWorker()
      const second = yield* queue(2, application)
      yield* pass(2)
      const again = yield* Deployments.restart(yield* systemOn("application.deploy", { uuid: application.uuid }))
      yield* pass(30)
      assert.deepStrictEqual([(yield* shown(second)).status, (yield* shown(again)).status], ["finished", "finished"])
      const releases = yield* ReleaseStore
      const release = yield* releases.ofDeployment(second.uuid)
      assert.strictEqual((yield* releases.serving(application.uuid))?.releaseUuid, release?.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("waits while its container restarts and health check retries are left", () =>
    Effect.gen(function* () {
      const { application } = yield* served({ health_check_retries: 5 })
      let runs = 0
      yield* (yield* EngineSimulation).onBuild(() => ({
        image: { program: () => (++runs === 1 ? { exitCode: 1 } : {}) }
      }))
      const { reason, status } = yield* ending(2, application)
      assert.deepStrictEqual([status, reason], ["finished", null])
    }).pipe(Effect.provide(world))
  )

  it.effect("fails with the number of container exits, even if its container is running again", () =>
    Effect.gen(function* () {
      const { application } = yield* served({ health_check_retries: 20 })
      yield* (yield* EngineSimulation).onBuild(() => ({ image: { program: () => ({ exitCode: 3, after: 0.75 }) } }))
      ;(yield* Health).sick.add(uuidOf("deployment", 2))
      const { reason, status } = yield* ending(2, application)
      assert.deepStrictEqual([status, reason], ["failed", "the container exited 3 times"])
    }).pipe(Effect.provide(world))
  )

  it.effect("finishes when the old container cannot be removed, and logs that", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      const simulation = yield* EngineSimulation
      yield* simulation.onCall((_, operation) =>
        operation === "remove" ? Effect.fail(new EngineRefused({ because: "it is busy" })) : Effect.void
      )
      const second = yield* ending(2, application)
      assert.deepStrictEqual([second.status, second.reason, yield* visit()], ["finished", null, second.uuid])
      assert.include(yield* linesOf(second), `could not remove ${application.uuid}-${first.uuid}: it is busy`)
      yield* simulation.onCall(() => Effect.void)
      const third = yield* ending(3, application)
      assert.deepStrictEqual(yield* containersOf(application), [[third.uuid, "running"]])
    }).pipe(Effect.provide(world))
  )

  it.effect("restores the stopped container even if the broken one cannot be removed", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served({ custom_docker_run_options: "-v data:/data" })
      yield* (yield* EngineSimulation).onCall((_, operation) =>
        operation === "remove" ? Effect.fail(new EngineRefused({ because: "it is busy" })) : Effect.void
      )
      ;(yield* Health).sick.add(uuidOf("deployment", 2))
      assert.strictEqual((yield* ending(2, application)).status, "failed")
      assert.includeDeepMembers(yield* containersOf(application), [[first.uuid, "running"]])
      assert.strictEqual(yield* visit(), first.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("stops the old container first in the host network, and routes visitors to the new one", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served({
        custom_docker_run_options: "--network host",
        ports_exposes: "3000"
      })
      const second = yield* ending(2, application)
      assert.deepStrictEqual([second.status, yield* visit()], ["finished", second.uuid])
      assert.notStrictEqual(second.uuid, first.uuid)
      assert.deepStrictEqual(yield* containersOf(application), [[second.uuid, "running"]])
    }).pipe(Effect.provide(world), Effect.provideService(InstancePolicy, { hostAccess: true }))
  )

  it.effect("never runs two containers with one writable volume", () =>
    Effect.gen(function* () {
      const { application } = yield* served({ custom_docker_run_options: "-v data:/data" })
      const second = yield* queue(2, application)
      let most = 0
      const look = Effect.map(containersOf(application), (all) => {
        most = Math.max(most, all.filter(([, state]) => state === "running").length)
      })
      yield* startWorker()
      yield* pass(15, look)
      assert.deepStrictEqual([(yield* shown(second)).status, most, yield* visit()], ["finished", 1, second.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("fails and removes its container even if its last log lines are unreadable", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      yield* (yield* EngineSimulation).onCall((_, operation) =>
        operation === "logs" ? Effect.fail(new EngineRefused({ because: "no logs are kept" })) : Effect.void
      )
      ;(yield* Health).sick.add(uuidOf("deployment", 2))
      assert.strictEqual((yield* ending(2, application)).status, "failed")
      assert.deepStrictEqual(yield* containersOf(application), [[first.uuid, "running"]])
    }).pipe(Effect.provide(world))
  )
})

describe("the previous release", () => {
  it.effect("keeps running for the grace period of the application, and is marked as having served", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served()
      const patient = yield* change(application, { stop_grace_period: 60 })
      const worker = yield* startWorker()
      const second = yield* queue(2, patient)
      yield* pass(40)
      // Visitors reach it before its deployment has finished.
      assert.strictEqual((yield* shown(second)).status, "switching")
      const during = yield* Deployments.releases(yield* systemOn("application.read", { uuid: application.uuid }))
      const current = during.rows.find(({ uuid }) => uuid === during.serving?.releaseUuid)
      assert.deepStrictEqual([current?.deploymentUuid, current?.hasServed], [second.uuid, true])
      assert.deepStrictEqual(yield* containersOf(application), [
        [first.uuid, "running"],
        [second.uuid, "running"]
      ])
      yield* pass(40)
      assert.deepStrictEqual(yield* containersOf(application), [[second.uuid, "running"]])
      const { containers } = yield* (yield* EngineSimulation).inventory(server)
      assert.strictEqual(containers[0]?.stopTimeout, 60)
      ;(yield* Health).sick.add(uuidOf("deployment", 3))
      yield* Fiber.interrupt(worker)
      const third = yield* ending(3, patient)
      const { rows } = yield* Deployments.releases(yield* systemOn("application.read", { uuid: application.uuid }))
      assert.deepStrictEqual(
        rows.map(({ deploymentUuid, hasServed }) => [deploymentUuid, hasServed]),
        [
          [third.uuid, false],
          [second.uuid, true],
          [first.uuid, true]
        ]
      )
    }).pipe(Effect.provide(world))
  )
})
