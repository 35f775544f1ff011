import type { Entity, Window } from "@slipway/domain"
import {
  ApplicationNotFound,
  ApplicationStore,
  ServiceNotFound,
  ServiceStore,
  ServiceUuid
} from "@slipway/domain/deploy/apps"
import { ApplicationUuid } from "@slipway/domain/deploy/base"
import { BackupStore, DatabaseNotFound, DatabaseStore, DatabaseUuid, ownerOf } from "@slipway/domain/deploy/databases"
import { type TeamId, TeamStore } from "@slipway/domain/deploy/identity"
import {
  ForgeAppStore,
  ForgeAppUuid,
  GitlabAppStore,
  GitlabAppUuid,
  ServerStore,
  type ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { type Context, Effect, Schema } from "effect"

/** The parameters of a request path, by name. */
export type NamedInPath = Readonly<Record<string, string | undefined>>

interface Finder<Row extends Pick<Entity, "uuid">> {
  readonly find: (uuid: Row["uuid"]) => Effect.Effect<Row | undefined>
}

/** Finds a row by the uuid in a request path. An invalid uuid is reported like a missing row. */
export const by = <Id, Row extends Pick<Entity, "uuid">>(
  store: Context.Service<Id, Finder<Row>>,
  uuid: Schema.Codec<Row["uuid"], string>
) => {
  const isUuid = Schema.is(uuid)
  return (named: string | undefined): Effect.Effect<Row | undefined, never, Id> =>
    isUuid(named) ? Effect.flatMap(store, ({ find }) => find(named)) : Effect.undefined
}

/** Finds an application by the uuid in a path, including the applications that run services. */
export const findStored = by(ApplicationStore, ApplicationUuid)

/** Finds an application that is not part of a service. */
export const findApplication = (named: string | undefined) =>
  Effect.map(findStored(named), (found) => (found?.variant === "service" ? undefined : found))

/** Finds a service, together with the application that runs it. */
export const findService = Effect.fnUntraced(function* ({ uuid }: NamedInPath) {
  const service = yield* by(ServiceStore, ServiceUuid)(uuid)
  const application = service && (yield* findStored(service.uuid))
  return application && { service, application }
})

/** Finds a resource that belongs to a service, together with the service. */
export const ofService = Effect.fnUntraced(function* <Id, Row extends Pick<Entity, "uuid">>(
  store: Context.Service<
    Id,
    { readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Row>> }
  >,
  path: NamedInPath,
  named: string | undefined
) {
  const found = yield* findService(path)
  if (found === undefined) return yield* new ServiceNotFound()
  const row = (yield* (yield* store).ofApplication(found.application.uuid)).find((each) => each.uuid === named)
  return row && { ...found, row }
})

/** Finds a part of a service (an application or a database), by the path parameter that names it. */
export const findPart = Effect.fnUntraced(function* (path: NamedInPath) {
  const found = yield* findService(path)
  if (found === undefined) return yield* new ServiceNotFound()
  const { app_uuid: application, database_uuid: database } = path
  const type = application === undefined ? "database" : "application"
  const part = found.service.parts.find((each) => each.uuid === (application ?? database) && each.type === type)
  return part && { ...found, part }
})

/** Finds a database by the uuid in a path. */
export const findDatabase = by(DatabaseStore, DatabaseUuid)

/** Finds a resource that belongs to a database, together with the database. */
export const ofDatabase = Effect.fnUntraced(function* <Id, Row extends Pick<Entity, "uuid">>(
  store: Context.Service<Id, { readonly ofApplication: (owner: ApplicationUuid) => Effect.Effect<ReadonlyArray<Row>> }>,
  { uuid }: NamedInPath,
  named: string | undefined
) {
  const database = yield* findDatabase(uuid)
  if (database === undefined) return yield* new DatabaseNotFound()
  const row = (yield* (yield* store).ofApplication(ownerOf(database.uuid))).find((each) => each.uuid === named)
  return row && { database, row }
})

/** Finds a backup schedule, together with its database. */
export const findBackup = Effect.fnUntraced(function* ({ scheduled_backup_uuid: named, uuid }: NamedInPath) {
  const database = yield* findDatabase(uuid)
  if (database === undefined) return yield* new DatabaseNotFound()
  const backup = (yield* (yield* BackupStore).ofDatabase(database.uuid)).find((each) => each.uuid === named)
  return backup && { database, backup }
})

const rowNumber = /^[1-9][0-9]{0,14}$/

/** Finds a row by its numeric id or uuid. The two cannot be confused, because a uuid is longer than any numeric id. */
const byNumberOr = <Id, Row extends Entity>(
  store: Context.Service<Id, Finder<Row> & { readonly list: (window: Window) => Effect.Effect<ReadonlyArray<Row>> }>,
  uuid: Schema.Codec<Row["uuid"], string>
) => {
  const isUuid = Schema.is(uuid)
  return Effect.fnUntraced(function* (named = "") {
    const { find, list } = yield* store
    if (!rowNumber.test(named)) return isUuid(named) ? yield* find(named) : undefined
    const id = Number(named)
    const [found] = yield* list({ after: id - 1, limit: 1 })
    return found?.id === id ? found : undefined
  })
}

/** Finds a git-hosting app installation by its numeric id or uuid. */
export const findForgeApp = byNumberOr(ForgeAppStore, ForgeAppUuid)

/** Finds a GitLab app by its numeric id or uuid. */
export const findGitlabApp = byNumberOr(GitlabAppStore, GitlabAppUuid)

/** Finds a resource that belongs to an application, together with the application. */
export const ofApplication = Effect.fnUntraced(function* <Id, Row extends Pick<Entity, "uuid">>(
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

/** Wraps a found row in an object, under the property name that its resource type uses. */
export const one =
  <const Name extends string>(name: Name) =>
  <Row, E, R>(
    found: Effect.Effect<Row | undefined, E, R>
  ): Effect.Effect<{ readonly [N in Name]: Row } | undefined, E, R> =>
    Effect.map(found, (row) => (row === undefined ? undefined : ({ [name]: row } as { readonly [N in Name]: Row })))

/** Returns the place (team) of a server for access checks; undefined if the server was deleted. */
const placeOfServer = (uuid: ServerUuid) =>
  Effect.map(
    Effect.flatMap(ServerStore, ({ find }) => find(uuid)),
    (server) => server && { teamId: server.teamId }
  )

/** Adds the place of its server to a resource that has no application. */
export const withPlace = <Thing extends { readonly application?: unknown }, E, R>(
  found: Effect.Effect<Thing | undefined, E, R>,
  serverOf: (thing: Thing) => ServerUuid
) =>
  Effect.flatMap(found, (thing) =>
    thing === undefined || thing.application !== undefined
      ? Effect.succeed(thing)
      : Effect.map(placeOfServer(serverOf(thing)), (place) => ({ ...thing, place }))
  )

/** Adds the team to a resource that belongs to a team. */
export const withTeam = <Thing extends object, E, R>(
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

/** Finds a row together with its application. If the application was deleted, only the row is returned. */
export const withApplication =
  <const Name extends string>(name: Name) =>
  <Row extends { readonly applicationUuid: ApplicationUuid }, E, R>(found: Effect.Effect<Row | undefined, E, R>) =>
    Effect.flatMap(one(name)(found), (thing) =>
      thing === undefined
        ? Effect.undefined
        : Effect.map(findStored(thing[name].applicationUuid), (application) => ({ ...thing, application }))
    )
