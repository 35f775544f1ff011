import { assert, describe, it } from "@effect/vitest"
import { Deployments, ForgeApplications } from "@slipway/deploy/apps"
import { ForgeConnections } from "@slipway/deploy/infrastructure"
import { type Application, ApplicationStore, DeploymentStore } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { EngineSimulation, ForgeSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import { linesOf, pass, passUntilEnded, place, queue, server, shown, startWorker, world } from "../support/support.ts"

const url = "http://127.0.0.1:3000"
const repository = `${url}/acme/site.git`
const manifest = JSON.stringify({ applications: { web: { domains: ["http://new.example"] } } })
const waiting = { state: "waiting", because: "the approval of the environment environment 1 by bob" } as const

/** An application of the repository `acme/site` on a connected forge, which protects its environment. */
const protectedApplication = Effect.gen(function* () {
  const forge = yield* (yield* ForgeSimulation).start(url)
  forge.tokens.set("t0ken", "robot")
  const files = { Dockerfile: "FROM works" }
  forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
  forge.environments.set("environment 1", waiting)
  yield* ForgeConnections.create(system("forgeConnection.create"), {
    name: "forge",
    url,
    token: Redacted.make("t0ken"),
    platformUrl: "https://deploy.example",
    sshPort: null
  })
  const { placement } = yield* place()
  const application = yield* ForgeApplications.create(system("application.create"), {
    git_repository: "acme/site",
    environment_uuid: placement.environmentUuid,
    domains: "http://a1.example",
    ports_exposes: "3000"
  })
  const sources = yield* SourceSimulation
  yield* sources.repository(repository, { _tag: "Token", username: "robot", token: Redacted.make("t0ken") })
  const commit = yield* sources.commit(repository, "main", {
    message: "change",
    files: { ...files, "slipway.yaml": manifest }
  })
  yield* startWorker()
  return { application, commit, forge }
})

const deploy = (application: Application) => Deployments.deploy(system("application.deploy", { application }), false)

const containers = Effect.map(
  Effect.flatMap(EngineSimulation, (simulation) => simulation.inventory(server)),
  ({ containers }) => containers.length
)

describe("a deployment to a protected environment", () => {
  it.effect("changes nothing until it is approved, and then starts within five seconds", () =>
    Effect.gen(function* () {
      const { application, commit, forge } = yield* protectedApplication
      const queued = yield* deploy(application)
      yield* pass(60)
      const held = yield* shown(queued)
      assert.deepStrictEqual(
        [held.status, held.reason, held.commit, held.startedAt],
        ["queued", `waiting for ${waiting.because}`, commit, null]
      )
      assert.strictEqual(yield* containers, 0)
      const present = yield* (yield* ApplicationStore).find(application.uuid)
      assert.strictEqual(present?.configuration.domains, "http://a1.example")
      assert.deepStrictEqual(forge.deployments.get(`deploy:${queued.uuid}`)?.states, ["pending"])
      forge.environments.delete("environment 1")
      yield* pass(6)
      assert.notStrictEqual((yield* shown(queued)).status, "queued")
      yield* passUntilEnded(queued, 90)
      const finished = yield* shown(queued)
      assert.strictEqual(finished.status, "finished", finished.reason ?? "")
      assert.deepStrictEqual(forge.deployments.get(`deploy:${queued.uuid}`)?.states, [
        "pending",
        "in_progress",
        "success"
      ])
      assert.strictEqual((yield* (yield* ApplicationStore).find(application.uuid))?.configuration.name, "web")
      const lines = (yield* linesOf(queued)).filter((line) => line === `waiting for ${waiting.because}`)
      assert.strictEqual(lines.length, 1)
    }).pipe(Effect.provide(world))
  )

  it.effect("fails with the reason of the reviewer, and creates nothing", () =>
    Effect.gen(function* () {
      const { application, forge } = yield* protectedApplication
      const queued = yield* deploy(application)
      yield* pass(10)
      forge.environments.set("environment 1", { state: "rejected", because: "bob rejected it" })
      yield* passUntilEnded(queued, 30)
      const { reason, status } = yield* shown(queued)
      assert.deepStrictEqual([status, reason], ["failed", "the forge does not permit this deployment: bob rejected it"])
      assert.strictEqual(yield* containers, 0)
      assert.strictEqual(forge.deployments.get(`deploy:${queued.uuid}`)?.states.at(-1), "failure")
    }).pipe(Effect.provide(world))
  )

  it.effect("fails while the forge does not answer", () =>
    Effect.gen(function* () {
      const { application } = yield* protectedApplication
      const queued = yield* deploy(application)
      yield* pass(10)
      yield* (yield* ForgeSimulation).stop(url)
      yield* passUntilEnded(queued, 30)
      const { reason, status } = yield* shown(queued)
      assert.strictEqual(status, "failed")
      assert.strictEqual(reason, `the request to the forge ${url} failed: it does not answer`)
      assert.strictEqual(yield* containers, 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("can be cancelled by its user, or superseded by a newer deployment, while it waits", () =>
    Effect.gen(function* () {
      const { application, forge } = yield* protectedApplication
      const first = yield* deploy(application)
      yield* pass(10)
      const second = yield* deploy(application)
      yield* pass(10)
      const superseded = yield* shown(first)
      assert.deepStrictEqual([superseded.status, superseded.reason], ["cancelled", "superseded"])
      yield* (yield* DeploymentStore).requestCancel(second.uuid, "2026-01-01T00:00:00.000Z")
      forge.environments.delete("environment 1")
      yield* pass(10)
      assert.strictEqual((yield* shown(second)).status, "cancelled")
      assert.strictEqual(yield* containers, 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("is checked again at the forge by the worker that resumes its build after a crash", () =>
    Effect.gen(function* () {
      const { application, commit } = yield* protectedApplication
      // The killed worker had stored the commit, and not yet asked the forge.
      const resumed = yield* queue(9, application, { action: "deploy", commit, status: "building" })
      yield* pass(10)
      assert.strictEqual((yield* shown(resumed)).status, "queued")
      assert.strictEqual(yield* containers, 0)
    }).pipe(Effect.provide(world))
  )
})
