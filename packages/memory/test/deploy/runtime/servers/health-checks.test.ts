import { assert, describe, it } from "@effect/vitest"
import { systemOn } from "@slipway/deploy/entry"
import { HealthChecks } from "@slipway/deploy/runtime"
import { type Application, ApplicationStore } from "@slipway/domain/deploy/apps"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { Health, pass, place, plantApplication, queue, server, shown, startWorker, world } from "../support/support.ts"

const tried = Effect.fnUntraced(function* ({ uuid }: Pick<Application, "uuid">) {
  return yield* HealthChecks.run(yield* systemOn("application.health.check", { uuid }))
})

/** An application with a serving deployment. */
const serving = Effect.gen(function* () {
  const application = yield* plantApplication(yield* place())
  const deployment = yield* queue(1, application)
  yield* startWorker()
  yield* pass(10)
  assert.strictEqual((yield* shown(deployment)).status, "finished")
  return { application, deployment }
})

describe("a health check on request", () => {
  it.effect("returns the response of the serving container, and why it is unhealthy", () =>
    Effect.gen(function* () {
      const { application, deployment } = yield* serving
      const healthy = yield* tried(application)
      assert.strictEqual(healthy.because, null)
      assert.deepStrictEqual(
        healthy.containers.map(({ because, output, service, status }) => [because, output, service, status]),
        [[null, deployment.uuid, null, 200]]
      )
      ;(yield* Health).sick.add(deployment.uuid)
      const { containers } = yield* tried(application)
      assert.deepStrictEqual(
        containers.map(({ because, status }) => [because, status]),
        [["responded with 500 instead of 200", 500]]
      )
      // Nothing was deployed, stopped or restarted.
      const { containers: present } = yield* (yield* EngineSimulation).inventory(server)
      assert.deepStrictEqual(
        present.map(({ owner, restarts, state }) => [owner.deployment, restarts, state]),
        [[deployment.uuid, 0, "running"]]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("uses the current settings, deployed or not, and a disabled check too", () =>
    Effect.gen(function* () {
      const { application } = yield* serving
      const store = yield* ApplicationStore
      const present = yield* store.find(application.uuid)
      assert.isDefined(present)
      if (present === undefined) return
      const changed = { health_check_enabled: false, health_check_return_code: 204 }
      const configuration = { ...present.configuration, ...changed }
      yield* Effect.orDie(store.replace({ ...present, configuration }))
      const { containers } = yield* tried(application)
      assert.deepStrictEqual(
        containers.map(({ because }) => because),
        ["responded with 200 instead of 204"]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("reports an application that does not run, and a server that does not respond", () =>
    Effect.gen(function* () {
      const planted = yield* place()
      const idle = yield* plantApplication(planted)
      assert.deepStrictEqual(yield* tried(idle), { because: "no release is serving", containers: [] })
      yield* queue(1, idle)
      yield* startWorker()
      yield* pass(10)
      yield* (yield* EngineSimulation).cutOff(server, "nobody is there")
      const failure = yield* Effect.flip(tried(idle))
      assert.strictEqual(failure._tag, "EngineUnreachable")
    }).pipe(Effect.provide(world))
  )
})
