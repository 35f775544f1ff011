import { assert, describe, it } from "@effect/vitest"
import { Vault } from "@slipway/domain"
import { type Application, type Configuration, hasEnded, ReleaseStore } from "@slipway/domain/deploy/apps"
import {
  type BuildOptions,
  type Logins,
  LoginsUnreadable,
  noLogins,
  type RegistryCredentials,
  RegistryLogins
} from "@slipway/domain/deploy/containers"
import { TeamStore } from "@slipway/domain/deploy/identity"
import { RegistryStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation, PackerSimulation, packedAs } from "@slipway/memory/deploy"
import { moment, newRegistry } from "@slipway/testkit/deploy"
import { Effect, Redacted } from "effect"
import {
  commit,
  linesOf,
  pass,
  place,
  plantApplication,
  plantRepository,
  queue,
  shown,
  startWorker,
  world
} from "./support/support.ts"

const secret = "swordfish"
const of = (registry: string, password = secret): RegistryCredentials => ({
  registry,
  username: "user",
  password: Redacted.make(password)
})
const closed = "registry.example/team/app:1"
const closedFields: Partial<Configuration> = {
  docker_registry_image_name: "registry.example/team/app",
  docker_registry_image_tag: "1"
}

/** Registry passwords that a test changes while workers run. */
const changing = (first: Logins["read"]) => {
  let present = first
  return {
    logins: { read: Effect.suspend(() => present), advice: "ask the operator" } satisfies Logins,
    change: (next: Logins["read"]) => {
      present = next
    }
  }
}

/** Deploys, and returns the result with all stored data as text. */
const deploying = Effect.fnUntraced(function* (n: number, application: Application) {
  const deployment = yield* queue(n, application)
  for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  const row = yield* shown(deployment)
  const lines = yield* linesOf(deployment)
  const release = yield* (yield* ReleaseStore).ofDeployment(deployment.uuid)
  return { ...row, lines, kept: JSON.stringify([row, lines, release]) }
})

/** Plants an application with an image of a private registry, and starts a worker. */
const closedApplication = Effect.gen(function* () {
  yield* (yield* EngineSimulation).publish(closed, { wants: of("registry.example") })
  const application = yield* plantApplication(yield* place(), 1, closedFields, "dockerimage")
  yield* startWorker()
  return application
})

