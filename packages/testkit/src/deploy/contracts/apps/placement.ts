import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import {
  ApplicationStore,
  EnvironmentStore,
  type PlacementFacts,
  PlacementStore,
  ProjectStore,
  TagStore
} from "@slipway/domain/deploy/apps"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { rootTeam, TeamStore } from "@slipway/domain/deploy/identity"
import { DestinationStore, GitlabAppStore, RegistryStore, S3StorageStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import {
  newApplication,
  newDatabase,
  newDestination,
  newEnvironment,
  newProject,
  newS3Storage,
  newTag,
  uuidOf
} from "../../builders.ts"
import { newGitlabApp, newRegistry } from "../../credentials.ts"
import { kinds } from "../../kinds.ts"
import { newTeam } from "../../people.ts"
import { plantWorld } from "../../world.ts"

const nothing: PlacementFacts = {
  project: null,
  environmentByName: null,
  environmentByUuid: null,
  server: null,
  destinations: [],
  destination: null,
  privateKey: null,
  forgeApp: null
}

const queryOf = (text: string) => ({
  projectUuid: text,
  environmentName: text,
  environmentUuid: text,
  serverUuid: text,
  destinationUuid: text,
  privateKeyUuid: text,
  forgeAppUuid: text
})

/** Contract tests of the reader of placements (the environment, server and destination that a request names). */
export const placement: Contract<Stores> = {
  port: "PlacementStore",
  musts: {
    "return the ids of applications and of their placements by uuid": Effect.gen(function* () {
      const store = yield* PlacementStore
      const { destination, environment, forgeApp, placement, privateKey, project, server } = yield* plantWorld()
      const application = yield* (yield* ApplicationStore).insert(newApplication(1, placement))
      const all = [application, destination, environment, forgeApp, privateKey, server]
      const asked = [...all.map(({ uuid }) => uuid), project.uuid, uuidOf("server", 404), "", "\0", "\ud800"]
      const numbers = yield* store.numbers(asked)
      assert.deepStrictEqual(
        all.map(({ uuid }) => numbers.get(uuid)),
        all.map(({ id }) => id)
      )
      assert.strictEqual(numbers.size, all.length)
    }),
    "return the types and places of resources by uuid in one call, omitting missing ones": Effect.gen(function* () {
      const store = yield* PlacementStore
      const team = yield* (yield* TeamStore).insert(newTeam(1))
      const { destination, environment, forgeApp, placement, privateKey, project, server } = yield* plantWorld()
      const application = yield* (yield* ApplicationStore).insert(newApplication(1, placement))
      const runner = newApplication(2, placement, { variant: "service" })
      const service = yield* (yield* ApplicationStore).insert(runner)
      const database = yield* (yield* DatabaseStore).insert(newDatabase(1, placement))
      const tag = yield* (yield* TagStore).insert(newTag(1, { teamId: team.id }))
      const theirs = yield* (yield* ProjectStore).insert(newProject(2, { teamId: team.id }))
      const fenced = yield* (yield* EnvironmentStore).insert(
        newEnvironment(2, theirs, { isProtected: true, teamId: team.id })
      )
      const all = [application, service, database, environment, fenced, project, theirs, destination, server]
      const gitlabApp = yield* (yield* GitlabAppStore).insert(newGitlabApp(1))
      const registry = yield* (yield* RegistryStore).insert(newRegistry(1))
      const s3Storage = yield* (yield* S3StorageStore).insert(newS3Storage(1))
      const asked = [...all, privateKey, forgeApp, tag, gitlabApp, registry, s3Storage].map(
        ({ uuid }) => uuid as string
      )
      const places = yield* store.places([...asked, uuidOf("server", 404), "", "\0", "\ud800"])
      const nowhere = { project: undefined, environment: undefined, resource: undefined, isProtected: false }
      const inEnvironment = {
        teamId: rootTeam,
        project: project.uuid,
        environment: environment.uuid,
        isProtected: false
      }
      const ofRoot = { ...nowhere, teamId: rootTeam }
      assert.deepStrictEqual(
        asked.map((uuid) => places.get(uuid)),
        [
          { type: "application", place: { ...inEnvironment, resource: application.uuid } },
          { type: "service", place: { ...inEnvironment, resource: service.uuid } },
          { type: "database", place: { ...inEnvironment, resource: database.uuid } },
          { type: "environment", place: { ...inEnvironment, resource: undefined } },
          {
            type: "environment",
            place: { ...nowhere, teamId: team.id, project: theirs.uuid, environment: fenced.uuid, isProtected: true }
          },
          { type: "project", place: { ...ofRoot, project: project.uuid } },
          { type: "project", place: { ...nowhere, teamId: team.id, project: theirs.uuid } },
          { type: "destination", place: ofRoot },
          { type: "server", place: ofRoot },
          { type: "key", place: ofRoot },
          { type: "forgeApp", place: ofRoot },
          { type: "tag", place: { ...nowhere, teamId: team.id } },
          { type: "gitlabApp", place: ofRoot },
          { type: "registry", place: ofRoot },
          { type: "s3Storage", place: ofRoot }
        ]
      )
      assert.strictEqual(places.size, asked.length)
      assert.strictEqual((yield* store.places([])).size, 0)
    }),
    "return nothing for each missing resource": Effect.gen(function* () {
      const store = yield* PlacementStore
      const { destination, environment, forgeApp, privateKey, project, server } = yield* plantWorld()
      assert.deepStrictEqual(yield* store.facts({}), nothing)
      for (const text of ["", "\0", "\ud800", uuidOf("application", 1), project.uuid.toUpperCase()]) {
        assert.deepStrictEqual(yield* store.facts(queryOf(text)), nothing)
      }
      const known = {
        uuid: environment.uuid,
        projectUuid: project.uuid,
        name: environment.name,
        isProtected: false,
        teamId: rootTeam
      }
      const there = { uuid: destination.uuid, serverUuid: server.uuid, name: destination.name, teamId: rootTeam }
      const found: PlacementFacts = {
        project: { uuid: project.uuid, teamId: rootTeam },
        environmentByName: known,
        environmentByUuid: known,
        server: { uuid: server.uuid, teamId: rootTeam, name: server.name, ip: server.ip, wildcardDomain: null },
        destinations: [there],
        destination: there,
        privateKey: { uuid: privateKey.uuid, teamId: rootTeam },
        forgeApp: { uuid: forgeApp.uuid, teamId: rootTeam }
      }
      const query = {
        projectUuid: project.uuid,
        environmentName: environment.name,
        environmentUuid: environment.uuid,
        serverUuid: server.uuid,
        destinationUuid: destination.uuid,
        privateKeyUuid: privateKey.uuid,
        forgeAppUuid: forgeApp.uuid
      }
      assert.deepStrictEqual(yield* store.facts(query), found)
      for (const [name, fact] of [
        ["environmentUuid", "environmentByUuid"],
        ["environmentName", "environmentByName"],
        ["destinationUuid", "destination"],
        ["privateKeyUuid", "privateKey"],
        ["forgeAppUuid", "forgeApp"]
      ] as const) {
        assert.deepStrictEqual(yield* store.facts({ ...query, [name]: "nothing" }), { ...found, [fact]: null })
        assert.deepStrictEqual(yield* store.facts({ ...query, [name]: undefined }), { ...found, [fact]: null })
      }
      const withoutServer = { ...found, server: null, destinations: [] }
      assert.deepStrictEqual(yield* store.facts({ ...query, serverUuid: "nothing" }), withoutServer)
      const withoutProject = { ...found, project: null, environmentByName: null }
      assert.deepStrictEqual(yield* store.facts({ ...query, projectUuid: "nothing" }), withoutProject)
      const second = yield* (yield* DestinationStore).insert(newDestination(2, server))
      assert.deepStrictEqual(
        (yield* store.facts({ serverUuid: server.uuid })).destinations.map((each) => each.uuid),
        [destination.uuid, second.uuid]
      )
    }),
    "find an environment by name only in its project, ignoring case": Effect.gen(function* () {
      const store = yield* PlacementStore
      const projects = yield* ProjectStore
      const environments = yield* EnvironmentStore
      const one = yield* projects.insert(newProject(1))
      const other = yield* projects.insert(newProject(2))
      const mine = yield* environments.insert(newEnvironment(1, one, { name: "Straße" }))
      const theirs = yield* environments.insert(newEnvironment(2, other, { name: "STRASSE" }))
      const alone = yield* environments.insert(newEnvironment(3, other, { name: "alone" }))
      const named = (project: { readonly uuid: string }, environmentName: string) =>
        Effect.map(
          store.facts({ projectUuid: project.uuid, environmentName }),
          (facts) => facts.environmentByName?.uuid ?? null
        )
      for (const name of ["Straße", "strasse", "STRASSE"]) {
        assert.strictEqual(yield* named(one, name), mine.uuid)
        assert.strictEqual(yield* named(other, name), theirs.uuid)
      }
      assert.isNull(yield* named(one, "alone"))
      assert.isNull(yield* named(one, "stra_e"))
      assert.isNull(yield* named(one, alone.uuid))
      assert.isNull((yield* store.facts({ environmentName: "alone" })).environmentByName)
    }),
    "prevent the removal of the found resources until the running transaction ends": Object.fromEntries(
      (["project", "environment", "destination", "server", "privateKey", "forgeApp"] as const).map((kind) => [
        kind,
        Effect.gen(function* () {
          const transaction = yield* Transaction
          const store = yield* PlacementStore
          const applications = yield* ApplicationStore
          const world = yield* plantWorld()
          const { destination, environment, forgeApp, privateKey, project, server } = world
          const rival = yield* kinds[kind].store
          const query = {
            projectUuid: project.uuid,
            environmentName: environment.name,
            serverUuid: server.uuid,
            destinationUuid: destination.uuid,
            privateKeyUuid: privateKey.uuid,
            forgeAppUuid: forgeApp.uuid
          }
          const application = newApplication(1, world.placement, {
            privateKeyUuid: privateKey.uuid,
            forgeAppUuid: forgeApp.uuid
          })
          const [, refusal] = yield* runInTurn(
            applications.count,
            (held) =>
              transaction.run(
                store.facts(query).pipe(Effect.andThen(held), Effect.andThen(applications.insert(application)))
              ),
            Effect.flip(rival.remove(world[kind].uuid))
          )
          assert.strictEqual(refusal.by, "application")
          assert.strictEqual(yield* applications.count, 1)
        })
      ])
    )
  }
}
