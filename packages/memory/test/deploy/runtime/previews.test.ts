import { assert, describe, it } from "@effect/vitest"
import { Applications, Previews, Variables } from "@slipway/deploy/apps"
import { InvalidInput, type Sealed } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Configuration,
  DeletionStore,
  DeploymentStore,
  DomainStore,
  hasEnded,
  PreviewStore,
  parseDomains,
  ReleaseStore,
  StorageStore,
  type StorageUuid
} from "@slipway/domain/deploy/apps"
import { InstancePolicy } from "@slipway/domain/deploy/containers"
import { system } from "@slipway/domain/deploy/entry"
import { EngineSimulation, ProxySimulation, SourceSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Redacted } from "effect"
import {
  linesOf,
  ofDockerfile,
  pass,
  place,
  plantApplication,
  plantRepository,
  queue,
  shown,
  startWorker,
  world
} from "./support/support.ts"

const address = "https://forge.example/application-1.git"
const files = { Dockerfile: "ARG SHOWN\nARG HIDDEN\nFROM works" }

const composed: Partial<Configuration> = {
  build_pack: "dockercompose",
  docker_compose_location: "/compose.yaml",
  docker_compose_domains: [{ name: "web", domain: "http://a1.example" }],
  domains: "",
  health_check_enabled: false,
  health_check_start_period: 0
}

const planted = Effect.fnUntraced(function* (facts: Partial<Configuration> = {}) {
  const application = yield* plantRepository(
    yield* place(),
    1,
    {},
    {
      ...ofDockerfile,
      is_preview_deployments_enabled: true,
      ...facts
    }
  )
  const { commit } = yield* SourceSimulation
  yield* commit(address, "main", { message: "one", files })
  const put = (pull: number) => commit(address, `refs/pull/${pull}/head`, { message: `pull ${pull}`, files })
  return { application, put }
})

const ended = Effect.fnUntraced(function* <D extends Parameters<typeof shown>[0]>(deployment: D) {
  for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  const { reason, status } = yield* shown(deployment)
  assert.deepStrictEqual([status, reason], ["finished", null])
  return deployment
})

const asked = (application: Application, pull: number) =>
  Previews.deploy(system("application.deploy", { application }), pull, { force: false })

const visited = Effect.fnUntraced(function* (host: string) {
  const { status } = yield* (yield* ProxySimulation).visit(uuidOf("server", 1), {
    scheme: "http",
    host,
    port: 80,
    method: "GET",
    path: "/",
    headers: {}
  })
  return status
})

const set = (application: Application, key: string, value: string, isPreview = false) =>
  Variables.create(system("application.update", { application }), { key, value: Redacted.make(value), isPreview })

