import { decided, type Entity, nameKey } from "@slipway/domain"
import {
  ApplicationNotFound,
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
  VariableNotFound,
  VariableStore
} from "@slipway/domain/deploy/apps"
import { type ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  BackupNotFound,
  BackupRunNotFound,
  BackupStore,
  DatabaseNotFound,
  DatabaseStore,
  DatabaseUuid
} from "@slipway/domain/deploy/databases"
import type { LoadedThings, ResourceTypeName } from "@slipway/domain/deploy/entry"
import {
  type Action,
  type Caller,
  decideAccess,
  type KindOf,
  notAuthorized,
  presence,
  rowOf,
  system,
  systemCaller
} from "@slipway/domain/deploy/entry"
import {
  AccountNotFound,
  AccountStore,
  AccountUuid,
  TeamNotFound,
  TokenNotFound,
  TokenStore,
  TokenUuid
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
import { type Context, Effect, Result } from "effect"
import * as Teams from "../administration/teams/Teams.ts"
import { by, findApplication, findPart, findService, findStored, type NamedInPath, ofService } from "./finders.ts"

export type { NamedInPath } from "./finders.ts"

const findDatabase = by(DatabaseStore, DatabaseUuid)
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

/** Finds the owner of the shared variables that a path names; the team if it names none. */
const sharedOwner = Effect.fnUntraced(function* ({ environment: named, project_uuid, server_uuid }: NamedInPath) {
  const of = (scope: SharedOwner["scope"], owner: string, projectUuid?: ProjectUuid) => ({
    owner: { scope, owner } satisfies SharedOwner,
    projectUuid
  })
  if (server_uuid !== undefined) {
    const server = yield* by(ServerStore, ServerUuid)(server_uuid)
    return server === undefined ? yield* new ServerNotFound() : of("server", server.uuid)
  }
  if (project_uuid === undefined) return of("team", "")
  const project = yield* findProject(project_uuid)
  if (project === undefined) return yield* new ProjectNotFound()
  if (named === undefined) return of("project", project.uuid, project.uuid)
  const found = yield* environment(project.uuid, named)
  return found === undefined ? yield* new EnvironmentNotFound() : of("environment", found.uuid, project.uuid)
})

const findBackup = Effect.fnUntraced(function* ({ scheduled_backup_uuid: named, uuid }: NamedInPath) {
  const database = yield* findDatabase(uuid)
  if (database === undefined) return yield* new DatabaseNotFound()
  const backup = (yield* (yield* BackupStore).ofDatabase(database.uuid)).find((each) => each.uuid === named)
  return backup && { database, backup }
})

const forgeAppNumber = /^[1-9][0-9]{0,14}$/

/** Finds an installation by its number or uuid; a uuid is never such a short number. */
const findForgeApp = Effect.fnUntraced(function* (named = "") {
  if (!forgeAppNumber.test(named)) return yield* by(ForgeAppStore, ForgeAppUuid)(named)
  const id = Number(named)
  const [found] = yield* (yield* ForgeAppStore).list({ after: id - 1, limit: 1 })
  return found?.id === id ? found : undefined
})

const one =
  <const Name extends string>(name: Name) =>
  <Row, E, R>(
    found: Effect.Effect<Row | undefined, E, R>
  ): Effect.Effect<{ readonly [N in Name]: Row } | undefined, E, R> =>
    Effect.map(found, (row) => (row === undefined ? undefined : ({ [name]: row } as { readonly [N in Name]: Row })))

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
const kinds = {
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
    find: ({ uuid }: NamedInPath) => one("deletion")(by(DeletionStore, DeletionUuid)(uuid)),
    missing: () => new DeletionNotFound()
  },
  delivery: {
    find: ({ uuid }: NamedInPath) => withApplication("delivery")(by(DeliveryStore, DeliveryUuid)(uuid)),
    missing: () => new DeliveryNotFound()
  },
  deployment: {
    find: ({ uuid }: NamedInPath) => withApplication("deployment")(by(DeploymentStore, DeploymentUuid)(uuid)),
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
  key: {
    find: ({ uuid }: NamedInPath) => one("key")(by(PrivateKeyStore, PrivateKeyUuid)(uuid)),
    missing: () => new PrivateKeyNotFound()
  },
  project: {
    find: ({ uuid }: NamedInPath) => one("project")(findProject(uuid)),
    missing: () => new ProjectNotFound()
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
    find: Effect.fnUntraced(function* (named: NamedInPath) {
      const { owner, projectUuid } = yield* sharedOwner(named)
      const all = yield* (yield* SharedVariableStore).ofOwners([owner])
      const found = all.find(({ id, uuid }) => String(id) === named.env_id || uuid === named.env_id)
      return found && { sharedVariable: found, projectUuid }
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
    // Without a number, returns the team of the token in use; there is only one.
    find: ({ id }: NamedInPath) =>
      one("team")(
        Effect.map(Teams.list(system("teams.read")), ([team]) =>
          id === undefined || id === "current" || id === String(team.id) ? team : undefined
        )
      ),
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
    readonly find: (named: NamedInPath) => Effect.Effect<LoadedThings[K] | undefined, unknown, unknown>
    readonly missing: () => unknown
  }
}

type Kinds = typeof kinds
/** Reports that the resource of a path does not exist. */
export type PathResourceNotFound =
  | ReturnType<Kinds[keyof Kinds]["missing"]>
  | Effect.Error<ReturnType<Kinds[keyof Kinds]["find"]>>
/** The stores of the resources in paths. */
export type PathResourceStores = Effect.Services<ReturnType<Kinds[keyof Kinds]["find"]>>

interface KindRow {
  readonly find: (named: NamedInPath) => Effect.Effect<object | undefined, PathResourceNotFound, PathResourceStores>
  readonly missing: () => PathResourceNotFound
}

const platform: Pick<KindRow, "find"> = { find: () => Effect.succeed({}) }

/**
 * Loads the resource of a path and authorizes an action on it; returns the proof or fails with the reason.
 *
 * Checks the token's ability first, then that the resource exists, before it reads anything else of the request.
 */
export const authorizeNamed = Effect.fnUntraced(function* <A extends Action>(
  caller: Caller,
  action: A,
  named: NamedInPath
) {
  const { on } = rowOf(action)
  const kind: Pick<KindRow, "find"> & Partial<KindRow> = on === "platform" ? platform : kinds[on]
  const found = yield* Effect.result(kind.find(named))
  const thing = Result.getOrUndefined(found)
  const decision = decideAccess(caller, action, thing as LoadedThings[KindOf<A>] | undefined)
  yield* decided(action, decision, Effect.void)
  if (decision.allowed) return decision
  if (decision.check !== presence.id || kind.missing === undefined) return yield* notAuthorized(action)
  return yield* Effect.fail(Result.isFailure(found) ? found.failure : kind.missing())
})

/** Returns the proof that the platform may perform an action on its own behalf on a named resource. */
export const systemOn = <A extends Action>(action: A, named: NamedInPath) =>
  Effect.catchTag(authorizeNamed(systemCaller, action, named), "NotAuthorized", Effect.die)
