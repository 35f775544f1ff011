import { assert } from "@effect/vitest"
import type { Entity } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { builtInRoles } from "@slipway/domain/deploy/access"
import {
  ApplicationStore,
  DeletionStore,
  DeploymentStore,
  EnvironmentStore,
  ProjectStore,
  ServiceStore,
  TagStore
} from "@slipway/domain/deploy/apps"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { type Action, type Caller, systemCaller, visibleTo } from "@slipway/domain/deploy/entry"
import {
  type Access,
  everything,
  type GrantPlace,
  type HeldGrant,
  ownerAccess,
  type Place,
  rootTeam,
  sees,
  type TeamId,
  TeamStore,
  TokenStore,
  type VisibleCollection
} from "@slipway/domain/deploy/identity"
import { DestinationStore, ForgeAppStore, PrivateKeyStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { type Context, Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import {
  newApplication,
  newDatabase,
  newDeletion,
  newDeployment,
  newDestination,
  newEnvironment,
  newForgeApp,
  newPrivateKey,
  newProject,
  newServer,
  newService,
  newTag,
  newToken,
  placementOf
} from "../../builders.ts"
import { newTeam } from "../../people.ts"

/**
 * Stores the resources of one team, and adds their places to `places`. One of its two projects has a protected
 * environment and an unprotected one.
 */
const plantTeam = Effect.fnUntraced(function* (teamId: TeamId, n: number, places: Map<string, Place>) {
  const projects = yield* ProjectStore
  const environments = yield* EnvironmentStore
  const server = yield* (yield* ServerStore).insert(newServer(n, { teamId }))
  const destination = yield* (yield* DestinationStore).insert(newDestination(n, server))
  const key = yield* (yield* PrivateKeyStore).insert(newPrivateKey(n, { teamId }))
  const forgeApp = yield* (yield* ForgeAppStore).insert(newForgeApp(n, key, { teamId }))
  const tag = yield* (yield* TagStore).insert(newTag(n, { teamId, name: "same" }))
  const token = yield* (yield* TokenStore).insert(newToken(n, { teamId }))
  for (const { uuid } of [server, destination, key, forgeApp, tag, token]) places.set(uuid, { teamId })
  const planted: Array<string> = []
  for (const [at, isProtected] of [
    [0, false],
    [1, true],
    [2, false]
  ] as const) {
    const m = n * 10 + at
    const project =
      at === 2
        ? ((yield* projects.find(planted[0] as never)) ?? assert.fail("no project"))
        : yield* projects.insert(newProject(m, { teamId }))
    const environment = yield* environments.insert(newEnvironment(m, project, { isProtected }))
    const placement = placementOf(environment, destination)
    const application = yield* (yield* ApplicationStore).insert(newApplication(m, placement))
    const database = yield* (yield* DatabaseStore).insert(newDatabase(m, placement))
    const service = yield* (yield* ServiceStore).insert(newService(m, placement))
    const target = {
      applicationUuid: application.uuid,
      serverUuid: server.uuid,
      destinationUuid: destination.uuid
    }
    const deployment = yield* (yield* DeploymentStore).insert(newDeployment(m, target))
    yield* (yield* TagStore).attach(application.uuid, [tag.uuid])
    planted.push(project.uuid, environment.uuid, application.uuid, database.uuid, service.uuid)
    const inEnvironment = { teamId, project: project.uuid, environment: environment.uuid, isProtected }
    places.set(project.uuid, { teamId, project: project.uuid })
    places.set(environment.uuid, inEnvironment)
    for (const { uuid } of [application, database, service]) places.set(uuid, { ...inEnvironment, resource: uuid })
    places.set(deployment.uuid, { ...inEnvironment, resource: application.uuid })
  }
  // An application that no longer exists leaves a deployment and a deletion on its server.
  const gone = {
    applicationUuid: `gone${"0".repeat(19)}${n}` as never,
    serverUuid: server.uuid,
    destinationUuid: destination.uuid
  }
  const former = yield* (yield* DeploymentStore).insert(newDeployment(n * 10 + 5, gone))
  const deletion = yield* (yield* DeletionStore).insert(newDeletion(n * 10 + 5, gone))
  for (const { uuid } of [former, deletion]) places.set(uuid, { teamId })
  return planted
})

const lists: ReadonlyArray<readonly [Action, Context.Service<Stores, VisibleCollection<Entity>>]> = [
  ["application.read", ApplicationStore],
  ["database.read", DatabaseStore],
  ["deletion.read", DeletionStore],
  ["deployment.read", DeploymentStore],
  ["destination.read", DestinationStore],
  ["environment.read", EnvironmentStore],
  ["forgeApp.read", ForgeAppStore],
  ["key.read", PrivateKeyStore],
  ["project.read", ProjectStore],
  ["server.read", ServerStore],
  ["service.read", ServiceStore],
  ["tag.read", TagStore],
  ["token.read", TokenStore]
  // BOUNDARY: the lists differ only in the type of their rows.
] as unknown as ReadonlyArray<readonly [Action, Context.Service<Stores, VisibleCollection<Entity>>]>

const callerWith = (access: Access): Caller => ({
  tokenUuid: "t",
  abilities: ["read", "root"],
  accountUuid: null,
  access
})

/** Contract tests of lists that contain only the rows that a caller can see. */
export const visible: Contract<Stores> = {
  port: "VisibleCollection",
  musts: {
    "list and count exactly the rows that a caller sees, in the order of insertion": Effect.gen(function* () {
      const places = new Map<string, Place>()
      const other = yield* (yield* TeamStore).insert(newTeam(1))
      const mine = yield* plantTeam(rootTeam, 1, places)
      const theirs = yield* plantTeam(other.id, 2, places)
      const [project, , application] = mine
      const [, environment, , database, service] = theirs.slice(5)
      const held = (
        teamId: TeamId,
        placeType: GrantPlace,
        placeUuid: string | undefined,
        role: keyof typeof builtInRoles
      ): HeldGrant => ({ teamId, placeType, placeUuid: placeUuid ?? null, capabilities: builtInRoles[role] })
      const access = (teams: ReadonlyArray<TeamId>, ...grants: ReadonlyArray<HeldGrant>): Access => ({
        teamId: teams[0] ?? rootTeam,
        teams,
        grants,
        projects: null
      })
      const callers: ReadonlyArray<Caller> = [
        systemCaller,
        callerWith(ownerAccess(rootTeam)),
        callerWith(ownerAccess(other.id)),
        callerWith(ownerAccess(rootTeam, [project ?? ""])),
        callerWith(access([])),
        callerWith(access([rootTeam])),
        callerWith(access([rootTeam], held(rootTeam, "project", project, "viewer"))),
        callerWith(access([rootTeam], held(rootTeam, "application", application, "developer"))),
        callerWith(access([other.id], held(other.id, "environment", environment, "deployer"))),
        callerWith(access([other.id], held(other.id, "database", database, "viewer"))),
        callerWith(
          access(
            [rootTeam, other.id],
            held(other.id, "service", service, "viewer"),
            held(rootTeam, "team", undefined, "viewer")
          )
        ),
        { ...callerWith(ownerAccess(rootTeam)), abilities: ["deploy"] }
      ]
      let seen = 0
      for (const [action, key] of lists) {
        const store = yield* key
        const all = yield* store.list({ limit: 1_000 })
        for (const caller of callers) {
          const visible = visibleTo(caller, action)
          const isSeen = sees(visible)
          const wanted = all.filter(({ uuid }) => visible === everything || isSeen(places.get(uuid)))
          seen += wanted.length
          const found = yield* store.listVisible(visible, { limit: 1_000 })
          assert.deepStrictEqual(found, wanted, `${action} ${JSON.stringify(caller.access)}`)
          assert.strictEqual(yield* store.countVisible(visible), wanted.length)
          assert.deepStrictEqual(yield* store.listVisible(visible, { skip: 1, limit: 1 }), wanted.slice(1, 2))
          const after = wanted[0]?.id
          assert.deepStrictEqual(
            yield* store.listVisible(visible, { after, limit: 9 }),
            after === undefined ? [] : wanted.slice(1, 10)
          )
          assert.deepStrictEqual(yield* store.listVisible(visible, { limit: 0 }), [])
        }
      }
      assert.isAbove(seen, 100)
      const applications = yield* ApplicationStore
      for (const caller of callers) {
        const visible = visibleTo(caller, "application.read")
        const wanted = yield* applications.listVisible(visible, { limit: 100 })
        assert.deepStrictEqual(yield* applications.tagged("SAME", { limit: 100 }, visible), wanted)
        assert.strictEqual(yield* applications.countTagged("same", visible), wanted.length)
        for (const tag of [undefined, "same"]) {
          const filter = { repository: { _tag: "Name", key: "owner/repository" }, tag } as const
          assert.deepStrictEqual(yield* applications.builtFrom(filter, { limit: 100 }, visible), wanted)
          assert.strictEqual(yield* applications.countBuiltFrom(filter, visible), wanted.length)
        }
      }
    }),
    "list the root team alone like every team": Effect.gen(function* () {
      const places = new Map<string, Place>()
      yield* plantTeam(rootTeam, 1, places)
      for (const [action, key] of lists) {
        const store = yield* key
        const visible = visibleTo(callerWith(ownerAccess(rootTeam)), action)
        assert.deepStrictEqual(yield* store.listVisible(visible, { limit: 100 }), yield* store.list({ limit: 100 }))
        assert.strictEqual(yield* store.countVisible(visible), yield* store.count)
      }
    })
  }
}
