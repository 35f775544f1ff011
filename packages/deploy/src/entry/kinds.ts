import { type Entity, nameKey } from "@slipway/domain"
import {
  ApplicationNotFound,
  type Deletion,
  DeletionNotFound,
  DeletionStore,
  DeletionUuid,
  DeliveryNotFound,
  DeliveryStore,
  DeliveryUuid,
  DeploymentNotFound,
  DeploymentStore,
  EnvironmentNotFound,
  EnvironmentStore,
  ProjectNotFound,
  ProjectStore,
  ProjectUuid,
  ScheduledTaskNotFound,
  ScheduledTaskStore,
  ServiceNotFound,
  ServicePartNotFound,
  type SharedOwner,
  SharedVariableNotFound,
  SharedVariableStore,
  StorageNotFound,
  StorageStore,
  TagNotFound,
  TagStore,
  TagUuid,
  teamOwner,
  VariableNotFound,
  VariableStore
} from "@slipway/domain/deploy/apps"
import { type ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { BackupNotFound, BackupRunNotFound, BackupStore, DatabaseNotFound } from "@slipway/domain/deploy/databases"
import type { Caller, LoadedThings, ResourceTypeName } from "@slipway/domain/deploy/entry"
import {
  AccountNotFound,
  AccountStore,
  AccountUuid,
  GrantNotFound,
  GrantStore,
  GrantUuid,
  InvitationNotFound,
  InvitationStore,
  InvitationUuid,
  type Place,
  RoleNotFound,
  RoleStore,
  RoleUuid,
  TeamId,
  TeamNotFound,
  TeamStore,
  TokenNotFound,
  TokenStore,
  TokenUuid,
  teamOf
} from "@slipway/domain/deploy/identity"
import {
  DestinationNotFound,
  DestinationStore,
  DestinationUuid,
  ForgeAppNotFound,
  ForgeAppStore,
  ForgeAppUuid,
  ForgeConnectionNotFound,
  isConnected,
  PrivateKeyNotFound,
  PrivateKeyStore,
  PrivateKeyUuid,
  S3StorageNotFound,
  S3StorageStore,
  S3StorageUuid,
  ServerNotFound,
  ServerStore,
  ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { type Context, Effect } from "effect"
import * as Teams from "../administration/teams/Teams.ts"
import {
  by,
  findApplication,
  findBackup,
  findDatabase,
  findForgeApp,
  findPart,
  findService,
  findStored,
  type NamedInPath,
  ofService
} from "./finders.ts"

const findProject = by(ProjectStore, ProjectUuid)
const findDestination = by(DestinationStore, DestinationUuid)

/** Finds a resource that belongs to an application. */
const ofApplication = Effect.fnUntraced(function* <Id, Row extends Pick<Entity, "uuid">>(
  store: Context.Service<
    Id,
    { readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Row>> }
  >,
  { uuid }: NamedInPath,
  named: string | undefined
) {
  const application = yield* findApplication(uuid)
  if (application === undefined) return yield* new ApplicationNotFound()
  const row = (yield* (yield* store).ofApplication(application.uuid)).find((each) => each.uuid === named)
  return row && { application, row }
})

const environment = Effect.fnUntraced(function* (project: ProjectUuid, nameOrUuid: string) {
  const all = yield* (yield* EnvironmentStore).ofProject(project)
  const name = nameKey(nameOrUuid)
  return all.find((each) => each.uuid === nameOrUuid) ?? all.find((each) => nameKey(each.name) === name)
})

/** Finds the owner of the shared variables that a path names; the team of the caller if it names none. */
const sharedOwner = Effect.fnUntraced(function* (
  { environment: named, project_uuid, server_uuid }: NamedInPath,
  { access }: Caller
) {
  const of = (owner: SharedOwner, place: Place) => ({ owner, place })
  if (server_uuid !== undefined) {
    const server = yield* by(ServerStore, ServerUuid)(server_uuid)
    if (server === undefined) return yield* new ServerNotFound()
    return of({ scope: "server", owner: server.uuid }, { teamId: server.teamId })
  }
  if (project_uuid === undefined) return of(teamOwner(teamOf(access)), { teamId: teamOf(access) })
  const project = yield* findProject(project_uuid)
  if (project === undefined) return yield* new ProjectNotFound()
  const inProject = { teamId: project.teamId, project: project.uuid }
  if (named === undefined) return of({ scope: "project", owner: project.uuid }, inProject)
  const found = yield* environment(project.uuid, named)
  if (found === undefined) return yield* new EnvironmentNotFound()
  const { isProtected, uuid } = found
  return of({ scope: "environment", owner: uuid }, { ...inProject, environment: uuid, isProtected })
})

const one =
  <const Name extends string>(name: Name) =>
  <Row, E, R>(
    found: Effect.Effect<Row | undefined, E, R>
  ): Effect.Effect<{ readonly [N in Name]: Row } | undefined, E, R> =>
    Effect.map(found, (row) => (row === undefined ? undefined : ({ [name]: row } as { readonly [N in Name]: Row })))

/** Returns the team of a server as a place; undefined after its deletion. */
const placeOfServer = (uuid: ServerUuid) =>
  Effect.map(
    Effect.flatMap(ServerStore, ({ find }) => find(uuid)),
    (server) => server && { teamId: server.teamId }
  )

/** Adds the place of its server to a resource without an application. */
const withPlace = <Thing extends { readonly application?: unknown }, E, R>(
  found: Effect.Effect<Thing | undefined, E, R>,
  serverOf: (thing: Thing) => ServerUuid
) =>
  Effect.flatMap(found, (thing) =>
    thing === undefined || thing.application !== undefined
      ? Effect.succeed(thing)
      : Effect.map(placeOfServer(serverOf(thing)), (place) => ({ ...thing, place }))
  )

/** Adds its team to a resource of a team. */
const withTeam = <Thing extends object, E, R>(
  found: Effect.Effect<Thing | undefined, E, R>,
  teamIdOf: (thing: Thing) => TeamId
) =>
  Effect.flatMap(found, (thing) =>
    thing === undefined
      ? Effect.undefined
      : Effect.map(
          Effect.flatMap(TeamStore, ({ find }) => find(teamIdOf(thing))),
          (team) => team && { ...thing, team }
        )
  )

const teamNumber = /^(?:0|[1-9][0-9]{0,14})$/

/** Finds a row together with its application, unless the application is deleted. */
const withApplication =
  <const Name extends string>(name: Name) =>
  <Row extends { readonly applicationUuid: ApplicationUuid }, E, R>(found: Effect.Effect<Row | undefined, E, R>) =>
    Effect.flatMap(one(name)(found), (thing) =>
      thing === undefined
        ? Effect.undefined
        : Effect.map(findStored(thing[name].applicationUuid), (application) => ({ ...thing, application }))
    )

/** How each resource type is found by its path parameters, and the error if it is missing. */
export const kinds = {
  account: {
    find: ({ uuid }: NamedInPath) => one("account")(by(AccountStore, AccountUuid)(uuid)),
    missing: () => new AccountNotFound()
  },
  application: {
    find: ({ uuid }: NamedInPath) => one("application")(findApplication(uuid)),
    missing: () => new ApplicationNotFound()
  },
  applicationTag: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofApplication(TagStore, named, named.tag),
        (found) => found && { application: found.application, tag: found.row }
      ),
    missing: () => new TagNotFound()
  },
  database: {
    find: ({ uuid }: NamedInPath) => one("database")(findDatabase(uuid)),
    missing: () => new DatabaseNotFound()
  },
  databaseBackupRun: {
    find: Effect.fnUntraced(function* ({ execution_uuid: named, ...path }: NamedInPath) {
      const found = yield* findBackup(path)
      if (found === undefined) return yield* new BackupNotFound()
      const run = (yield* (yield* BackupStore).executions(found.backup.uuid)).find((each) => each.uuid === named)
      return run && { ...found, run }
    }),
    missing: () => new BackupRunNotFound()
  },
  databaseBackup: {
    find: findBackup,
    missing: () => new BackupNotFound()
  },
  deletion: {
    find: ({ uuid }: NamedInPath) =>
      withPlace<{ readonly deletion: Deletion; readonly application?: unknown }, never, DeletionStore>(
        one("deletion")(by(DeletionStore, DeletionUuid)(uuid)),
        ({ deletion }) => deletion.serverUuid
      ),
    missing: () => new DeletionNotFound()
  },
  delivery: {
    find: ({ uuid }: NamedInPath) => withApplication("delivery")(by(DeliveryStore, DeliveryUuid)(uuid)),
    missing: () => new DeliveryNotFound()
  },
  deployment: {
    find: ({ uuid }: NamedInPath) =>
      withPlace(
        withApplication("deployment")(by(DeploymentStore, DeploymentUuid)(uuid)),
        ({ deployment }) => deployment.serverUuid
      ),
    missing: () => new DeploymentNotFound()
  },
  destination: {
    find: ({ destination, uuid: server }: NamedInPath) =>
      one("destination")(
        Effect.map(findDestination(destination), (found) =>
          server === undefined || found?.serverUuid === server ? found : undefined
        )
      ),
    missing: () => new DestinationNotFound()
  },
  environment: {
    find: Effect.fnUntraced(function* ({ environment: named = "", uuid }: NamedInPath) {
      const project = yield* findProject(uuid)
      if (project === undefined) return yield* new ProjectNotFound()
      const found = yield* environment(project.uuid, named)
      return found && { project, environment: found }
    }),
    missing: () => new EnvironmentNotFound()
  },
  forgeApp: {
    find: ({ github_app_id, uuid }: NamedInPath) => one("forgeApp")(findForgeApp(github_app_id ?? uuid)),
    missing: () => new ForgeAppNotFound()
  },
  forgeConnection: {
    find: ({ uuid }: NamedInPath) =>
      one("forgeConnection")(
        Effect.map(by(ForgeAppStore, ForgeAppUuid)(uuid), (found) =>
          found !== undefined && isConnected(found) ? found : undefined
        )
      ),
    missing: () => new ForgeConnectionNotFound()
  },
  grant: {
    find: ({ grant }: NamedInPath) =>
      withTeam(one("grant")(by(GrantStore, GrantUuid)(grant)), (found) => found.grant.teamId),
    missing: () => new GrantNotFound()
  },
  invitation: {
    find: ({ invitation }: NamedInPath) =>
      withTeam(one("invitation")(by(InvitationStore, InvitationUuid)(invitation)), (found) => found.invitation.teamId),
    missing: () => new InvitationNotFound()
  },
  key: {
    find: ({ uuid }: NamedInPath) => one("key")(by(PrivateKeyStore, PrivateKeyUuid)(uuid)),
    missing: () => new PrivateKeyNotFound()
  },
  project: {
    find: ({ uuid }: NamedInPath) => one("project")(findProject(uuid)),
    missing: () => new ProjectNotFound()
  },
  // No path names a placement: use cases decide on those of request bodies.
  placement: { find: () => Effect.undefined, missing: () => new EnvironmentNotFound() },
  role: {
    find: ({ role }: NamedInPath) => withTeam(one("role")(by(RoleStore, RoleUuid)(role)), (found) => found.role.teamId),
    missing: () => new RoleNotFound()
  },
  s3Storage: {
    find: ({ uuid }: NamedInPath) => one("s3Storage")(by(S3StorageStore, S3StorageUuid)(uuid)),
    missing: () => new S3StorageNotFound()
  },
  server: {
    find: ({ uuid }: NamedInPath) => one("server")(by(ServerStore, ServerUuid)(uuid)),
    missing: () => new ServerNotFound()
  },
  service: {
    find: findService,
    missing: () => new ServiceNotFound()
  },
  servicePart: { find: findPart, missing: () => new ServicePartNotFound() },
  serviceStorage: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofService(StorageStore, named, named.storage_uuid),
        (found) => found && { ...found, storage: found.row }
      ),
    missing: () => new StorageNotFound()
  },
  serviceTag: {
    find: (named: NamedInPath) =>
      Effect.map(ofService(TagStore, named, named.tag), (found) => found && { ...found, tag: found.row }),
    missing: () => new TagNotFound()
  },
  serviceTask: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofService(ScheduledTaskStore, named, named.task_uuid),
        (found) => found && { ...found, task: found.row }
      ),
    missing: () => new ScheduledTaskNotFound()
  },
  serviceVariable: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofService(VariableStore, named, named.env_uuid),
        (found) => found && { ...found, variable: found.row }
      ),
    missing: () => new VariableNotFound()
  },
  sharedOwner: { find: sharedOwner, missing: () => new SharedVariableNotFound() },
  sharedVariable: {
    // Also by its numeric id, as Coolify's clients name it.
    find: Effect.fnUntraced(function* (named: NamedInPath, caller: Caller) {
      const { owner, place } = yield* sharedOwner(named, caller)
      const all = yield* (yield* SharedVariableStore).ofOwners([owner])
      const found = all.find(({ id, uuid }) => String(id) === named.env_id || uuid === named.env_id)
      return found && { sharedVariable: found, place }
    }),
    missing: () => new SharedVariableNotFound()
  },
  storage: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofApplication(StorageStore, named, named.storage_uuid),
        (found) => found && { application: found.application, storage: found.row }
      ),
    missing: () => new StorageNotFound()
  },
  tag: {
    find: ({ tag }: NamedInPath) => one("tag")(by(TagStore, TagUuid)(tag)),
    missing: () => new TagNotFound()
  },
  task: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofApplication(ScheduledTaskStore, named, named.task_uuid),
        (found) => found && { application: found.application, task: found.row }
      ),
    missing: () => new ScheduledTaskNotFound()
  },
  team: {
    // Without a number, returns the team of the caller.
    find: ({ id }: NamedInPath, { access }: Caller) =>
      id === undefined || id === "current"
        ? one("team")(Teams.find(teamOf(access)))
        : teamNumber.test(id)
          ? one("team")(Teams.find(TeamId.make(Number(id))))
          : Effect.undefined,
    missing: () => new TeamNotFound()
  },
  token: {
    find: ({ uuid }: NamedInPath) => one("token")(by(TokenStore, TokenUuid)(uuid)),
    missing: () => new TokenNotFound()
  },
  variable: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofApplication(VariableStore, named, named.env_uuid),
        (found) => found && { application: found.application, variable: found.row }
      ),
    missing: () => new VariableNotFound()
  }
} satisfies {
  readonly [K in Exclude<ResourceTypeName, "platform">]: {
    readonly find: (named: NamedInPath, caller: Caller) => Effect.Effect<LoadedThings[K] | undefined, unknown, unknown>
    readonly missing: () => unknown
  }
}
