import { assert, describe, it } from "@effect/vitest"
import { Services, Status } from "@slipway/deploy/apps"
import { authorizeNamed } from "@slipway/deploy/entry"
import { ContainerEngine, EngineRefused } from "@slipway/domain/deploy/containers"
import { system, systemCaller } from "@slipway/domain/deploy/entry"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Layer } from "effect"
import { enableWebhook, Receiver, receiving } from "../notifications/receiver.ts"
import {
  pass,
  passUntilEnded,
  place,
  world as platform,
  server,
  startKeeping,
  startWorker
} from "../support/support.ts"

const world = Layer.merge(platform, receiving)

const engine = Effect.flatMap(ContainerEngine, (engines) =>
  Effect.scoped(engines.open({ _tag: "Local", server, socket: null, connectionTimeout: 5 }))
)

const documents = Effect.map(Receiver, ({ received }) => received.map(({ document }) => document))

describe("a service", () => {
  it.effect(
    "is degraded with a reason, and reports it as a service, when it cannot be started or its containers exit",
    () =>
      Effect.gen(function* () {
        const simulation = yield* EngineSimulation
        yield* simulation.publish("web", { ports: [3000] })
        yield* simulation.publish("postgres:17")
        yield* enableWebhook(["status_change"])
        yield* startWorker()
        const { placement } = yield* place()
        const service = yield* Services.create(
          system("service.create"),
          {
            name: "shop",
            description: "",
            dockerComposeRaw: JSON.stringify({ services: { db: { image: "postgres:17" }, web: { image: "web" } } }),
            urls: [{ name: "web", url: "http://a1.example" }],
            connectsToNetwork: false
          },
          placement
        )
        const proof = yield* authorizeNamed(systemCaller, "service.deploy", { uuid: service.uuid })
        const deployment = yield* Services.start(proof)
        yield* passUntilEnded(deployment, 30)
        yield* startKeeping()
        yield* pass(25)
        const status = Effect.flatMap(authorizeNamed(systemCaller, "service.read", { uuid: service.uuid }), Status.read)
        const told = Effect.map(documents, (all) =>
          all.map(({ message, service_uuid: uuid }) => [message, uuid === service.uuid])
        )
        let isBroken = true
        yield* simulation.onCall((_, operation) =>
          Effect.suspend(() =>
            operation === "start" && isBroken ? Effect.fail(new EngineRefused({ because: "no space" })) : Effect.void
          )
        )
        const { list, remove } = yield* engine
        const owner = { application: deployment.applicationUuid }
        for (const { name } of yield* list(owner)) yield* remove({ ...owner, name })
        yield* pass(100)
        const name = `${service.uuid}-${deployment.uuid}`
        const refused = `could not start ${name}-db: no space; could not start ${name}-web: no space`
        assert.deepStrictEqual([(yield* status).state, (yield* status).reason], ["degraded", refused])
        const degraded = ["Service shop is degraded: not all of its containers run as they should.", true]
        assert.deepStrictEqual(yield* told, [degraded])
        isBroken = false
        yield* pass(300)
        const again = ["Service shop runs again.", true]
        assert.deepStrictEqual([(yield* status).state, yield* told], ["running", [degraded, again]])
        // Nothing starts containers again that exited while the platform watched.
        for (const part of ["db", "web"]) {
          yield* simulation.crash(server, deployment.applicationUuid, `${name}-${part}`, 3)
        }
        yield* pass(60)
        assert.deepStrictEqual(
          [(yield* status).state, (yield* status).reason],
          ["degraded", `${name}-db exited with 3; ${name}-web exited with 3`]
        )
        assert.deepStrictEqual(yield* told, [degraded, again, degraded])
      }).pipe(Effect.scoped, Effect.provide(world))
  )
})
