import { assert, describe, it } from "@effect/vitest"
import { Applications, Deployments, ForgeApplications, Variables } from "@slipway/deploy/apps"
import { Databases } from "@slipway/deploy/databases"
import { ForgeConnections } from "@slipway/deploy/infrastructure"
import { Manifests } from "@slipway/deploy/runtime"
import {
  type Application,
  ApplicationStore,
  type Deployment,
  DeploymentStore,
  EnvironmentStore,
  hasEnded
} from "@slipway/domain/deploy/apps"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { authorize, type Caller, system } from "@slipway/domain/deploy/entry"
import { describeChange, lineOfChange } from "@slipway/domain/deploy/runtime"
import { ForgeSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import { pass, place, shown, startWorker, world } from "../support/support.ts"

const url = "http://127.0.0.1:3000"
const repository = `${url}/acme/site.git`

/** Connects a forge with the repository `acme/site`, and creates its application. */
const connected = Effect.gen(function* () {
  const forge = yield* (yield* ForgeSimulation).start(url)
  forge.tokens.set("t0ken", "robot")
  const files = { Dockerfile: "FROM works" }
  forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
  yield* ForgeConnections.create(system("forgeConnection.create"), {
    name: "forge",
    url,
    token: Redacted.make("t0ken"),
    platformUrl: "https://deploy.example",
    sshPort: null
  })
  const placed = yield* place()
  const { environmentUuid } = placed.placement
  const application = yield* ForgeApplications.create(system("application.create"), {
    git_repository: "acme/site",
    environment_uuid: environmentUuid,
    domains: "http://old.example"
  })
  yield* (yield* SourceSimulation).repository(repository, {
    _tag: "Token",
    username: "robot",
    token: Redacted.make("t0ken")
  })
  yield* startWorker()
  return { ...placed, application, forge }
})

/** Commits a manifest, deploys an application at the new commit, and waits for the end. */
const push = Effect.fnUntraced(function* (application: Application, manifest: unknown) {
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest, null, 2)
  const files = { Dockerfile: "FROM works", "slipway.yaml": text }
  const commit = yield* (yield* SourceSimulation).commit(repository, "main", { message: "change", files })
  const queued = yield* Deployments.deploy(system("application.deploy", { application }), false)
  return { commit, deployment: yield* ended(queued) }
})

