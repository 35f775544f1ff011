import { assert, describe, it } from "@effect/vitest"
import { Applications } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { ApplicationStore, type Deployment, hasEnded, ReleaseStore } from "@slipway/domain/deploy/apps"
import { ComposeReader, type ComposeRequest } from "@slipway/domain/deploy/containers"
import { EngineSimulation, ProxySimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber, Result } from "effect"
import {
  type ComposeFile,
  commit,
  linesOf,
  pass,
  place,
  plantRepository,
  queue,
  server,
  shown,
  startWorker,
  visit,
  world
} from "./support/support.ts"

const ending = Effect.fnUntraced(function* (deployment: Deployment) {
  const worker = yield* startWorker()
  for (let passed = 0; passed < 200 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  yield* pass(1)
  yield* Fiber.interrupt(worker)
  return yield* shown(deployment)
})

const running = Effect.gen(function* () {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  return containers
    .flatMap(({ owner, state }) => (state === "running" ? [`${owner.service} of ${owner.deployment}`] : []))
    .toSorted()
})

const publish = Effect.gen(function* () {
  const simulation = yield* EngineSimulation
  yield* simulation.publish("web", { ports: [3000] })
  yield* simulation.publish("quiet")
  return simulation
})

/** A compose project with a serving first deployment. */
const served = Effect.fnUntraced(function* (
  services: ComposeFile,
  facts: Parameters<typeof plantRepository>[3] = {},
  planted: Parameters<typeof place>[0] = {}
) {
  const simulation = yield* publish
  const application = yield* plantRepository(yield* place(planted), 1, services, facts)
  const first = yield* ending(yield* queue(1, application))
  assert.deepStrictEqual([first.status, first.reason], ["finished", null])
  assert.strictEqual(yield* visit(), first.uuid)
  return { application, first, simulation }
})

const web = { image: "web" }
const port = (published: string) => ({ ports: [{ target: 3000, published, protocol: "tcp" }] })
const data = { volumes: [{ type: "volume", source: "data", target: "/data" }] }

describe("a deployment of a compose project", () => {
  it.effect("runs its pre-deployment command in the container that serves visitors", () =>
    Effect.gen(function* () {
      const { application, simulation } = yield* served({ web, cache: { image: "quiet" } })
      const ran: Array<string | null> = []
      yield* simulation.publish("web", {
        ports: [3000],
        command: (_, { owner }) => {
          ran.push(owner.service)
          return { exitCode: 0, output: [] }
        }
      })
      const change = { pre_deployment_command: "true" }
      const again = { ...application, configuration: { ...application.configuration, ...change } }
      yield* Effect.orDie((yield* ApplicationStore).replace(again))
      const second = yield* ending(yield* queue(2, again))
      const third = yield* ending(yield* queue(3, again))
      assert.deepStrictEqual([second.reason, third.reason], [null, null])
      assert.include(yield* linesOf(third), `running \`true\` in ${application.uuid}-${second.uuid}-web`)
      assert.deepStrictEqual(ran, ["web"])
    }).pipe(Effect.provide(world))
  )

  it.effect("finishes when the container of its post-deployment command is stopped, and logs that", () =>
    Effect.gen(function* () {
      const { application, first, simulation } = yield* served(
        { web, job: { image: "quiet" } },
        { post_deployment_command: "true", post_deployment_command_container: "job" }
      )
      assert.include(yield* linesOf(first), `running \`true\` in ${first.applicationUuid}-${first.uuid}-job`)
      yield* simulation.publish("quiet", { program: () => ({ exitCode: 0 }) })
      yield* commit(1, { web, job: { image: "quiet", restart: "no" } })
      const second = yield* ending(yield* queue(2, application))
      assert.deepStrictEqual([second.status, second.reason], ["finished", null])
      assert.include(yield* linesOf(second), `ContainerNotRunning ${application.uuid}-${second.uuid}-job`)
      assert.deepStrictEqual(yield* running, [`web of ${second.uuid}`])
    }).pipe(Effect.provide(world))
  )

  it.effect("runs replicas of a service, routes visitors to all of them, and replaces each", () =>
    Effect.gen(function* () {
      const job = { image: "quiet", depends_on: { web: { condition: "service_started" } } }
      const { application, first, simulation } = yield* served({ web: { ...web, deploy: { replicas: 3 } }, job })
      const name = `${application.uuid}-${first.uuid}-web`
      const names = Effect.map(simulation.inventory(server), ({ containers }) =>
        containers.filter(({ state }) => state === "running").map((each) => each.name)
      )
      assert.deepStrictEqual(yield* names, [name, `${name}-2`, `${name}-3`, `${application.uuid}-${first.uuid}-job`])
      const { containers } = yield* simulation.inventory(server)
      const replicas = containers.filter(({ owner }) => owner.service === "web")
      const proxies = yield* ProxySimulation
      for (const { addresses } of replicas) {
        assert.strictEqual(yield* visit(), first.uuid)
        for (const host of Object.values(addresses)) yield* proxies.listen({ host, port: 3000 }, null)
      }
      assert.notStrictEqual(yield* visit(), first.uuid)
      yield* commit(1, { web: { ...web, deploy: { replicas: 2 } } })
      const second = yield* ending(yield* queue(2, application))
      assert.deepStrictEqual([second.status, second.reason], ["finished", null])
      assert.deepStrictEqual(yield* running, [`web of ${second.uuid}`, `web of ${second.uuid}`])
      assert.strictEqual(yield* visit(), second.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("moves a port to a renamed service", () =>
    Effect.gen(function* () {
      const { application } = yield* served({ web, old: { image: "quiet", ...port("9000") } })
      yield* commit(1, { web, fresh: { image: "quiet", ...port("9000") } })
      const second = yield* ending(yield* queue(2, application))
      assert.deepStrictEqual([second.status, second.reason], ["finished", null])
      assert.deepStrictEqual(yield* running, [`fresh of ${second.uuid}`, `web of ${second.uuid}`])
    }).pipe(Effect.provide(world))
  )

  it.effect("swaps the ports of two services", () =>
    Effect.gen(function* () {
      const { application } = yield* served({
        web,
        one: { image: "quiet", ...port("9001") },
        two: { image: "quiet", ...port("9002") }
      })
      yield* commit(1, { web, one: { image: "quiet", ...port("9002") }, two: { image: "quiet", ...port("9001") } })
      const second = yield* ending(yield* queue(2, application))
      assert.deepStrictEqual([second.status, second.reason], ["finished", null])
    }).pipe(Effect.provide(world))
  )

  it.effect("restores the stopped container when its new port belongs to another application", () =>
    Effect.gen(function* () {
      const { application, first, simulation } = yield* served({ web, one: { image: "quiet", ...port("9001") } })
      const holder = yield* plantRepository({ ...(yield* place({}, 2)), placement: application.placement }, 2, {
        web: { ...web, ...port("9002") }
      })
      yield* ending(yield* queue(2, holder))
      yield* commit(1, { web, one: { image: "quiet", ...port("9002") } })
      const third = yield* ending(yield* queue(3, application))
      assert.deepStrictEqual([third.status, third.reason], ["failed", "port 9002 is already in use"])
      assert.strictEqual(yield* visit(), first.uuid)
      const { containers } = yield* simulation.inventory(server)
      const mine = containers.filter(({ owner }) => owner.application === application.uuid)
      assert.sameDeepMembers(
        mine.map(({ owner, state }) => [owner.service, state]),
        [
          ["web", "running"],
          ["one", "running"]
        ]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("never runs two containers with one volume, also after a service was renamed", () =>
    Effect.gen(function* () {
      const { application, simulation } = yield* served({ web, old: { image: "quiet", ...data } })
      let most = 0
      const look = Effect.gen(function* () {
        const { containers } = yield* simulation.inventory(server)
        const writers = containers.filter(
          ({ spec, state }) => state === "running" && spec.options.mounts.some(({ readOnly }) => !readOnly)
        )
        most = Math.max(most, writers.length)
      })
      for (const [n, name] of [
        [2, "old"],
        [3, "fresh"]
      ] as const) {
        yield* commit(1, { web, [name]: { image: "quiet", ...data } })
        const deployment = yield* queue(n, application)
        const worker = yield* startWorker()
        yield* pass(20, look)
        yield* Fiber.interrupt(worker)
        assert.strictEqual((yield* shown(deployment)).status, "finished")
      }
      assert.strictEqual(most, 1)
    }).pipe(Effect.provide(world))
  )

  it.effect("fails when it must wait for the health of a service without a health check (invariant I25)", () =>
    Effect.gen(function* () {
      yield* publish
      const application = yield* plantRepository(yield* place(), 1, {
        web: { ...web, depends_on: { db: { condition: "service_healthy" } } },
        db: { image: "quiet" }
      })
      const { reason, status } = yield* ending(yield* queue(1, application))
      assert.deepStrictEqual([status, reason], ["failed", "the container of `db` has no health check to wait for"])
    }).pipe(Effect.provide(world))
  )

  it.effect("names a missing service with a domain before fetching or building, and keeps the serving release", () =>
    Effect.gen(function* () {
      const { application, first } = yield* served({ web })
      yield* commit(1, { api: { ...web, image: "registry.example/none:1" } })
      const { reason, status } = yield* ending(yield* queue(2, application))
      assert.deepStrictEqual(
        [status, reason],
        ["failed", "docker_compose_domains: There is no service `web`: use one of `api`."]
      )
      assert.deepStrictEqual([yield* visit(), yield* running], [first.uuid, [`web of ${first.uuid}`]])
      assert.strictEqual((yield* (yield* ReleaseStore).serving(application.uuid))?.deploymentUuid, first.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("rejects a domain for a service that the files of the newest release lack, when it is set", () =>
    Effect.gen(function* () {
      const { application } = yield* served({ web })
      const set = (fields: object, options = {}) =>
        Effect.flatMap(systemOn("application.update", { uuid: application.uuid }), (proof) =>
          Effect.result(Applications.update(proof, fields, options))
        )
      const domains = { docker_compose_domains: [{ name: "api", domain: "http://api.example" }] }
      const rejected = yield* set(domains)
      assert.deepInclude(rejected, { _tag: "Failure" })
      assert.deepStrictEqual(
        Result.isFailure(rejected) && "problems" in rejected.failure && rejected.failure.problems,
        {
          docker_compose_domains: ["There is no service `api`: use one of `web`."]
        }
      )
      const present = yield* (yield* ApplicationStore).find(application.uuid)
      assert.deepStrictEqual(present?.configuration, application.configuration)
      // Other files may have the service, and the next deployment checks it: those of another branch, or of a new commit.
      assert.isTrue(Result.isSuccess(yield* set({ ...domains, git_branch: "next" })))
      assert.isTrue(Result.isSuccess(yield* set({ docker_compose_domains: [] })))
      assert.isTrue(Result.isSuccess(yield* set(domains, { hasNewerFiles: true })))
      assert.isTrue(
        Result.isSuccess(yield* set({ docker_compose_domains: [{ name: "web", domain: "http://web.example" }] }))
      )
    }).pipe(Effect.provide(world))
  )
})

describe("the log of a deployment of a compose project", () => {
  it.effect("names the variables of compose files that have no value", () =>
    Effect.gen(function* () {
      yield* publish
      const reader = yield* ComposeReader
      const cutting = {
        ...reader,
        read: (request: ComposeRequest) =>
          Effect.map(reader.read(request), ({ config }) => ({ config, unset: ["word"] }))
      }
      const there = yield* place()
      const application = yield* plantRepository(there, 1, { web })
      yield* Effect.provideService(startWorker(), ComposeReader, cutting)
      const deployment = yield* queue(1, application)
      yield* pass(20)
      assert.include(
        yield* linesOf(deployment),
        "warning: the compose files name the variable `$word`, which is not set: it becomes empty (write $$ for a dollar sign)"
      )
    }).pipe(Effect.provide(world))
  )
})

describe("the base folder of paths in compose files", () => {
  it.effect("is the folder of the first compose file, for any base directory", () =>
    Effect.gen(function* () {
      yield* publish
      const reader = yield* ComposeReader
      const folders: Array<string> = []
      const watching = {
        ...reader,
        read: (request: ComposeRequest) => {
          folders.push(request.folder)
          return reader.read(request)
        }
      }
      const there = yield* place()
      const application = yield* plantRepository(there, 1, { web }, { docker_compose_location: "/deploy/compose.yaml" })
      const { commit: put } = yield* SourceSimulation
      const text = JSON.stringify({ services: { web } })
      yield* put("https://forge.example/application-1.git", "main", {
        message: "a commit",
        files: { "deploy/compose.yaml": text, "base/more/compose.yaml": text }
      })
      yield* Effect.provideService(startWorker(), ComposeReader, watching)
      const first = yield* queue(1, application)
      yield* pass(20)
      const configuration = {
        ...application.configuration,
        base_directory: "/base",
        docker_compose_location: "/more/compose.yaml"
      }
      yield* Effect.orDie((yield* ApplicationStore).replace({ ...application, configuration }))
      const second = yield* queue(2, application)
      yield* pass(20)
      assert.deepStrictEqual([(yield* shown(first)).reason, (yield* shown(second)).reason], [null, null])
      assert.deepStrictEqual(folders, ["deploy", "base/more"])
    }).pipe(Effect.provide(world))
  )
})

describe("configs and secrets of a compose project", () => {
  const deployedWith = Effect.fnUntraced(function* (configs: object, files: Readonly<Record<string, string>>) {
    const simulation = yield* publish
    const application = yield* plantRepository(yield* place(), 1, { web })
    const builds: Array<string> = []
    yield* simulation.onBuild((options, context) => {
      builds.push(`${options.owner.service} ${new TextDecoder().decode(context)}`)
      return {}
    })
    const services = { web: { ...web, expose: ["3000"], configs: [{ source: "page", target: "/www/index.html" }] } }
    const { commit: put } = yield* SourceSimulation
    yield* put("https://forge.example/application-1.git", "main", {
      message: "a commit",
      files: { "compose.yaml": JSON.stringify({ services, configs }), ...files }
    })
    return { builds, ended: yield* ending(yield* queue(1, application)) }
  })

  it.effect("are added to the image of their service", () =>
    Effect.gen(function* () {
      const { builds, ended } = yield* deployedWith({ page: { content: "hello" } }, {})
      assert.deepStrictEqual([ended.status, ended.reason], ["finished", null])
      assert.strictEqual(builds.length, 1)
      const plain = `slipway/${ended.applicationUuid}:${ended.uuid}-web_plain`
      assert.include(builds[0], `FROM ${plain}\nCOPY [".slipway-added/file-0","/www/index.html"]\n`)
      assert.include(builds[0], "hello")
      assert.match(builds[0] ?? "", /^web /)
    }).pipe(Effect.provide(world))
  )
})