describe("previews of pull requests", () => {
  it.effect("serve next to their application with preview variables only, until they are removed (invariant I21)", () =>
    Effect.gen(function* () {
      const { application, put } = yield* planted()
      yield* set(application, "HIDDEN", "secret")
      yield* set(application, "SHOWN", "of the application")
      yield* set(application, "SHOWN", "of previews", true)
      const built: Array<unknown> = []
      yield* (yield* EngineSimulation).onBuild((options) => {
        built.push(Object.fromEntries((options.arguments ?? []).map(([name, value]) => [name, Redacted.value(value)])))
        return {}
      })
      yield* startWorker()
      yield* ended(yield* queue(1, application))
      const commit = yield* put(12)
      const deployment = yield* asked(application, 12)
      assert.strictEqual(deployment.pullRequestId, 12)
      yield* ended(deployment)
      assert.deepStrictEqual(built, [{ HIDDEN: "secret", SHOWN: "of the application" }, { SHOWN: "of previews" }])
      const releases = yield* ReleaseStore
      const release = (yield* releases.ofApplication(deployment.applicationUuid, 1))[0]
      assert.strictEqual(release?.commit, commit)
      assert.deepStrictEqual(
        release?.variables.map(({ key }) => key),
        ["SHOWN"]
      )
      assert.deepStrictEqual([yield* visited("a1.example"), yield* visited("12.a1.example")], [200, 200])

      const deletion = yield* Previews.remove(system("application.preview.delete", { application }), 12)
      for (let passed = 0; passed < 60; passed++) {
        if ((yield* (yield* DeletionStore).find(deletion.uuid))?.status === "finished") break
        yield* pass(1)
      }
      assert.deepInclude(yield* (yield* DeletionStore).find(deletion.uuid), { status: "finished", left: [] })
      assert.deepStrictEqual([yield* visited("a1.example"), yield* visited("12.a1.example")], [200, 404])
      const again = yield* Effect.flip(Previews.remove(system("application.preview.delete", { application }), 12))
      assert.strictEqual(again._tag, "PreviewNotFound")
    }).pipe(Effect.provide(world))
  )

  it.effect("have separate volumes, no server path, no webhook secrets and the newest commit", () =>
    Effect.gen(function* () {
      const { application, put } = yield* planted()
      const storages = yield* StorageStore
      const at = application.createdAt
      const storage = {
        applicationUuid: application.uuid,
        name: "data",
        service: null,
        content: null,
        createdAt: at,
        updatedAt: at
      }
      yield* storages.insertMany([
        { ...storage, uuid: "storage1".padEnd(24, "0") as StorageUuid, mountPath: "/data", hostPath: null },
        { ...storage, uuid: "storage2".padEnd(24, "0") as StorageUuid, mountPath: "/srv", hostPath: "/srv" },
        {
          ...storage,
          uuid: "storage3".padEnd(24, "0") as StorageUuid,
          mountPath: "/etc/secret",
          hostPath: null,
          content: "sealed" as Sealed
        }
      ])
      yield* put(3)
      const { applicationUuid } = yield* asked(application, 3)
      const own = yield* storages.ofApplication(applicationUuid)
      assert.deepStrictEqual(
        own.map(({ hostPath, mountPath }) => [mountPath, hostPath]),
        [["/data", null]]
      )
      const preview = (yield* (yield* ApplicationStore).find(applicationUuid)) ?? assert.fail("there is none")
      assert.deepStrictEqual(preview.secrets, {})
      const second = yield* asked(application, 3)
      assert.strictEqual(second.applicationUuid, applicationUuid)
      const refused = yield* Effect.flip(asked(preview, 3))
      assert.strictEqual(refused._tag, "InvalidInput")
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "are limited in number, take no domain of others, and are removed with their application (invariants I25, I28)",
    () =>
      Effect.gen(function* () {
        const { application } = yield* planted()
        const [domains, previews] = [yield* DomainStore, yield* PreviewStore]
        const [{ key } = assert.fail("no domain")] = parseDomains("http://99.a1.example").addresses
        yield* domains.replace({ type: "instance", uuid: null }, [key])
        const taken = yield* Effect.flip(asked(application, 99))
        assert.strictEqual(taken._tag, "DomainConflicts")
        assert.isUndefined(yield* previews.find(application.uuid, 99))
        for (let pull = 1; pull <= 20; pull++) yield* asked(application, pull)
        const over = yield* Effect.flip(asked(application, 21))
        assert.strictEqual(over._tag, "TooManyPreviews")
        yield* asked(application, 20)
        const flags = {
          deleteConfigurations: true,
          deleteVolumes: false,
          dockerCleanup: true,
          deleteConnectedNetworks: true
        }
        const listed = yield* previews.ofApplication(application.uuid)
        yield* Applications.remove(system("application.delete", { application }), flags)
        assert.deepStrictEqual(yield* (yield* ApplicationStore).list({ limit: 100 }), [])
        const deletions = yield* (yield* DeletionStore).list({ limit: 100 })
        assert.sameMembers(
          deletions.map(({ applicationUuid, deleteVolumes }) => `${applicationUuid} ${deleteVolumes}`),
          [...listed.map(({ previewUuid }) => `${previewUuid} true`), `${application.uuid} false`]
        )
      }).pipe(Effect.provide(world))
  )

  it.effect("cannot access the server by their compose files, even if their application may (invariant I21)", () =>
    Effect.gen(function* () {
      const { application } = yield* planted(composed)
      yield* (yield* EngineSimulation).publish("web", { ports: [3000] })
      const web = { image: "web", privileged: true }
      const text = JSON.stringify({ services: { web }, networks: { default: {} } })
      const { commit } = yield* SourceSimulation
      for (const branch of ["main", "refs/pull/4/head"]) {
        yield* commit(address, branch, { message: "privileged", files: { "compose.yaml": text } })
      }
      yield* startWorker()
      yield* ended(yield* queue(1, application))
      const deployment = yield* asked(application, 4)
      for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
      const { reason, status } = yield* shown(deployment)
      assert.strictEqual(status, "failed")
      assert.match(reason ?? "", /services\.web\.privileged/)
      assert.deepStrictEqual([yield* visited("a1.example"), yield* visited("4.a1.example")], [200, 404])
    }).pipe(Effect.provideService(InstancePolicy, { hostAccess: true }), Effect.provide(world))
  )

  it.effect("take no server port and no label from their compose files (invariant I28)", () =>
    Effect.gen(function* () {
      const { application } = yield* planted(composed)
      const engine = yield* EngineSimulation
      yield* engine.publish("web", { ports: [3000] })
      const text = JSON.stringify({
        services: { web: { image: "web", ports: ["8080:3000", "5432:5432"], labels: { "traefik.enable": "true" } } },
        networks: { default: {} }
      })
      const { commit } = yield* SourceSimulation
      for (const branch of ["main", "refs/pull/4/head"]) {
        yield* commit(address, branch, { message: "ports", files: { "compose.yaml": text } })
      }
      yield* startWorker()
      yield* ended(yield* queue(1, application))
      const { applicationUuid } = yield* ended(yield* asked(application, 4))
      const { containers } = yield* engine.inventory(uuidOf("server", 1))
      const taken = (uuid: Application["uuid"]) =>
        containers
          .filter(({ owner }) => owner.application === uuid)
          .map(({ spec }) => [spec.ports.map(({ host }) => host), spec.labels])
      assert.deepStrictEqual(taken(application.uuid), [[[8080, 5432], [["traefik.enable", "true"]]]])
      assert.deepStrictEqual(taken(applicationUuid), [[[], []]])
      assert.deepStrictEqual([yield* visited("a1.example"), yield* visited("4.a1.example")], [200, 200])
    }).pipe(Effect.provide(world))
  )

  it.effect("run the requested tag of the image of their application, and keep it", () =>
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      for (const tag of ["1", "pr-5"]) yield* simulation.publish(`shop.example/app:${tag}`, { ports: [3000] })
      const image = { docker_registry_image_name: "shop.example/app", docker_registry_image_tag: "1" }
      const settings = { ...image, is_preview_deployments_enabled: true, dockerfile: null }
      const application = yield* plantApplication(yield* place(), 1, settings, "dockerimage")
      const proof = system("application.deploy", { application })
      const problemsOf = (imageTag?: string, found = proof) =>
        Effect.map(Effect.flip(Previews.deploy(found, 5, { force: false, imageTag })), (error) =>
          error instanceof InvalidInput ? error.problems : assert.fail(error._tag)
        )
      assert.deepStrictEqual(yield* problemsOf(), {
        docker_tag: ["Is required for the first deployment of a preview."]
      })
      yield* startWorker()
      const { applicationUuid } = yield* ended(yield* Previews.deploy(proof, 5, { force: false, imageTag: "pr-5" }))
      const again = yield* ended(yield* asked(application, 5))
      assert.strictEqual(again.applicationUuid, applicationUuid)
      const lines = yield* linesOf(again)
      assert.include(lines, "Pulling shop.example/app:pr-5")
      assert.strictEqual(yield* visited("5.a1.example"), 200)
      const preview = yield* (yield* ApplicationStore).find(applicationUuid)
      assert.strictEqual(preview?.configuration.docker_registry_image_tag, "pr-5")
      const fromGit = yield* plantRepository(yield* place({}, 2), 2, {}, { is_preview_deployments_enabled: true })
      assert.deepStrictEqual(yield* problemsOf("1", system("application.deploy", { application: fromGit })), {
        docker_tag: ["This application is built from a git repository: omit the tag."]
      })
    }).pipe(Effect.provide(world))
  )

  it.effect("are removed if their first deployment is not approved in time, and kept after a later one", () =>
    Effect.gen(function* () {
      const { application, put } = yield* planted()
      yield* put(6)
      yield* put(7)
      const deployments = yield* DeploymentStore
      const expired = Effect.fnUntraced(function* (pull: number) {
        const { uuid } = yield* asked(application, pull)
        const row = (yield* deployments.find(uuid)) ?? assert.fail("there is none")
        yield* deployments.replace({ ...row, approvalUntil: "1970-01-01T00:00:00.000Z" })
        return row
      })
      const first = yield* expired(6)
      yield* startWorker()
      yield* pass(2)
      assert.deepInclude(yield* deployments.find(first.uuid), {
        status: "cancelled",
        reason: "it was not approved within 7 days"
      })
      const previews = yield* PreviewStore
      assert.isUndefined(yield* previews.find(application.uuid, 6))
      assert.isUndefined(yield* (yield* ApplicationStore).find(first.applicationUuid))
      yield* ended(yield* asked(application, 7))
      const later = yield* expired(7)
      yield* pass(2)
      assert.strictEqual((yield* deployments.find(later.uuid))?.status, "cancelled")
      assert.strictEqual((yield* previews.find(application.uuid, 7))?.previewUuid, later.applicationUuid)
      assert.strictEqual(yield* visited("7.a1.example"), 200)
    }).pipe(Effect.provide(world))
  )

  it.effect("follow their application to another server and environment", () =>
    Effect.gen(function* () {
      const { application, put } = yield* planted()
      yield* put(5)
      yield* startWorker()
      const { applicationUuid } = yield* ended(yield* asked(application, 5))
      const { placement } = yield* place({}, 2)
      yield* (yield* ApplicationStore).replace({ ...application, placement })
      yield* ended(yield* asked({ ...application, placement }, 5))
      const preview = yield* (yield* ApplicationStore).find(applicationUuid)
      assert.deepStrictEqual(preview?.placement, placement)
      const deletions = yield* DeletionStore
      for (let passed = 0; passed < 60; passed++) {
        if ((yield* deletions.list({ limit: 10 })).every(({ status }) => status === "finished")) break
        yield* pass(1)
      }
      const { inventory } = yield* EngineSimulation
      for (const [n, count] of [
        [1, 0],
        [2, 1]
      ] as const) {
        const { containers } = yield* inventory(uuidOf("server", n))
        assert.lengthOf(
          containers.filter(({ owner }) => owner.application === applicationUuid),
          count
        )
      }
    }).pipe(Effect.provide(world))
  )

  it.effect("are refused when the template gives no valid hostname for a compose service", () =>
    Effect.gen(function* () {
      const domain = `http://${`${"a".repeat(62)}.`.repeat(3)}${"a".repeat(55)}.example`
      const { application } = yield* planted({ ...composed, docker_compose_domains: [{ name: "web", domain }] })
      const refused = yield* Effect.flip(asked(application, 2_147_483_647))
      assert.strictEqual(refused._tag, "InvalidInput")
    }).pipe(Effect.provide(world))
  )

  it.effect("are refused when the application disables them", () =>
    Effect.gen(function* () {
      const { application } = yield* planted({ is_preview_deployments_enabled: false })
      const { problems } = (yield* Effect.flip(asked(application, 1))) as unknown as { readonly problems: unknown }
      assert.deepStrictEqual(problems, {
        pull_request_id: ["`is_preview_deployments_enabled` of this application is false."]
      })
    }).pipe(Effect.provide(world))
  )
})
