import { assert, describe, it } from "@effect/vitest"
import { Applications, Deployments, Previews } from "@slipway/deploy/apps"
import { ForgeConnections } from "@slipway/deploy/infrastructure"
import { ApplicationStore, DeletionStore, type Deployment, hasEnded } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { ForgeAppStore } from "@slipway/domain/deploy/infrastructure"
import { ForgeSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber, Redacted } from "effect"
import { Gate, ofDockerfile, pass, place, plantRepository, shown, startWorker, world } from "./support/support.ts"

const url = "http://127.0.0.1:3000"
const repository = `${url}/acme/site.git`
const platform = "https://deploy.example"

/** Plants an application of a repository on a connected forge, with a Dockerfile. */
const connected = Effect.fnUntraced(function* (dockerfile = "/Dockerfile") {
  const simulation = yield* ForgeSimulation
  const forge = yield* simulation.start(url)
  forge.tokens.set("t0ken", "robot")
  forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files: {} })
  const connection = yield* ForgeConnections.create(system("forgeConnection.create"), {
    name: "forge",
    url,
    token: Redacted.make("t0ken"),
    platformUrl: platform,
    sshPort: null
  })
  const planted = yield* plantRepository(
    yield* place(),
    1,
    {},
    { ...ofDockerfile, dockerfile_location: dockerfile, git_repository: repository }
  )
  const application = { ...planted, forgeAppUuid: connection.uuid }
  yield* Effect.orDie((yield* ApplicationStore).replace(application))
  const sources = yield* SourceSimulation
  yield* sources.repository(repository, { _tag: "Token", username: "robot", token: Redacted.make("t0ken") })
  const commit = yield* sources.commit(repository, "main", { message: "one", files: { Dockerfile: "FROM works" } })
  const gate = yield* Gate
  /** Queues a deployment with a health check of some seconds. */
  const deploy = Effect.tap(Deployments.deploy(system("application.deploy", { application }), false), ({ uuid }) =>
    gate.guard(uuid, ({ state }) => (state === "checking" ? Effect.sleep("3 seconds") : Effect.void))
  )
  const states = () => forge.reports.map(({ state }) => state)
  return { application, commit, connection, deploy, forge, simulation, states }
})

const ended = Effect.fnUntraced(function* (deployment: Deployment) {
  for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  return yield* shown(deployment)
})

/** Waits until the health of a deployment is checked and its first report was sent. */
const isChecked = Effect.fnUntraced(function* (deployment: Deployment) {
  for (let passed = 0; passed < 10 && (yield* shown(deployment)).status !== "checking"; passed++) yield* pass(1)
  yield* pass(2)
  assert.strictEqual((yield* shown(deployment)).status, "checking")
})

