import { assert, describe, it } from "@effect/vitest"
import { runWord, ServiceParts, Services, Status, storedRunWords } from "@slipway/deploy/apps"
import { DatabaseStatus } from "@slipway/deploy/databases"
import { authorizeNamed } from "@slipway/deploy/entry"
import { type Application, ApplicationStore, ReleaseStore, ServiceStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { containerName, EngineRefused } from "@slipway/domain/deploy/containers"
import { DatabaseStore, ownerOf } from "@slipway/domain/deploy/databases"
import { system, systemCaller } from "@slipway/domain/deploy/entry"
import { EngineSimulation, ProxySimulation } from "@slipway/memory/deploy"
import { Effect, Layer } from "effect"
import { plantDatabase, runDatabase } from "../support/databaseSupport.ts"
import {
  pass,
  passUntilEnded,
  place,
  plantApplication,
  world as platform,
  queue,
  server,
  startKeeping,
  startWorker,
  visit
} from "../support/support.ts"
import { enableWebhook, Receiver, receiving } from "./receiver.ts"

const world = Layer.merge(platform, receiving)

const documents = Effect.map(Receiver, ({ received }) => received.map(({ document }) => document))
const texts = Effect.map(documents, (all) => all.map(({ message }) => message))

/** Sets what the health check of a container finds; null for a healthy container. */
const setHealth = Effect.fnUntraced(function* (
  owner: { readonly application: ApplicationUuid; readonly deployment: DeploymentUuid; readonly service?: string },
  output: string | null
) {
  const name = containerName({ service: null, ...owner })
  yield* (yield* EngineSimulation).setHealth(server, owner.application, name, output)
})

/** The status that clients of Coolify get from lists, without a request to the server. */
const storedWord = Effect.fnUntraced(function* ({ uuid }: Pick<Application, "uuid">) {
  return (yield* storedRunWords([{ uuid }]))({ uuid })
})

/** A running application that two processes watch. */
const watched = Effect.gen(function* () {
  yield* enableWebhook(["status_change"])
  const application = yield* plantApplication(yield* place())
  const deployment = yield* queue(1, application)
  yield* startWorker()
  yield* passUntilEnded(deployment, 60)
  yield* startKeeping()
  yield* startKeeping()
  yield* pass(25)
  const owner = { application: application.uuid, deployment: deployment.uuid }
  return { application, owner, name: containerName({ service: null, ...owner }) }
})

describe("a running application with a failing health check", () => {
  it.effect("is reported once by all processes, without the output of the check, and once when it is healthy", () =>
    Effect.gen(function* () {
      const { application, name, owner } = yield* watched
      yield* setHealth(owner, "connect: PASSWORD=hunter2 refused")
      yield* pass(100)
      const facts = { event: "status_changed", application_name: "application 1", application_uuid: application.uuid }
      const unhealthy = {
        success: false,
        message: "Application application 1 is unhealthy: its health check fails.",
        ...facts,
        status: "unhealthy"
      }
      assert.deepStrictEqual(yield* documents, [unhealthy])
      const proof = yield* authorizeNamed(systemCaller, "application.read", { uuid: application.uuid })
      const { reason, state } = yield* Status.read(proof)
      assert.deepStrictEqual([state, reason], ["degraded", `${name} is unhealthy: connect: PASSWORD=hunter2 refused`])
      assert.strictEqual(yield* storedWord(application), "running:unhealthy")
      assert.strictEqual(yield* runWord(proof), "running:unhealthy")
      yield* setHealth(owner, null)
      yield* pass(100)
      const again = { success: true, message: "Application application 1 is healthy again.", ...facts }
      assert.deepStrictEqual(yield* documents, [unhealthy, { ...again, status: "healthy" }])
      assert.strictEqual(yield* storedWord(application), "running:unknown")
      assert.strictEqual(yield* runWord(proof), "running:healthy")
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("is not reported if only one check finds it, in both directions", () =>
    Effect.gen(function* () {
      const { application, owner } = yield* watched
      for (let turn = 0; turn < 3; turn++) {
        yield* setHealth(owner, "no answer")
        yield* pass(20)
        yield* setHealth(owner, null)
        yield* pass(20)
      }
      assert.deepStrictEqual(yield* texts, [])
      yield* setHealth(owner, "no answer")
      yield* pass(60)
      for (let turn = 0; turn < 3; turn++) {
        yield* setHealth(owner, null)
        yield* pass(20)
        yield* setHealth(owner, "no answer")
        yield* pass(20)
      }
      assert.deepStrictEqual(yield* texts, ["Application application 1 is unhealthy: its health check fails."])
      assert.strictEqual(yield* storedWord(application), "running:unhealthy")
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("gets lost routes again while its health cannot be reported", () =>
    Effect.gen(function* () {
      const { owner } = yield* watched
      const simulation = yield* EngineSimulation
      yield* simulation.onCall((_, operation) => (operation === "unhealthy" ? Effect.die("a defect") : Effect.void))
      yield* pass(25)
      yield* (yield* ProxySimulation).startOver(server)
      assert.strictEqual(yield* visit(), 404)
      yield* pass(60)
      assert.strictEqual(yield* visit(), owner.deployment)
      // The next check that can be stored is reported.
      yield* simulation.onCall(() => Effect.void)
      yield* setHealth(owner, "no answer")
      yield* pass(60)
      assert.deepStrictEqual(yield* texts, ["Application application 1 is unhealthy: its health check fails."])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("is not restarted, and reports its recovery by the next deployment", () =>
    Effect.gen(function* () {
      const { application, name, owner } = yield* watched
      yield* setHealth(owner, "no answer")
      yield* pass(200)
      const { containers } = yield* (yield* EngineSimulation).inventory(server)
      assert.deepStrictEqual(
        containers.map((each) => [each.name, each.restarts, each.startedAt?.slice(0, 17)]),
        [[name, 0, "1970-01-01T00:00:"]]
      )
      const next = yield* queue(2, application, { applicationName: "application 1" })
      yield* passUntilEnded(next, 60)
      yield* pass(60)
      assert.deepStrictEqual(yield* texts, [
        "Application application 1 is unhealthy: its health check fails.",
        "Application application 1 runs again."
      ])
      assert.strictEqual((yield* (yield* ReleaseStore).serving(application.uuid))?.unhealthy, null)
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})

describe("a running service with a failing health check", () => {
  it.effect("is reported as a service, unless its status excludes the failing part", () =>
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      yield* simulation.publish("web", { ports: [3000] })
      yield* simulation.publish("postgres:17")
      yield* enableWebhook(["status_change"])
      yield* startWorker()
      const { placement } = yield* place()
      const { uuid } = yield* Services.create(
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
      const deployment = yield* Services.start(yield* authorizeNamed(systemCaller, "service.deploy", { uuid }))
      yield* passUntilEnded(deployment, 30)
      yield* startKeeping()
      yield* pass(25)
      const part = (service: string) => ({
        application: deployment.applicationUuid,
        deployment: deployment.uuid,
        service
      })
      const excludes = Effect.fnUntraced(function* (isExcludedFromStatus: boolean) {
        const service = (yield* (yield* ServiceStore).find(uuid)) ?? assert.fail("it exists")
        const part = service.parts.find(({ name }) => name === "db") ?? assert.fail("it has the part")
        const found = yield* (yield* ApplicationStore).find(deployment.applicationUuid)
        const application = found ?? assert.fail("it exists")
        const proof = system("service.part.update", { application, service, part })
        yield* ServiceParts.update(proof, { isExcludedFromStatus }, false)
      })
      yield* excludes(true)
      yield* setHealth(part("db"), "no answer")
      yield* pass(100)
      assert.deepStrictEqual(yield* texts, [])
      yield* excludes(false)
      yield* pass(60)
      assert.deepStrictEqual(yield* texts, ["Service shop is unhealthy: its health check fails."])
      // The failing part stops and cannot be started: the service is not healthy again, but degraded, a known problem.
      let isBroken = true
      yield* simulation.onCall((_, operation) =>
        Effect.suspend(() =>
          operation === "start" && isBroken ? Effect.fail(new EngineRefused({ because: "no space" })) : Effect.void
        )
      )
      yield* simulation.crash(server, deployment.applicationUuid, containerName(part("db")), 3)
      yield* pass(100)
      assert.strictEqual((yield* texts).length, 1)
      isBroken = false
      yield* pass(300)
      assert.deepStrictEqual((yield* texts).slice(1), ["Service shop is healthy again."])
      // A failing part that is excluded does not delay the report that the others recovered.
      yield* excludes(true)
      yield* setHealth(part("db"), "no answer")
      yield* setHealth(part("web"), "no answer")
      yield* pass(60)
      yield* setHealth(part("web"), null)
      yield* pass(60)
      assert.deepStrictEqual((yield* texts).slice(2), [
        "Service shop is unhealthy: its health check fails.",
        "Service shop is healthy again."
      ])
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})

describe("a running database with a failing health check", () => {
  it.effect("is reported once, with the output of the check as its reason, and once when it is healthy", () =>
    Effect.gen(function* () {
      yield* enableWebhook(["status_change"])
      yield* (yield* EngineSimulation).publish("postgres:17-alpine")
      yield* startWorker()
      const planted = yield* plantDatabase(yield* place(), { name: "orders" })
      const { servingUuid, uuid } = yield* runDatabase(planted)
      const run = servingUuid ?? assert.fail("it runs")
      yield* startKeeping()
      yield* startKeeping()
      yield* pass(25)
      const owner = { application: ownerOf(uuid), deployment: run }
      const read = Effect.map(
        Effect.flatMap(DatabaseStore, ({ find }) => find(uuid)),
        (found) => found ?? assert.fail("it exists")
      )
      const words = Effect.gen(function* () {
        const database = yield* read
        const live = yield* DatabaseStatus.read(yield* authorizeNamed(systemCaller, "database.read", { uuid }))
        return [DatabaseStatus.storedWordOf(database), live, database.unhealthy]
      })
      assert.deepStrictEqual(yield* words, ["running:unknown", "running:healthy", null])
      yield* setHealth(owner, "no response")
      yield* pass(100)
      const because = `${containerName({ service: null, ...owner })} is unhealthy: no response`
      assert.deepStrictEqual(yield* words, ["running:unhealthy", "running:unhealthy", because])
      assert.deepStrictEqual(yield* texts, ["Database orders is unhealthy: its health check fails."])
      yield* setHealth(owner, null)
      yield* pass(100)
      assert.deepStrictEqual(yield* words, ["running:unknown", "running:healthy", null])
      const both = ["Database orders is unhealthy: its health check fails.", "Database orders is healthy again."]
      assert.deepStrictEqual(yield* texts, both)
      // A restart forgets what its predecessor was.
      yield* setHealth(owner, "no response")
      yield* pass(100)
      yield* runDatabase(yield* read)
      assert.strictEqual((yield* read).unhealthy, null)
      yield* pass(100)
      assert.deepStrictEqual(yield* texts, [...both, ...both.slice(0, 1), "Database orders runs again."])
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
