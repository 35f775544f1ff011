import { expect } from "@effect/vitest"
import { ApplicationStore, ReleaseStore, VariableStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, DeploymentUuid, ReleaseUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine, containerName, containerSpec } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Stream } from "effect"
import { Api, withApi } from "../support/api.ts"

let rigs = 0

/** Creates an application and a release that serves its configuration of that moment. */
const serving = Effect.gen(function* () {
  const { service, world } = yield* Api
  const uuid = (yield* world.create("dockerimage")) as ApplicationUuid
  const server = service.server as ServerUuid
  const deployment = uuidOf<DeploymentUuid>("deployment", ++rigs)
  const releaseUuid = `release${String(rigs).padStart(17, "0")}` as ReleaseUuid
  const owner = { application: uuid, deployment, service: null }
  const name = containerName(owner)
  const read = service.ask(200, "GET", `/applications/${uuid}/status`)
  const simulation = yield* service.within(EngineSimulation)
  const release = service.within(
    Effect.gen(function* () {
      const application = yield* (yield* ApplicationStore).find(uuid)
      if (application === undefined) return yield* Effect.die("it is gone")
      const { configuration, generatedDomain, secrets } = application
      const variables = yield* (yield* VariableStore).ofApplication(uuid)
      const releases = yield* ReleaseStore
      yield* releases.insert({
        uuid: releaseUuid,
        applicationUuid: uuid,
        deploymentUuid: deployment,
        commit: "0a1b2c3",
        commitMessage: null,
        imageId: "sha256:1",
        imagePort: null,
        configuration,
        generatedDomain,
        secrets,
        compose: null,
        variables,
        createdAt: application.createdAt
      })
      const { destinationUuid, serverUuid } = application.placement
      const where = { destinationUuid, serverUuid }
      yield* releases.serve(uuid, { applicationUuid: uuid, releaseUuid, deploymentUuid: deployment, ...where })
    })
  )
  const run = service.within(
    Effect.gen(function* () {
      yield* simulation.publish("image")
      const access = { _tag: "Local", server, connectionTimeout: 5, socket: null } as const
      const engine = yield* Effect.scoped((yield* ContainerEngine).open(access))
      yield* Stream.runDrain(engine.pull("image"))
      yield* engine.create(containerSpec({ owner, name, image: "image" }))
      yield* engine.start({ application: uuid, name })
    }).pipe(Effect.orDie)
  )
  return { service, uuid, server, releaseUuid, name, deployment, read, release, run, simulation }
})

withApi()("GET /applications/{uuid}/status", (it) => {
  it.effect("reports an application that was never deployed, that runs, that failed, and that can't be reached", () =>
    Effect.gen(function* () {
      const { deployment, name, read, release, releaseUuid, run, server, simulation, uuid } = yield* serving
      expect(yield* read).toMatchObject({
        state: "stopped",
        unreachable: null,
        serving: null,
        changed: [],
        latest_deployment: null,
        containers: []
      })
      yield* release
      yield* run
      expect(yield* read).toMatchObject({
        state: "running",
        serving: { release_uuid: releaseUuid, deployment_uuid: deployment, commit: "0a1b2c3" },
        containers: [{ name, service: null, deployment_uuid: deployment, state: "running", exit_code: null }]
      })
      yield* simulation.crash(server, uuid, name, 3)
      expect(yield* read).toMatchObject({ state: "degraded", containers: [{ state: "exited", exit_code: 3 }] })
      yield* simulation.cutOff(server, "the cable is cut")
      expect(yield* read).toMatchObject({
        state: "unknown",
        unreachable: "the engine cannot be reached: the cable is cut",
        containers: []
      })
      yield* simulation.cutOff(server, null)
    })
  )

  it.effect("reports what the next deployment would change", () =>
    Effect.gen(function* () {
      const { read, release, service, uuid } = yield* serving
      const path = `/applications/${uuid}`
      const key = { key: "A", value: "1" }
      yield* service.ask(201, "POST", `${path}/envs`, key)
      yield* release
      expect((yield* read).changed).toEqual([])
      yield* service.ask(200, "PATCH", path, { name: "another", docker_registry_image_tag: "2", custom_labels: "a=$b" })
      yield* service.ask(200, "PATCH", path, { manual_webhook_secret_forgeA: "x", http_basic_auth_password: "y" })
      expect((yield* read).changed).toEqual(["docker_registry_image_tag", "custom_labels", "http_basic_auth_password"])
      yield* service.ask(201, "PATCH", `${path}/envs`, { ...key, value: "2" })
      expect((yield* read).changed).toContain("variables")
      yield* service.ask(201, "PATCH", `${path}/envs`, { ...key, is_buildtime: false })
      expect((yield* read).changed).toContain("variables")
      expect((yield* read).serving.commit).toBe("0a1b2c3")
    })
  )
})