describe("an image of a private registry", () => {
  it.effect("is deployed with the operator's current password, which is never stored or logged (invariant I15)", () => {
    const { change, logins } = changing(noLogins)
    return Effect.gen(function* () {
      const application = yield* closedApplication
      const unknown = yield* deploying(1, application)
      assert.deepStrictEqual(
        [unknown.status, unknown.reason],
        [
          "failed",
          `the image ${closed} cannot be pulled: unauthorized: authentication required (the platform has no password for registry.example: ask the operator)`
        ]
      )
      change(Effect.succeed([of("registry.example", "an older one")]))
      const outdated = yield* deploying(2, application)
      assert.include(outdated.reason, "(the platform used its password for registry.example: ask the operator)")
      change(Effect.succeed([of("registry.example")]))
      const known = yield* deploying(3, application)
      assert.deepStrictEqual([known.status, known.reason], ["finished", null], known.lines.join("\n"))
      for (const { kept } of [outdated, known]) {
        for (const each of [secret, "an older one"]) assert.notInclude(kept, each)
      }
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
  })

  it.effect("is pulled with the credentials of the application's team, before those of the operator", () => {
    const { logins } = changing(Effect.succeed([of("registry.example", "the operator's")]))
    return Effect.gen(function* () {
      const row = newRegistry(1, { registry: "registry.example", username: "user" })
      const password = yield* (yield* Vault).seal({ uuid: row.uuid, field: "registry_password" }, Redacted.make(secret))
      const registries = yield* RegistryStore
      const elsewhere = yield* (yield* TeamStore).insert({
        name: "another",
        description: "",
        tokenDays: null,
        createdAt: moment(1),
        updatedAt: moment(1)
      })
      const { uuid } = yield* registries.insert({ ...row, password, teamId: elsewhere.id })
      const application = yield* closedApplication
      const refused = yield* deploying(1, application)
      assert.include(refused.reason, "(the platform used its password for registry.example: ask the operator)")
      yield* registries.remove(uuid)
      yield* registries.insert({ ...row, password })
      const { kept, reason, status } = yield* deploying(2, application)
      assert.deepStrictEqual([status, reason], ["finished", null])
      assert.notInclude(kept, secret)
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
  })

  it.effect("is not pulled with the password of another registry (invariant I15)", () => {
    const { logins } = changing(Effect.succeed([of("example"), of("registry.example/teams"), of("docker.io")]))
    return Effect.gen(function* () {
      const { reason } = yield* deploying(1, yield* closedApplication)
      assert.include(reason, "the platform has no password for registry.example")
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
  })

  it.effect("can be used by a compose service, next to a service with a built image", () => {
    const told: Array<BuildOptions["credentials"]> = []
    const all = [of("registry.example"), of("docker.io")]
    const { logins } = changing(Effect.succeed(all))
    return Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      yield* simulation.publish(closed, { wants: of("registry.example") })
      yield* simulation.onBuild(({ credentials }) => {
        told.push(credentials)
        return {}
      })
      const services = { web: { build: { context: "." }, expose: ["3000"] }, job: { image: closed } }
      const application = yield* plantRepository(yield* place(), 1, services)
      yield* startWorker()
      const { kept, reason } = yield* deploying(1, application)
      assert.isNull(reason)
      assert.deepStrictEqual(told, [all])
      assert.notInclude(kept, secret)
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
  })
})

describe("a build", () => {
  it.effect("gets the registry passwords with every build pack, and keeps none of them (invariant I15)", () => {
    const told: Array<BuildOptions["credentials"]> = []
    const all = [of("registry.example"), of("docker.io")]
    const { logins } = changing(Effect.succeed(all))
    return Effect.gen(function* () {
      yield* (yield* EngineSimulation).onBuild(({ credentials }) => {
        told.push(credentials)
        return {}
      })
      yield* (yield* PackerSimulation).onPack(() => packedAs("FROM packed"))
      const there = yield* place()
      yield* startWorker()
      const repository = { docker_compose_domains: [], health_check_enabled: false } as const
      const applications = [yield* plantApplication(there, 1)]
      const packs: ReadonlyArray<Partial<Configuration>> = [
        { build_pack: "dockerfile", dockerfile_location: "/Dockerfile" },
        { build_pack: "static" },
        { build_pack: "packer_a" },
        { build_pack: "packer_a", is_static: true, publish_directory: "/dist" }
      ]
      for (const [at, pack] of packs.entries()) {
        applications.push(yield* plantRepository(there, at + 2, {}, { ...repository, ...pack }))
        yield* commit(at + 2, {}, { "index.html": "" })
      }
      for (const [at, application] of applications.entries()) {
        const { kept, reason } = yield* deploying(at + 1, application)
        assert.isNull(reason, `${at}`)
        assert.notInclude(kept, secret)
      }
      // A static site of a buildpack program is built in two steps.
      assert.deepStrictEqual(told, Array(applications.length + 1).fill(all))
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
  })

  it.effect("fails with the names of the registries with passwords when a registry rejects it", () => {
    const { change, logins } = changing(noLogins)
    return Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      const fails = "reading manifest 1 in registry.example/base: unauthorized: authentication required"
      yield* simulation.onBuild(() => ({ fails }))
      const application = yield* plantApplication(yield* place())
      yield* startWorker()
      const none = "the platform has no password for any registry: ask the operator"
      assert.strictEqual((yield* deploying(1, application)).reason, `the build failed: ${fails} (${none})`)
      change(Effect.succeed([of("a.example"), of("b.example/team")]))
      const some = "the platform has passwords for a.example, b.example/team: ask the operator"
      assert.strictEqual((yield* deploying(2, application)).reason, `the build failed: ${fails} (${some})`)
      yield* simulation.onBuild(() => ({ fails: "a step ended with 1" }))
      assert.strictEqual((yield* deploying(3, application)).reason, "the build failed: a step ended with 1")
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
  })
})

describe("unreadable registry passwords", () => {
  it.effect("do not block public images, and the log reports them", () => {
    const unreadable = new LoginsUnreadable({ because: "the file with them isn't there" })
    const { logins } = changing(unreadable)
    return Effect.gen(function* () {
      yield* (yield* EngineSimulation).publish("open.example/app:1")
      const there = yield* place()
      const open = { docker_registry_image_name: "open.example/app", docker_registry_image_tag: "1" }
      yield* startWorker()
      const line = "continuing without registry credentials: the file with them isn't there"
      const fetched = yield* deploying(1, yield* plantApplication(there, 1, open, "dockerimage"))
      const built = yield* deploying(2, yield* plantApplication(there, 2))
      for (const { lines, reason } of [fetched, built]) {
        assert.isNull(reason)
        assert.strictEqual(lines.filter((each) => each === line).length, 1)
      }
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
  })
})

describe("a built image", () => {
  it.effect("is pushed under the image name of its application with the credentials of the registry", () => {
    const { change, logins } = changing(noLogins)
    return Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      yield* simulation.publish(closed, { wants: of("registry.example") })
      const application = yield* plantApplication(yield* place(), 1, {
        docker_registry_image_name: "registry.example/team/shop",
        docker_registry_image_tag: "stable"
      })
      yield* startWorker()
      const refused = yield* deploying(1, application)
      assert.deepStrictEqual(
        [refused.status, refused.reason],
        [
          "failed",
          "the image cannot be pushed to registry.example/team/shop:stable: unauthorized: authentication required (the platform has no password for registry.example: ask the operator)"
        ]
      )
      change(Effect.succeed([of("registry.example")]))
      const { kept, lines, reason } = yield* deploying(2, application)
      assert.isNull(reason)
      assert.include(lines.join("\n"), "Pushed registry.example/team/shop:stable")
      assert.notInclude(kept, secret)
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
  })

  it.effect(
    "is built on the build server of the team, and reaches the server of its application by the registry",
    () => {
      const { logins } = changing(Effect.succeed([of("registry.example")]))
      return Effect.gen(function* () {
        const simulation = yield* EngineSimulation
        yield* simulation.publish(closed, { wants: of("registry.example") })
        const application = yield* plantApplication(yield* place(), 1, {
          docker_registry_image_name: "registry.example/team/shop",
          docker_registry_image_tag: "stable",
          use_build_server: true
        })
        yield* startWorker()
        const without = yield* deploying(1, application)
        assert.strictEqual(without.reason, "the team has no usable build server: set `is_build_server` of a server")
        const { server: builder } = yield* place({ isBuildServer: true }, 2)
        const { kept, lines, reason } = yield* deploying(2, application)
        assert.isNull(reason)
        const log = lines.join("\n")
        assert.include(log, "building on the server server 2")
        assert.include(log, "Pushed registry.example/team/shop:stable")
        assert.match(log, /Pulling registry\.example\/team\/shop@sha256:[0-9a-f]+/)
        assert.deepStrictEqual((yield* simulation.inventory(builder.uuid)).images, [])
        assert.notInclude(kept, secret)
      }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, logins))
    }
  )

  it.effect("cannot be built on a build server without an image name", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place(), 1, { use_build_server: true })
      yield* startWorker()
      const { reason } = yield* deploying(1, application)
      assert.strictEqual(
        reason,
        "`use_build_server` needs `docker_registry_image_name`, through which the servers share the image"
      )
    }).pipe(Effect.provide(world))
  )
})
