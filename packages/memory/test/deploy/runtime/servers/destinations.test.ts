import { assert, describe, it } from "@effect/vitest"
import { AdditionalDestinations, Applications, Deployments, Storages, Variables } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { InvalidInput, Vault } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Configuration,
  DeletionStore,
  type Deployment,
  DeploymentStore,
  hasEnded,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import { type RegistryCredentials, RegistryLogins } from "@slipway/domain/deploy/containers"
import { PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { newPrivateKey, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber, Redacted } from "effect"
import {
  Gate,
  linesOf,
  pass,
  place,
  plantApplication,
  plantRepository,
  queue,
  shown,
  startWorker,
  visit,
  world
} from "../support/support.ts"

const all = { deleteConfigurations: true, deleteVolumes: true, dockerCleanup: true, deleteConnectedNetworks: true }
const servers = [1, 2].map((n) => uuidOf<Deployment["serverUuid"]>("server", n))
const shared: Partial<Configuration> = {
  docker_registry_image_name: "registry.example/team/shop",
  docker_registry_image_tag: "stable",
  custom_docker_run_options: "-v data:/data"
}
const login: RegistryCredentials = { registry: "registry.example", username: "user", password: Redacted.make("secret") }
const withRegistry = { read: Effect.succeed([login]), advice: "ask the operator" }

/** Returns how many containers, images and volumes of an application each server has. */
const thingsOf = Effect.fnUntraced(function* ({ uuid }: Pick<Application, "uuid">) {
  const { inventory } = yield* EngineSimulation
  return (yield* Effect.forEach(servers, inventory)).map(({ containers, images, volumes }) => [
    containers.filter(({ owner }) => owner.application === uuid).length,
    images.flatMap(({ tags }) => tags).filter((tag) => tag.includes(uuid)).length,
    volumes.filter(({ application }) => application === uuid).length
  ])
})

const may = ({ uuid }: Pick<Application, "uuid">) => systemOn("application.update", { uuid })

/** An application on the first of two servers, and the request that adds the second one. */
const planted = Effect.fnUntraced(function* (facts: Partial<Configuration> = shared) {
  const simulation = yield* EngineSimulation
  yield* simulation.publish("registry.example/team/app:1", { wants: login })
  const key = newPrivateKey(1)
  const privateKey = yield* (yield* Vault).seal({ uuid: key.uuid, field: "private_key" }, Redacted.make("key"))
  const { uuid: privateKeyUuid } = yield* Effect.orDie((yield* PrivateKeyStore).insert({ ...key, privateKey }))
  const [one, two] = [yield* place(), yield* place({ privateKeyUuid }, 2)]
  const application = yield* plantApplication(one, 1, facts)
  const adds = Effect.flatMap(may(application), (proof) => AdditionalDestinations.add(proof, two.destination.uuid))
  return { application, one, two, adds }
})

const latest = Effect.fnUntraced(function* ({ uuid }: Pick<Application, "uuid">) {
  const [found] = yield* (yield* DeploymentStore).ofApplication(uuid, { limit: 1 })
  return found ?? assert.fail("it was never deployed")
})

const ended = Effect.fnUntraced(function* (application: Pick<Application, "uuid">) {
  for (let passed = 0; passed < 90 && !hasEnded((yield* latest(application)).status); passed++) yield* pass(1)
  return yield* latest(application)
})

const deployed = Effect.fnUntraced(function* (n: number, application: Application) {
  const deployment = yield* queue(n, application)
  for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  return yield* shown(deployment)
})

const problemsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error instanceof InvalidInput ? error.problems : assert.fail(`${error}`)))