describe("a deployment from a connected forge", () => {
  it.effect("sets the status of its commit: pending, then success with the duration and the page", () =>
    Effect.gen(function* () {
      const { application, commit, deploy, forge } = yield* connected()
      yield* startWorker()
      const deployment = yield* ended(yield* deploy)
      assert.strictEqual(deployment.status, "finished", deployment.reason ?? "")
      yield* pass(3)
      const of = { repository: "acme/site", commit, context: "deploy/application 1" }
      const [first, last, ...others] = forge.reports
      assert.deepStrictEqual(first, {
        ...of,
        state: "pending",
        description: "Deployment in progress",
        link: `${platform}/api/v1/deployments/${deployment.uuid}`
      })
      assert.match(last?.description ?? "", /^Deployed in \d+ s$/)
      assert.deepStrictEqual(last, {
        ...of,
        state: "success",
        description: last?.description ?? "",
        link: "http://a1.example"
      })
      assert.deepStrictEqual(others, [])
      assert.strictEqual((yield* shown(deployment)).commit, commit)
      assert.deepStrictEqual(
        [...forge.deployments],
        [
          [
            `deploy:${deployment.uuid}`,
            {
              repository: "acme/site",
              commit,
              task: `deploy:${deployment.uuid}`,
              environment: "environment 1",
              isTransient: false,
              states: ["in_progress", "success"],
              description: last?.description ?? "",
              log: `${platform}/api/v1/deployments/${deployment.uuid}`,
              page: "http://a1.example"
            }
          ]
        ]
      )
      assert.strictEqual(application.configuration.git_commit_sha, "HEAD")
    }).pipe(Effect.provide(world))
  )

  it.effect("reports a failed build as failure, without its reason", () =>
    Effect.gen(function* () {
      const { commit, deploy, forge } = yield* connected("/s3cr3t")
      yield* startWorker()
      const deployment = yield* ended(yield* deploy)
      assert.strictEqual(deployment.status, "failed")
      yield* pass(3)
      const last = forge.reports.at(-1)
      assert.deepStrictEqual([last?.state, last?.commit], ["failure", commit])
      assert.match(last?.description ?? "", /^Deployment failed after \d+ s$/)
      assert.notInclude(JSON.stringify(forge.reports), "s3cr3t")
    }).pipe(Effect.provide(world))
  )

  it.effect("sets the status of its commit when the forge answers again, even from another process", () =>
    Effect.gen(function* () {
      const { deploy, forge, simulation, states } = yield* connected()
      const requested = yield* deploy
      const worker = yield* startWorker()
      yield* isChecked(requested)
      yield* simulation.stop(url)
      yield* ended(requested)
      yield* pass(30)
      assert.notInclude(states(), "success")
      yield* Fiber.interrupt(worker)
      yield* simulation.resume(url)
      yield* startWorker()
      yield* pass(120)
      assert.deepStrictEqual(states(), ["pending", "success"])
      assert.strictEqual(forge.reports.length, 2)
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "stops reports while the forge rejects the token, shows the rejection, and continues with a new token",
    () =>
      Effect.gen(function* () {
        const { connection, deploy, forge, states } = yield* connected()
        const requested = yield* deploy
        yield* startWorker()
        yield* isChecked(requested)
        forge.tokens.clear()
        yield* ended(requested)
        yield* pass(10)
        const rejected = yield* (yield* ForgeAppStore).find(connection.uuid)
        assert.strictEqual(
          rejected?.connection?.rejection,
          "the forge rejects the token (401): it was revoked or has expired"
        )
        // The old token is not sent again, even if it were accepted.
        forge.tokens.set("t0ken", "robot")
        yield* pass(200)
        assert.notInclude(states(), "success")
        forge.tokens.clear()
        forge.tokens.set("t1", "robot")
        const found =
          (yield* (yield* ForgeAppStore).connected({ limit: 1 }))[0] ?? assert.fail("the connection is gone")
        yield* ForgeConnections.update(system("forgeConnection.update", { forgeConnection: found }), {
          token: Redacted.make("t1")
        })
        yield* pass(61)
        assert.deepStrictEqual(states(), ["pending", "success"])
      }).pipe(Effect.provide(world))
  )

  it.effect("adds a missing webhook, which the deletion of the application removes when the forge answers", () =>
    Effect.gen(function* () {
      const { application, deploy, forge, simulation } = yield* connected()
      const secret = { manual_webhook_secret_forgeD: "a secret" }
      yield* Applications.update(system("application.update", { application }), secret)
      yield* startWorker()
      yield* ended(yield* deploy)
      const hooks = () => (forge.hooks.get("acme/site") ?? []).map((hook) => hook.url)
      assert.deepStrictEqual(hooks(), [`${platform}/api/v1/applications/${application.uuid}/webhooks/gitea`])
      yield* simulation.stop(url)
      const present = (yield* (yield* ApplicationStore).find(application.uuid)) ?? assert.fail("it is gone")
      const flags = {
        deleteConfigurations: true,
        deleteVolumes: true,
        dockerCleanup: true,
        deleteConnectedNetworks: true
      }
      const { uuid } = yield* Applications.remove(system("application.delete", { application: present }), flags)
      const deletion = Effect.flatMap(DeletionStore, (store) => store.find(uuid))
      yield* pass(10)
      assert.include((yield* deletion)?.reason ?? "", "does not answer")
      yield* simulation.resume(url)
      yield* pass(120)
      const done = yield* deletion
      assert.strictEqual(done?.status, "finished")
      assert.include(done?.removed ?? [], "webhook and deploy key of acme/site")
      assert.deepStrictEqual(hooks(), [])
    }).pipe(Effect.provide(world))
  )

  it.effect("leaves the webhook of a deleted application if the forge rejects the token, and reports that", () =>
    Effect.gen(function* () {
      const { application, forge } = yield* connected()
      yield* startWorker()
      forge.tokens.clear()
      const flags = {
        deleteConfigurations: true,
        deleteVolumes: true,
        dockerCleanup: true,
        deleteConnectedNetworks: true
      }
      const { uuid } = yield* Applications.remove(system("application.delete", { application }), flags)
      yield* pass(10)
      const done = yield* (yield* DeletionStore).find(uuid)
      assert.deepStrictEqual([done?.status, done?.left], ["finished", ["webhook and deploy key of acme/site"]])
    }).pipe(Effect.provide(world))
  )
})

describe("a preview from a connected forge", () => {
  const previewed = Effect.gen(function* () {
    const { application, forge, simulation } = yield* connected()
    const preview = { is_preview_deployments_enabled: true }
    const changed = yield* Applications.update(system("application.update", { application }), preview)
    const sources = yield* SourceSimulation
    const commit = yield* sources.commit(repository, "refs/pull/7/head", {
      message: "one",
      files: { Dockerfile: "FROM works" }
    })
    const proof = system("application.deploy", { application: changed })
    const comments = () => forge.comments.get("acme/site#7") ?? []
    return {
      application: changed,
      comments,
      commit,
      deploy: Previews.deploy(proof, 7, { force: false }),
      forge,
      simulation
    }
  })
  const line = "<!-- slipway preview%2Fapplication%201-pr-7 -->"

  it.effect("has one comment on its pull request, which is edited by later deployments and by the removal", () =>
    Effect.gen(function* () {
      const { application, comments, commit, deploy, forge } = yield* previewed
      const foreign = { author: "eve", body: `mine\n\n${line}` }
      const repeated = { author: "robot", body: `twice\n\n${line}` }
      forge.comments.set("acme/site#7", [foreign, repeated, { ...repeated }])
      yield* startWorker()
      assert.strictEqual((yield* ended(yield* deploy)).status, "finished")
      yield* pass(3)
      const [other, first, ...more] = comments()
      assert.deepStrictEqual([other, more], [foreign, []])
      assert.strictEqual(first?.author, "robot")
      assert.match(
        first?.body ?? "",
        new RegExp(
          `^\\*\\*Preview\\*\\* \`application 1-pr-7\`: Deployed in \\d+ s at ${commit.slice(0, 10)}\n\nPage: <http://7\\.a1\\.example>\n\n${line}$`
        )
      )
      yield* ended(yield* deploy)
      yield* pass(3)
      assert.strictEqual(comments().length, 2)
      const newest = () => [...forge.deployments.values()].at(-1)
      assert.deepStrictEqual(
        [newest()?.environment, newest()?.isTransient, newest()?.states.at(-1)],
        ["environment 1/pr-7", true, "success"]
      )
      yield* Previews.remove(system("application.preview.delete", { application }), 7)
      yield* pass(3)
      assert.deepStrictEqual(comments(), [
        foreign,
        { author: "robot", body: `**Preview** \`application 1-pr-7\`: removed\n\n${line}` }
      ])
      assert.deepStrictEqual([newest()?.environment, newest()?.states.at(-1)], ["environment 1/pr-7", "inactive"])
    }).pipe(Effect.provide(world))
  )

  it.effect("gets its comment when the forge answers again, even from another process", () =>
    Effect.gen(function* () {
      const { comments, deploy, simulation } = yield* previewed
      yield* simulation.stop(url)
      const requested = yield* deploy
      const worker = yield* startWorker()
      yield* ended(requested)
      yield* pass(10)
      assert.deepStrictEqual(comments(), [])
      yield* Fiber.interrupt(worker)
      yield* simulation.resume(url)
      yield* startWorker()
      yield* pass(120)
      assert.deepStrictEqual(
        comments().map(({ body }) => /: (\w+)/.exec(body)?.[1]),
        ["Deployed"]
      )
    }).pipe(Effect.provide(world))
  )
})
