import { assert, describe, it } from "@effect/vitest"
import { Deployments } from "@slipway/deploy/apps"
import { DeploymentStore } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { EngineSimulation, ProxySimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import {
  linesOf,
  pass,
  place,
  plantApplication,
  plantRepository,
  queue,
  server,
  shown,
  startKeeping,
  startWorker,
  visit,
  world
} from "./support/support.ts"

describe("waiting deployments", () => {
  it.effect("finish on a server without a proxy, and use the ports of the server", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place({ proxyType: "none" }), 1, {
        ports_mappings: "9000:3000"
      })
      yield* (yield* ProxySimulation).cutOff(server, "there is no Caddy")
      const deployment = yield* queue(1, application)
      yield* startWorker()
      yield* pass(10)
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual([status, reason], ["finished", null])
      const lines = yield* linesOf(deployment)
      assert.include(lines, "no proxy can send the health check: the container counts as healthy after 0 seconds")
      assert.include(
        lines,
        "the server has no proxy: its ports are forwarded to the containers, and domains are not served"
      )
      assert.strictEqual(yield* visit(), 404)
    }).pipe(Effect.provide(world))
  )

  it.effect("fail immediately when this version does not support the proxy", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place({ proxyType: "traefik" }))
      const deployment = yield* queue(1, application)
      yield* startWorker()
      yield* pass(3)
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual(
        [status, reason],
        ["failed", "the proxy `traefik` is not supported by this version: use `caddy` or `none`"]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("report that they wait for a proxy, and fail with that reason at the timeout", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      yield* (yield* ProxySimulation).cutOff(server, "the program `caddy` isn't installed")
      const deployment = yield* queue(1, application)
      yield* startWorker({ timeout: 60 })
      yield* pass(5)
      const what = "the proxy of the server, which does not respond: the program `caddy` isn't installed"
      const waits = yield* shown(deployment)
      assert.deepStrictEqual(
        [waits.reason, (yield* linesOf(deployment)).at(-1)],
        [`waiting for ${what}`, `waiting for ${what}`]
      )
      yield* pass(90)
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual([status, reason], ["failed", `waited 60 seconds for ${what}`])
    }).pipe(Effect.provide(world))
  )

  it.effect("continue when the server responds, and clear the reason", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      const simulation = yield* EngineSimulation
      yield* simulation.cutOff(server, "the cable is cut")
      const deployment = yield* queue(1, application)
      yield* startWorker({ timeout: 60 })
      yield* pass(10)
      const what = "waiting for the engine of the server, which does not respond: the cable is cut"
      assert.strictEqual((yield* shown(deployment)).reason, what)
      yield* simulation.cutOff(server, null)
      yield* pass(30)
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual([status, reason], ["finished", null])
      assert.deepStrictEqual(
        (yield* linesOf(deployment)).filter((line) => line === what),
        [what]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("name the service that must become healthy, and fail with that reason", () =>
    Effect.gen(function* () {
      const application = yield* plantRepository(yield* place({ dynamicTimeout: 40 }), 1, {
        web: {
          image: "web",
          expose: ["3000"],
          healthcheck: { test: ["CMD", "true"], interval: "1s", timeout: "1s", retries: 3 }
        }
      })
      const simulation = yield* EngineSimulation
      yield* simulation.publish("web", { program: () => ({ healthyAfter: 9_999 }) })
      const deployment = yield* queue(1, application)
      yield* startWorker()
      yield* pass(20)
      const what = "the engine to report the container of `web` as healthy"
      assert.include(yield* linesOf(deployment), `waiting for ${what}`)
      yield* pass(40)
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual([status, reason], ["failed", `it took longer than 40 seconds, waiting for ${what}`])
      assert.strictEqual((yield* (yield* DeploymentStore).list({ limit: 9 })).length, 1)
    }).pipe(Effect.provide(world))
  )

  it.effect("fail with the output of an unhealthy service's health check in their reason and log", () =>
    Effect.gen(function* () {
      const application = yield* plantRepository(yield* place(), 1, {
        web: { image: "web", expose: ["3000"], healthcheck: { test: "curl -f localhost:3000/ready", interval: "1s" } }
      })
      const simulation = yield* EngineSimulation
      yield* simulation.publish("web", { program: () => ({ unhealthy: "curl: (22) The requested URL returned 503" }) })
      const deployment = yield* queue(1, application)
      yield* startWorker()
      yield* pass(20)
      const why = "the container of `web` is unhealthy: curl: (22) The requested URL returned 503"
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual([status, reason], ["failed", why])
      assert.include(yield* linesOf(deployment), why)
    }).pipe(Effect.provide(world))
  )

  it.effect("run health checks that the engine does not schedule", () =>
    Effect.gen(function* () {
      const application = yield* plantRepository(yield* place(), 1, {
        web: {
          image: "web",
          expose: ["3000"],
          healthcheck: { test: ["CMD", "true"], interval: "5s", timeout: "1s", retries: 3 }
        }
      })
      const simulation = yield* EngineSimulation
      yield* simulation.publish("web", { program: () => ({ isLookedAtWhenAsked: true }) })
      const deployment = yield* queue(1, application)
      yield* startWorker()
      yield* pass(20)
      assert.strictEqual((yield* shown(deployment)).status, "finished")
      // The health check continues while it serves.
      let looks = 0
      yield* simulation.onCall((_, operation) =>
        Effect.sync(() => {
          if (operation === "probeHealth") looks++
        })
      )
      yield* startKeeping()
      yield* pass(65)
      assert.strictEqual(looks, 4)
      yield* Deployments.stop(system("application.deploy", { application }))
      yield* pass(90)
      assert.strictEqual(looks, 4)
    }).pipe(Effect.provide(world))
  )

  it.effect("report which deployment they wait for in the queue", () =>
    Effect.gen(function* () {
      const { placement } = yield* place({ concurrentBuilds: 1 })
      const [one, two] = [yield* plantApplication({ placement }, 1), yield* plantApplication({ placement }, 2)]
      yield* (yield* EngineSimulation).onBuild(() => ({ hangs: true }))
      const first = yield* queue(1, one)
      yield* startWorker()
      yield* pass(2)
      const [again, other] = [yield* queue(2, one), yield* queue(3, two)]
      const reasons = Effect.gen(function* () {
        const rows = [yield* shown(again), yield* shown(other)]
        const told = yield* Deployments.withReasons(system("deployment.read", { deployment: again }), rows)
        return told.map(({ reason }) => reason)
      })
      assert.deepStrictEqual(yield* reasons, [
        `waiting for deployment ${first.uuid} of this application`,
        `waiting in the queue of \`${other.serverName}\` behind deployment ${first.uuid} of \`${first.applicationName}\``
      ])
      yield* Deployments.cancel(system("deployment.cancel", { deployment: first }))
      yield* pass(5)
      const left = yield* reasons
      assert.isNull(left[0])
      assert.strictEqual(
        left[1],
        `waiting in the queue of \`${other.serverName}\` behind deployment ${again.uuid} of \`${again.applicationName}\``
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("fail with a reason when the container runs out of memory", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      yield* (yield* EngineSimulation).onBuild(() => ({
        image: { program: () => ({ exitCode: 137, outOfMemory: true }) }
      }))
      const deployment = yield* queue(1, application)
      yield* startWorker()
      yield* pass(20)
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual(
        [status, reason],
        ["failed", "the container was killed because it ran out of memory (137)"]
      )
    }).pipe(Effect.provide(world))
  )
})
