import { assert } from "@effect/vitest"
import { Environments, Projects } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { Servers } from "@slipway/deploy/infrastructure"
import { type Application, EnvironmentStore, variants } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { DestinationStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { newDestination, newEnvironment, placementOf } from "../builders.ts"
import { plantWorld } from "../world.ts"
import { bodyOf, type Case, create, createImage, get, refuses, update } from "./support.ts"

const placeOf = ({ uuid }: Pick<Application, "uuid">) => Effect.map(get(uuid), (found) => found.placement)

/** Tests of the placement of applications (environment, server and destination), and of moves to another placement. */
export const placeCases = {
  "each variant is created with the name of its environment, its uuid, or both": Object.fromEntries(
    variants.map((variant) => [
      variant,
      Effect.gen(function* () {
        const world = yield* plantWorld()
        const { environment } = world
        for (const fields of [
          { environment_uuid: undefined, environment_name: environment.name },
          { environment_uuid: undefined, environment_name: environment.name.toUpperCase() },
          { environment_uuid: environment.uuid },
          { environment_uuid: environment.uuid, environment_name: environment.name }
        ]) {
          const body = Object.entries(bodyOf(variant, world, fields)).filter(([, value]) => value !== undefined)
          const application = yield* create(variant, Object.fromEntries(body))
          assert.deepStrictEqual(application.placement, world.placement)
          assert.deepStrictEqual(yield* get(application.uuid), application)
          assert.strictEqual(application.variant, variant)
          assert.strictEqual(application.forgeAppUuid, variant === "private-forge-app" ? world.forgeApp.uuid : null)
          assert.strictEqual(
            application.privateKeyUuid,
            variant === "private-deploy-key" ? world.privateKey.uuid : null
          )
        }
      })
    ])
  ),
  "an application on a server with several destinations must choose one": Effect.gen(function* () {
    const world = yield* plantWorld()
    const second = yield* (yield* DestinationStore).insert(newDestination(2, world.server))
    const problems = yield* refuses(createImage(world), ["destination_uuid"])
    assert.include(problems.destination_uuid?.join(), world.destination.uuid)
    assert.include(problems.destination_uuid?.join(), second.uuid)
    const application = yield* createImage(world, { destination_uuid: second.uuid })
    assert.strictEqual((yield* placeOf(application)).destinationUuid, second.uuid)
    yield* update(application.uuid, { name: "stays where it is" })
    yield* update(application.uuid, { server_uuid: world.server.uuid })
    assert.strictEqual((yield* placeOf(application)).destinationUuid, second.uuid)
    yield* update(application.uuid, { destination_uuid: world.destination.uuid })
    assert.strictEqual((yield* placeOf(application)).destinationUuid, world.destination.uuid)
  }),
  "an application on a server without a destination is rejected": Effect.gen(function* () {
    const world = yield* plantWorld()
    yield* (yield* DestinationStore).remove(world.destination.uuid)
    yield* refuses(createImage(world), ["destination_uuid"])
  }),
  "an application moves to another environment, by name or by uuid": Effect.gen(function* () {
    const world = yield* plantWorld()
    const staging = yield* (yield* EnvironmentStore).insert(newEnvironment(7, world.project, { name: "staging" }))
    const application = yield* createImage(world)
    yield* update(application.uuid, { environment_name: "STAGING" })
    assert.deepStrictEqual(yield* placeOf(application), placementOf(staging, world.destination))
    yield* update(application.uuid, { environment_uuid: world.environment.uuid })
    assert.deepStrictEqual(yield* placeOf(application), world.placement)
    const problems = { environment_name: world.environment.name, environment_uuid: staging.uuid }
    yield* refuses(update(application.uuid, problems), ["environment_name", "environment_uuid"])
  }),
  "an application moves to another project, to the environment with the same name by default": Effect.gen(function* () {
    const world = yield* plantWorld()
    const other = yield* plantWorld(2)
    const application = yield* createImage(world)
    yield* refuses(update(application.uuid, { project_uuid: other.project.uuid }), ["environment_name"])
    yield* update(application.uuid, { project_uuid: other.project.uuid, environment_uuid: other.environment.uuid })
    assert.deepStrictEqual(yield* placeOf(application), placementOf(other.environment, world.destination))
    const name = other.environment.name.toUpperCase()
    const namesake = yield* (yield* EnvironmentStore).insert(newEnvironment(7, world.project, { name }))
    yield* update(application.uuid, { project_uuid: world.project.uuid })
    assert.deepStrictEqual(yield* placeOf(application), placementOf(namesake, world.destination))
  }),
  "an application moves to another server, to its only destination by default": Effect.gen(function* () {
    const world = yield* plantWorld()
    const other = yield* plantWorld(2)
    const application = yield* createImage(world)
    yield* refuses(update(application.uuid, { destination_uuid: other.destination.uuid }), ["destination_uuid"])
    yield* update(application.uuid, { server_uuid: other.server.uuid })
    assert.deepStrictEqual(yield* placeOf(application), placementOf(world.environment, other.destination))
    const second = yield* (yield* DestinationStore).insert(newDestination(7, world.server))
    yield* refuses(update(application.uuid, { server_uuid: world.server.uuid }), ["destination_uuid"])
    yield* update(application.uuid, { server_uuid: world.server.uuid, destination_uuid: second.uuid })
    assert.deepStrictEqual(yield* placeOf(application), placementOf(world.environment, second))
  }),
  "an application is returned with the current name of its environment": Effect.gen(function* () {
    const world = yield* plantWorld()
    const application = yield* createImage(world)
    const input = { name: "renamed" }
    const { environment, project } = world
    yield* Environments.update(system("environment.update", { project, environment }), input)
    assert.strictEqual((yield* placeOf(application)).environmentName, "renamed")
    yield* update(application.uuid, { description: "and stays there" })
    assert.deepStrictEqual(yield* placeOf(application), { ...world.placement, environmentName: "renamed" })
  }),
  "a project and a server created through the API accept an application immediately": Effect.gen(function* () {
    const project = yield* Projects.create(system("project.create"), { name: "p", description: "" })
    const server = yield* Servers.create(system("server.create"), {
      ...Servers.serverDefaults,
      name: "s",
      ip: "10.0.0.1"
    })
    const application = yield* create("dockerimage", {
      project_uuid: project.uuid,
      environment_name: "production",
      server_uuid: server.uuid,
      docker_registry_image_name: "nginx"
    })
    assert.strictEqual((yield* placeOf(application)).environmentName, "production")
    assert.strictEqual(
      (yield* Effect.flip(Projects.remove(yield* systemOn("project.delete", { uuid: project.uuid }))))._tag,
      "InUse"
    )
    assert.strictEqual(
      (yield* Effect.flip(Servers.remove(yield* systemOn("server.delete", { uuid: server.uuid }))))._tag,
      "InUse"
    )
  }),
  "an environment and a destination are found only inside the given project and server (invariant I6)": Effect.gen(
    function* () {
      const world = yield* plantWorld()
      const other = yield* plantWorld(2)
      const wrong = { environment_uuid: other.environment.uuid, destination_uuid: other.destination.uuid }
      yield* refuses(createImage(world, wrong), ["destination_uuid", "environment_uuid"])
      const application = yield* createImage(world)
      yield* refuses(update(application.uuid, wrong), ["destination_uuid", "environment_uuid"])
    }
  )
} satisfies Readonly<Record<string, Case | Readonly<Record<string, Case>>>>
