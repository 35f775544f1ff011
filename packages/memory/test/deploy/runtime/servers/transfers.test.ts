import { assert, describe, it } from "@effect/vitest"
import { systemOn } from "@slipway/deploy/entry"
import { Exports, Imports } from "@slipway/deploy/runtime"
import { Vault } from "@slipway/domain"
import { ApplicationStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import { ContainerEngine, Proxy } from "@slipway/domain/deploy/containers"
import { system } from "@slipway/domain/deploy/entry"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { ServerFiles } from "@slipway/domain/deploy/runtime"
import { EngineSimulation, ProxySimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Context, Effect, Layer, Redacted } from "effect"
import {
  Health,
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
} from "../support/support.ts"

/** Two instances, each with its own stores and keys, that reach the same servers. */
const instances = Effect.gen(function* () {
  const one = yield* Layer.build(Layer.fresh(world))
  const other = yield* Layer.build(Layer.fresh(world))
  const two = Context.merge(
    other,
    Context.pick(ContainerEngine, EngineSimulation, Health, Proxy, ProxySimulation, ServerFiles)(one)
  )
  return { one: Effect.provideContext(one), two: Effect.provideContext(two) }
})

const passphrase = Redacted.make("a passphrase")

/** A server with its own engine certificates, on which an application runs. */
const running = Effect.gen(function* () {
  const engineKey = yield* (yield* Vault).seal({ uuid: server, field: "engine_key" }, Redacted.make("the engine's key"))
  const tls = { engineTransport: "tls", engineAuthority: "authority", engineCertificate: "certificate" } as const
  const placed = yield* place({ ...tls, engineKey })
  const application = yield* plantApplication(placed)
  yield* startWorker()
  yield* startKeeping()
  const deployment = yield* queue(1, application)
  yield* pass(10)
  assert.strictEqual(yield* visit(), deployment.uuid)
  return { application, deployment }
})

const containers = Effect.gen(function* () {
  const inventory = yield* (yield* EngineSimulation).inventory(server)
  return inventory.containers.map(({ id, startedAt, state }) => ({ id, startedAt, state }))
})

describe("a server that moves to another instance", () => {
  it.effect("keeps its containers running, and the other instance manages them", () =>
    Effect.gen(function* () {
      const { one, two } = yield* instances
      const { application, deployment } = yield* one(running)
      const before = yield* one(containers)
      const leaving = yield* one(
        Effect.flatMap(systemOn("server.transfer", { uuid: server }), (proof) => Exports.begin(proof, passphrase))
      )
      // The sending instance does not connect to the server any more.
      const calls: Array<string> = []
      yield* one(
        Effect.flatMap(EngineSimulation, ({ onCall }) =>
          onCall((_, operation) => Effect.sync(() => void calls.push(operation)))
        )
      )
      yield* one(pass(60))
      assert.deepStrictEqual(calls, [])
      const received = { data: leaving.data, passphrase }
      const imported = yield* two(Imports.importServer(system("server.import"), received))
      assert.deepStrictEqual(imported.counts, { applications: 1, services: 0, databases: 0 })
      const claims = yield* two(Imports.mayClaim(system("server.import"), server))
      yield* two(Imports.claim(claims, { ownerFile: null, takesMetrics: true }))
      yield* one(
        Effect.flatMap(systemOn("server.transfer", { uuid: server }), (proof) =>
          Exports.complete(proof, { exportId: leaving.exportId, targetUrl: null })
        )
      )
      assert.isUndefined(yield* one(Effect.flatMap(ServerStore, ({ find }) => find(server))))
      assert.isUndefined(yield* one(Effect.flatMap(ApplicationStore, ({ find }) => find(application.uuid))))
      yield* two(startWorker())
      yield* two(startKeeping())
      yield* two(pass(60))
      assert.deepStrictEqual(yield* two(containers), before)
      assert.strictEqual(yield* two(visit()), deployment.uuid)
      assert.strictEqual((yield* two(shown(deployment))).status, "finished")
      // The other instance deploys, and stops what the first instance started.
      const moved = yield* two(Effect.flatMap(ApplicationStore, ({ find }) => find(application.uuid)))
      const next = yield* two(queue(2, moved ?? assert.fail("the application is missing")))
      yield* two(pass(20))
      assert.strictEqual(yield* two(visit()), next.uuid)
      assert.strictEqual((yield* two(containers)).length, 1)
      yield* two(queue(3, moved ?? assert.fail(), { action: "stop" }))
      yield* two(pass(20))
      assert.strictEqual(yield* two(visit()), 503)
      assert.isUndefined(yield* two(Effect.flatMap(ReleaseStore, ({ serving }) => serving(application.uuid))))
    })
  )

  it.effect("stays as it was if the transfer is cancelled", () =>
    Effect.gen(function* () {
      const { one } = yield* instances
      const { application, deployment } = yield* one(running)
      const proof = yield* one(systemOn("server.transfer", { uuid: server }))
      yield* one(Exports.begin(proof, passphrase))
      yield* one(pass(30))
      yield* one(Exports.cancel(proof))
      yield* one(pass(30))
      assert.strictEqual(yield* one(visit()), deployment.uuid)
      const next = yield* one(queue(2, application))
      yield* one(pass(20))
      assert.strictEqual(yield* one(visit()), next.uuid)
      assert.strictEqual(next.uuid, uuidOf("deployment", 2))
    })
  )
})