describe("an application with an additional destination", () => {
  it.effect("runs the image that is built once on each server, until one destination is removed", () =>
    Effect.gen(function* () {
      const { adds, application, two } = yield* planted()
      let builds = 0
      yield* (yield* EngineSimulation).onBuild(() => {
        builds += 1
        return {}
      })
      const copy = yield* adds
      yield* startWorker()
      const first = yield* deployed(1, application)
      assert.deepStrictEqual([first.status, first.reason], ["finished", null])
      const there = yield* ended(copy)
      assert.deepStrictEqual([there.status, there.reason, there.commit], ["finished", null, first.commit])
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [first.uuid, there.uuid])
      assert.strictEqual(builds, 1)
      const release = yield* (yield* ReleaseStore).ofDeployment(first.uuid)
      assert.include(yield* linesOf(there), `Pulling registry.example/team/shop@${release?.imageId}`)

      const proof = yield* may(application)
      const deletion = yield* AdditionalDestinations.remove(proof, two.destination.uuid, all)
      yield* pass(30)
      assert.strictEqual((yield* (yield* DeletionStore).find(deletion.uuid))?.status, "finished")
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [first.uuid, 404])
      assert.deepStrictEqual((yield* thingsOf(copy))[1], [0, 0, 0])
      assert.deepStrictEqual((yield* thingsOf(application))[0], [1, 1, 1])
      const again = yield* Effect.flip(AdditionalDestinations.remove(proof, two.destination.uuid, all))
      assert.strictEqual(again._tag, "DestinationNotFound")
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, withRegistry))
  )

  it.effect("runs the release that serves at its own destination, also after a rollback", () =>
    Effect.gen(function* () {
      const { adds, application } = yield* planted()
      const copy = yield* adds
      yield* startWorker()
      const first = yield* deployed(1, application)
      yield* ended(copy)
      yield* Applications.update(yield* may(application), { dockerfile: "FROM works\nRUN two" })
      yield* deployed(2, application)
      yield* ended(copy)
      const proof = yield* systemOn("application.deploy", { uuid: application.uuid })
      const back = yield* Deployments.rollback(proof, first.uuid)
      yield* pass(30)
      assert.strictEqual((yield* shown(back)).status, "finished")
      const there = yield* ended(copy)
      const release = yield* (yield* ReleaseStore).ofDeployment(first.uuid)
      assert.strictEqual(there.status, "finished")
      // The tag names the image of the second release; the digest names that of the first one.
      assert.include(yield* linesOf(there), `Pulling registry.example/team/shop@${release?.imageId}`)
      assert.strictEqual((yield* (yield* DeploymentStore).ofApplication(copy.uuid, { limit: 9 })).length, 3)
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, withRegistry))
  )

  it.effect("keeps the running release at each destination when its deployment fails", () =>
    Effect.gen(function* () {
      const { adds, application } = yield* planted()
      const copy = yield* adds
      yield* startWorker()
      yield* deployed(1, application)
      const there = yield* ended(copy)
      yield* Applications.update(yield* may(application), { dockerfile: "FROM fails" })
      yield* (yield* EngineSimulation).onBuild(() => ({ fails: "a step ended with 1" }))
      assert.strictEqual((yield* deployed(2, application)).status, "failed")
      yield* pass(20)
      assert.strictEqual((yield* latest(copy)).uuid, there.uuid)
      assert.strictEqual(yield* visit(1, 2), there.uuid)
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, withRegistry))
  )

  it.effect("is stopped and started at each destination", () =>
    Effect.gen(function* () {
      const { adds, application } = yield* planted({
        docker_registry_image_name: "nginx",
        docker_registry_image_tag: "1"
      })
      const image = { ...application, variant: "dockerimage" as const }
      yield* (yield* ApplicationStore).replace(image)
      yield* (yield* EngineSimulation).publish("nginx:1")
      const copy = yield* adds
      yield* startWorker()
      const first = yield* deployed(1, image)
      const there = yield* ended(copy)
      assert.deepStrictEqual([there.status, there.reason], ["finished", null])
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [first.uuid, there.uuid])
      yield* Deployments.stop(yield* systemOn("application.deploy", { uuid: image.uuid }))
      yield* pass(20)
      assert.strictEqual((yield* latest(copy)).action, "stop")
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [503, 503])
      const second = yield* deployed(2, image)
      const again = yield* ended(copy)
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [second.uuid, again.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("has its variables, files and password there, and separate volumes", () =>
    Effect.gen(function* () {
      const { adds, application } = yield* planted()
      const copy = yield* adds
      const proof = yield* may(application)
      yield* Variables.create(proof, { key: "COLOR", value: Redacted.make("blue"), isPreview: false })
      yield* Storages.create(proof, { name: "files", mountPath: "/files", hostPath: null, service: null })
      yield* Applications.update(proof, {
        is_http_basic_auth_enabled: true,
        http_basic_auth_username: "ann",
        http_basic_auth_password: "open sesame"
      })
      yield* startWorker()
      yield* deployed(1, application)
      const there = yield* ended(copy)
      assert.deepStrictEqual([there.status, there.reason], ["finished", null])
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [401, 401])
      const [container] = (yield* (yield* EngineSimulation).inventory(servers[1] ?? assert.fail())).containers
      const variables = container?.spec.environment ?? []
      assert.include(
        variables.map(([name, value]) => `${name}=${Redacted.value(value)}`),
        "COLOR=blue"
      )
      assert.deepStrictEqual((yield* thingsOf(copy))[1], [1, 1, 2])
      assert.deepStrictEqual((yield* thingsOf(application))[0], [1, 1, 2])
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, withRegistry))
  )

  it.effect("leaves nothing on any server after its deletion", () =>
    Effect.gen(function* () {
      const { adds, application } = yield* planted()
      const copy = yield* adds
      yield* startWorker()
      yield* deployed(1, application)
      yield* ended(copy)
      yield* Applications.remove(yield* systemOn("application.delete", { uuid: application.uuid }), all)
      yield* pass(30)
      const nothing = [0, 0, 0]
      assert.deepStrictEqual([...(yield* thingsOf(application)), ...(yield* thingsOf(copy))], Array(4).fill(nothing))
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [404, 404])
      assert.isUndefined(yield* (yield* ApplicationStore).find(copy.uuid))
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, withRegistry))
  )

  it.effect("is deployed at each destination exactly once when the worker is killed at any step", () =>
    Effect.gen(function* () {
      const { adds, application } = yield* planted()
      const copy = yield* adds
      const first = yield* queue(1, application)
      let kills = 0
      for (let step = 1; step < 60; step++) {
        let steps = 0
        yield* (yield* Gate).guard(first.uuid, () =>
          Effect.suspend(() => (++steps > step ? Effect.never : Effect.void))
        )
        const worker = yield* startWorker({ alone: true })
        yield* pass(2)
        yield* Fiber.interrupt(worker)
        kills += steps > step ? 1 : 0
        if (hasEnded((yield* shown(first)).status)) break
      }
      assert.isAbove(kills, 5)
      yield* (yield* Gate).guard(first.uuid, () => Effect.void)
      yield* startWorker({ alone: true })
      yield* pass(30)
      const there = yield* ended(copy)
      assert.deepStrictEqual([(yield* shown(first)).status, there.status], ["finished", "finished"])
      assert.strictEqual((yield* (yield* DeploymentStore).ofApplication(copy.uuid, { limit: 9 })).length, 1)
      assert.deepStrictEqual([yield* visit(1, 1), yield* visit(1, 2)], [first.uuid, there.uuid])
    }).pipe(Effect.provide(world), Effect.provideService(RegistryLogins, withRegistry))
  )

  it.effect("follows changes of its settings, and rejects those that need one destination", () =>
    Effect.gen(function* () {
      const { adds, application, one, two } = yield* planted()
      const copy = yield* adds
      const proof = yield* may(application)
      yield* Applications.update(proof, { domains: "http://other.example", name: "shop" })
      const followed = yield* (yield* ApplicationStore).find(copy.uuid)
      assert.deepInclude(followed?.configuration, { domains: "http://other.example", name: "shop-server 2" })
      const here = "The application has an additional destination on this server: remove it first."
      assert.deepStrictEqual(yield* problemsOf(Applications.migrate(proof, two.destination.uuid)), {
        destination_uuid: [here]
      })
      const registry = "docker_registry_image_name"
      assert.deepStrictEqual(Object.keys(yield* problemsOf(Applications.update(proof, { [registry]: "" }))), [registry])
      assert.deepStrictEqual(yield* problemsOf(adds), {
        destination_uuid: ["The application already has a destination on this server."]
      })
      assert.deepStrictEqual(yield* problemsOf(AdditionalDestinations.remove(proof, one.destination.uuid, all)), {
        destination_uuid: ["This is the destination of the application itself: move the application instead."]
      })
      const uuid = [
        `This application runs the application ${application.uuid} at an additional destination: change that one.`
      ]
      const copied = yield* may(copy)
      const variable = { key: "COLOR", value: Redacted.make("blue"), isPreview: false }
      assert.deepStrictEqual(yield* problemsOf(Applications.update(copied, { name: "x" })), { uuid })
      assert.deepStrictEqual(yield* problemsOf(Variables.create(copied, variable)), { uuid })
      assert.deepStrictEqual(yield* problemsOf(AdditionalDestinations.add(copied, one.destination.uuid)), { uuid })
    }).pipe(Effect.provide(world))
  )

  it.effect("needs a registry for a built image, and a single service", () =>
    Effect.gen(function* () {
      const { adds, one, two } = yield* planted({})
      assert.deepStrictEqual(yield* problemsOf(adds), {
        docker_registry_image_name: [
          "Is required for an application with several destinations: its servers share the image through this registry."
        ]
      })
      const composed = yield* plantRepository(one, 2, { web: { image: "nginx" } })
      const proof = yield* may(composed)
      assert.deepStrictEqual(yield* problemsOf(AdditionalDestinations.add(proof, two.destination.uuid)), {
        build_pack: ["An application of several services runs at one destination."]
      })
    }).pipe(Effect.provide(world))
  )
})