const ended = Effect.fnUntraced(function* (deployment: Deployment) {
  for (let passed = 0; passed < 90 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  return yield* shown(deployment)
})

const read = Effect.fnUntraced(function* ({ uuid }: Application) {
  return (yield* (yield* ApplicationStore).find(uuid)) ?? assert.fail("the application is gone")
})

/** Returns the variables of an application with their values. */
const valuesOf = Effect.fnUntraced(function* (application: Application) {
  const rows = yield* Variables.list(system("application.read", { application }))
  const values = yield* Variables.values(system("application.secrets", { application }), rows)
  return Object.fromEntries(rows.map(({ key, uuid }) => [key, values.get(uuid)]))
})

const check = { ports: [3_000], health_check: { path: "/", interval: 1, start_period: 0 } }

describe("a pushed slipway.yaml", () => {
  it.effect("changes the application before the build, and creates the resources that it names", () =>
    Effect.gen(function* () {
      const { application, placement } = yield* connected
      const { commit, deployment } = yield* push(application, {
        applications: {
          web: {
            ...check,
            domains: ["http://new.example"],
            variables: { LOG: "info", URL: { database: "db" } },
            previews: true
          },
          worker: { ...check, domains: ["http://worker.example"], variables: { MODE: "work" } }
        },
        databases: { db: { type: "redis" } }
      })
      assert.strictEqual(deployment.status, "finished", deployment.reason ?? "")
      const changed = yield* read(application)
      const { domains, is_preview_deployments_enabled, name } = changed.configuration
      assert.deepStrictEqual([name, domains, is_preview_deployments_enabled], ["web", "http://new.example", true])
      const [database, ...more] = yield* (yield* DatabaseStore).list({ limit: 10 })
      if (database === undefined) return assert.fail("there is no database")
      assert.deepStrictEqual([more.length, database.name, database.kind], [0, "db", "redis"])
      assert.deepStrictEqual(database.placement, placement)
      const values = yield* valuesOf(changed)
      assert.deepStrictEqual(Object.keys(values), ["LOG", "URL"])
      assert.strictEqual(values.LOG, "info")
      assert.match(values.URL ?? "", new RegExp(`^redis://default:[^@]+@${database.uuid}:6379/0$`))
      const worker = (yield* (yield* ApplicationStore).list({ limit: 10 })).find(
        ({ configuration }) => configuration.name === "worker"
      )
      if (worker === undefined) return assert.fail("there is no application worker")
      assert.deepStrictEqual(worker.placement, placement)
      const [first] = yield* (yield* DeploymentStore).ofApplication(worker.uuid, { limit: 1 })
      if (first === undefined) return assert.fail("worker is not deployed")
      const finished = yield* ended(first)
      assert.deepStrictEqual([finished.status, finished.commit], ["finished", commit], finished.reason ?? "")
      assert.deepStrictEqual(yield* valuesOf(worker), { MODE: "work" })
      assert.strictEqual((yield* (yield* ApplicationStore).list({ limit: 10 })).length, 2)
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "with an error fails the deployment and the commit status with line, field and remedy, and changes nothing",
    () =>
      Effect.gen(function* () {
        const { application, forge } = yield* connected
        const manifest = { applications: { web: { domains: ["http://new.example"], port: 3_000 } } }
        const { commit, deployment } = yield* push(application, manifest)
        const reason = "slipway.yaml: line 7: applications.web.port: This field is not allowed."
        assert.deepStrictEqual([deployment.status, deployment.reason], ["failed", reason])
        yield* pass(3)
        const last = forge.reports.at(-1)
        assert.deepStrictEqual([last?.commit, last?.state, last?.description], [commit, "failure", reason])
        assert.strictEqual((yield* read(application)).configuration.domains, "http://old.example")
      }).pipe(Effect.provide(world))
  )

  it.effect("fails the deployment until the secrets that it names have values", () =>
    Effect.gen(function* () {
      const { application } = yield* connected
      const manifest = { applications: { web: { ...check, secrets: ["SESSION_KEY"] } } }
      const first = (yield* push(application, manifest)).deployment
      assert.match(
        first.reason ?? "",
        /^slipway\.yaml: line \d+: applications\.web\.secrets\.0: The secret `SESSION_KEY` has no value/
      )
      yield* Variables.create(system("application.update", { application }), {
        key: "SESSION_KEY",
        value: Redacted.make("s3cr3t")
      })
      const second = (yield* push(application, manifest)).deployment
      assert.strictEqual(second.status, "finished", second.reason ?? "")
      assert.deepStrictEqual(yield* valuesOf(application), { SESSION_KEY: "s3cr3t" })
    }).pipe(Effect.provide(world))
  )

  it.effect("cannot use a database that it did not create, or a domain of another application", () =>
    Effect.gen(function* () {
      const { application, environment, placement } = yield* connected
      const { destinationUuid, environmentUuid, projectUuid, serverUuid } = placement
      const foreign = yield* Databases.create(
        system("database.create"),
        "redis",
        { name: "db", limits: {}, fields: {} },
        { projectUuid, environmentUuid, serverUuid, destinationUuid },
        false
      )
      assert.strictEqual(environment.uuid, environmentUuid)
      yield* push(application, {
        applications: { web: { ...check, variables: { URL: { database: "db" } } } },
        databases: { db: { type: "redis" } }
      })
      assert.notInclude((yield* valuesOf(application)).URL ?? "", foreign.uuid)
      yield* ForgeApplications.create(system("application.create"), {
        git_repository: "acme/site",
        git_branch: "main",
        build_pack: "static",
        environment_uuid: environmentUuid,
        name: "other",
        domains: "http://taken.example"
      })
      const { deployment } = yield* push(application, { applications: { web: { domains: ["http://taken.example"] } } })
      assert.strictEqual(
        deployment.reason,
        "slipway.yaml: line 3: applications.web: A domain belongs to another resource: choose another one."
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("deletes nothing at a push, and with `prune` only resources that it created and no longer names", () =>
    Effect.gen(function* () {
      const { application, forge } = yield* connected
      yield* push(application, {
        applications: { web: { ...check, variables: { OLD: "1" } }, worker: check },
        databases: { db: { type: "redis" } }
      })
      yield* pass(60)
      const manifest = { applications: { web: check } }
      const { deployment } = yield* push(application, manifest)
      assert.strictEqual(deployment.status, "finished", deployment.reason ?? "")
      assert.strictEqual((yield* (yield* ApplicationStore).list({ limit: 10 })).length, 2)
      assert.strictEqual((yield* (yield* DatabaseStore).list({ limit: 10 })).length, 1)
      const files = { Dockerfile: "FROM works", "slipway.yaml": JSON.stringify(manifest, null, 2) }
      forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
      const current = yield* read(application)
      const planning = system("application.plan", { application: current })
      assert.deepStrictEqual(yield* Manifests.plan(planning, undefined, false), { changes: [], problems: [] })
      const { changes } = yield* Manifests.plan(planning, undefined, true)
      assert.deepStrictEqual(
        changes.map((change) => lineOfChange(describeChange(change))),
        [
          "delete variable of web in environment 1: OLD",
          "delete application worker in environment 1",
          "delete database db in environment 1"
        ]
      )
      assert.strictEqual((yield* (yield* ApplicationStore).list({ limit: 10 })).length, 2)
      yield* Manifests.apply(system("application.apply", { application: current }), undefined, true)
      assert.deepStrictEqual(
        (yield* (yield* ApplicationStore).list({ limit: 10 })).map(({ uuid }) => uuid),
        [application.uuid]
      )
      assert.deepStrictEqual(yield* (yield* DatabaseStore).list({ limit: 10 }), [])
      assert.deepStrictEqual(yield* valuesOf(application), {})
    }).pipe(Effect.provide(world))
  )

  it.effect("creates a missing environment with an application that waits for a push to its branch", () =>
    Effect.gen(function* () {
      const { application, placement } = yield* connected
      const manifest = {
        applications: { web: { ...check, domains: ["http://new.example"] } },
        environments: {
          [placement.environmentName]: { branch: "main" },
          staging: { branch: "develop", applications: { web: { domains: ["http://staging.example"] } } }
        }
      }
      const { deployment } = yield* push(application, manifest)
      assert.strictEqual(deployment.status, "finished", deployment.reason ?? "")
      const staged = (yield* (yield* ApplicationStore).list({ limit: 10 })).find(
        ({ configuration }) => configuration.git_branch === "develop"
      )
      if (staged === undefined) return assert.fail("there is no application of develop")
      assert.deepStrictEqual(
        [staged.configuration.name, staged.configuration.domains, staged.configuration.build_pack],
        ["web", "http://staging.example", "dockerfile"]
      )
      assert.deepStrictEqual(
        [staged.placement.environmentName, staged.placement.projectUuid],
        ["staging", placement.projectUuid]
      )
      assert.deepStrictEqual(yield* (yield* DeploymentStore).ofApplication(staged.uuid, { limit: 1 }), [])
    }).pipe(Effect.provide(world))
  )

  it.effect("completes an environment after a push that created it only in part", () =>
    Effect.gen(function* () {
      const { application, placement } = yield* connected
      const taken = yield* ForgeApplications.create(system("application.create"), {
        git_repository: "acme/site",
        build_pack: "static",
        environment_uuid: placement.environmentUuid,
        name: "other",
        domains: "http://staging.example"
      })
      yield* Applications.update(system("application.update", { application: taken }), { git_branch: "other" })
      const manifest = {
        applications: { web: check },
        environments: {
          [placement.environmentName]: { branch: "main" },
          staging: { branch: "develop", applications: { web: { domains: ["http://staging.example"] } } }
        }
      }
      const first = (yield* push(application, manifest)).deployment
      assert.strictEqual(
        first.reason,
        "slipway.yaml: line 3: applications.web: A domain belongs to another resource: choose another one."
      )
      const names = Effect.map(
        Effect.flatMap(EnvironmentStore, (store) => store.ofProject(placement.projectUuid)),
        (all) => all.map(({ name }) => name)
      )
      assert.deepStrictEqual(yield* names, [placement.environmentName, "staging"])
      yield* Applications.update(system("application.update", { application: taken }), {
        domains: "http://other.example"
      })
      const second = (yield* push(application, manifest)).deployment
      assert.strictEqual(second.status, "finished", second.reason ?? "")
      const staged = (yield* (yield* ApplicationStore).list({ limit: 10 })).filter(
        ({ configuration }) => configuration.git_branch === "develop"
      )
      assert.deepStrictEqual(
        staged.map(({ configuration, placement: there }) => [configuration.domains, there.environmentName]),
        [["http://staging.example", "staging"]]
      )
      const third = (yield* push(application, manifest)).deployment
      assert.strictEqual(third.status, "finished", third.reason ?? "")
      assert.strictEqual((yield* (yield* ApplicationStore).list({ limit: 10 })).length, 3)
    }).pipe(Effect.provide(world))
  )

  it.effect("has a plan that confirms a guessed value only to callers with permission to read values", () =>
    Effect.gen(function* () {
      const { application, forge } = yield* connected
      yield* Variables.create(system("application.update", { application }), {
        key: "SESSION_KEY",
        value: Redacted.make("s3cr3t")
      })
      const name = application.configuration.name ?? ""
      const planFor = Effect.fnUntraced(function* (guess: string, abilities: Caller["abilities"]) {
        const manifest = { applications: { [name]: { variables: { SESSION_KEY: guess } } } }
        const files = { Dockerfile: "FROM works", "slipway.yaml": JSON.stringify(manifest) }
        forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
        const caller: Caller = { tokenUuid: "t", abilities, accountUuid: null, access: "everything" }
        const proof = yield* authorize(caller, "application.plan", { application })
        const { changes } = yield* Manifests.plan(proof, undefined, false)
        return changes.map((change) => lineOfChange(describeChange(change)))
      })
      const changed = [`update variable of ${name} in environment 1: SESSION_KEY`]
      assert.deepStrictEqual(yield* planFor("wrong", ["read"]), changed)
      assert.deepStrictEqual(yield* planFor("s3cr3t", ["read"]), changed)
      assert.deepStrictEqual(yield* planFor("wrong", ["read", "read:sensitive"]), changed)
      assert.deepStrictEqual(yield* planFor("s3cr3t", ["read", "read:sensitive"]), [])
    }).pipe(Effect.provide(world))
  )
})
