import { assert, describe, it } from "@effect/vitest"
import { Storages } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { ApplicationStore } from "@slipway/domain/deploy/apps"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Redacted } from "effect"
import { pass, place, plantApplication, queue, startWorker, world } from "../support/support.ts"

const server = uuidOf<ServerUuid>("server", 1)

const filesOf = Effect.gen(function* () {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  return containers.map(({ spec }) => spec.files.map(({ path, text }) => [path, Redacted.value(text)]))
})

describe("file storages of an application", () => {
  it.effect("are in its containers from the next deployment on, and are no volumes", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      yield* startWorker()
      yield* queue(1, application)
      yield* pass(10)
      assert.deepStrictEqual(yield* filesOf, [[]])
      const proof = yield* systemOn("application.update", { uuid: application.uuid })
      const file = { name: "file", mountPath: "/etc/app.conf", hostPath: null, service: null }
      yield* Storages.create(proof, { ...file, content: Redacted.make("debug = true") })
      yield* queue(2, application)
      yield* pass(30)
      assert.deepInclude(yield* filesOf, [["/etc/app.conf", "debug = true"]])
      assert.deepStrictEqual((yield* (yield* EngineSimulation).inventory(server)).volumes, [])
    }).pipe(Effect.provide(world))
  )

  it.effect("are rejected for an application of a compose file, which defines the files of its services", () =>
    Effect.gen(function* () {
      const facts = { variant: "public", configuration: { build_pack: "dockercompose" } } as const
      const application = yield* plantApplication(yield* place(), 1, facts.configuration)
      yield* (yield* ApplicationStore).replace({ ...application, variant: facts.variant })
      const proof = yield* systemOn("application.update", { uuid: application.uuid })
      const file = { name: "file", mountPath: "/etc/app.conf", hostPath: null, service: null }
      const rejected = yield* Effect.flip(Storages.create(proof, { ...file, content: Redacted.make("debug = true") }))
      assert.deepInclude(rejected, {
        problems: { type: ["The compose file of an application defines the storages of its services."] }
      })
    }).pipe(Effect.provide(world))
  )
})
