import {
  DatabaseMoves,
  DatabaseStatus,
  Databases,
  hostsOf,
  readSsl,
  revealCredentials,
  showDatabase
} from "@slipway/deploy/databases"
import { Cleanups } from "@slipway/deploy/infrastructure"
import { readLogs } from "@slipway/deploy/runtime"
import { limitFields } from "@slipway/domain/deploy/containers"
import { type Database, DatabaseKinds, sslModeOf } from "@slipway/domain/deploy/databases"
import { authorize, type Caller } from "@slipway/domain/deploy/entry"
import { Effect, Option } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type DatabaseChange, DatabasesApi } from "../../../api/deploy/databases/databases.ts"
import { answerList } from "../../lists.ts"
import { createdIn, withLocation } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { deletionFlagsOf, isSet } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { definedFields, moveAnswer, stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(DatabasesApi).prefix("/api/v1") {}

type Change = (typeof DatabaseChange)["Type"]

/** Returns the fields of a body for which `isMeant` returns true; it gets the name of the field. */
const picked = (body: object, isMeant: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => isMeant(name)))

const isLimit = (name: string) => (limitFields as ReadonlyArray<string>).includes(name)
const isOfKind = (name: string) => Object.hasOwn(DatabaseKinds.kindFields, name)

const inputOf = (body: Change): Databases.DatabaseInput => ({
  ...picked(body, (name) => name === "name" || name === "description" || name === "image"),
  ...(body.is_public === undefined ? {} : { isPublic: body.is_public }),
  ...(body.public_port === undefined ? {} : { publicPort: body.public_port }),
  limits: picked(body, isLimit),
  health: definedFields({
    isEnabled: body.health_check_enabled,
    interval: body.health_check_interval,
    timeout: body.health_check_timeout,
    retries: body.health_check_retries,
    startPeriod: body.health_check_start_period
  }),
  ssl: definedFields({ isEnabled: body.enable_ssl, mode: body.ssl_mode }),
  fields: picked(body, isOfKind)
})

/** Converts databases to API responses, with their secrets if the caller has permission to see them. */
const showAllTo = (caller: Caller, wordOf: (database: Database) => string = DatabaseStatus.storedWordOf) =>
  Effect.fnUntraced(function* (databases: ReadonlyArray<Database>) {
    const hosts = yield* hostsOf(databases)
    return yield* Effect.forEach(databases, (database) =>
      Effect.gen(function* () {
        const secrets = yield* Effect.option(authorize(caller, "database.secrets", { database }))
        const shown = yield* showDatabase(database, hosts, Option.getOrUndefined(secrets))
        const { placement } = database
        return {
          ...shown.fields,
          ...stampsOf(database),
          name: database.name,
          description: database.description,
          database_type: `standalone-${database.kind}` as const,
          status: wordOf(database),
          reason: database.reason ?? database.unhealthy,
          image: database.image,
          is_public: database.isPublic,
          public_port: database.publicPort,
          health_check_enabled: database.health.isEnabled,
          health_check_interval: database.health.interval,
          health_check_timeout: database.health.timeout,
          health_check_retries: database.health.retries,
          health_check_start_period: database.health.startPeriod,
          enable_ssl: database.ssl.isEnabled,
          ssl_mode: sslModeOf(database),
          ssl_certificate_expires_at: database.certificateExpiresAt,
          internal_db_url: shown.internalAddress,
          external_db_url: shown.externalAddress,
          project_uuid: placement.projectUuid,
          environment_uuid: placement.environmentUuid,
          environment_name: placement.environmentName,
          server_uuid: placement.serverUuid,
          destination_uuid: placement.destinationUuid,
          ...database.limits
        }
      })
    )
  })

const showTo = Effect.fnUntraced(function* (caller: Caller, database: Database, word: string) {
  const [shown] = yield* showAllTo(caller, () => word)([database])
  // INVARIANT: one result for one database.
  return shown as NonNullable<typeof shown>
})

const create =
  (kind: DatabaseKinds.DatabaseKind) =>
  ({ payload }: { readonly payload: CreationBody }) =>
    toHttpErrors(
      Effect.gen(function* () {
        const proof = yield* granted("database.create")
        const where = {
          projectUuid: payload.project_uuid,
          serverUuid: payload.server_uuid,
          environmentName: payload.environment_name,
          environmentUuid: payload.environment_uuid || undefined,
          destinationUuid: payload.destination_uuid
        }
        const isStarted = payload.instant_deploy ?? false
        const tags = payload.tags ?? []
        const database = yield* Databases.create(proof, kind, inputOf(payload), where, isStarted, { tags })
        return createdIn("/api/v1/databases", database)
      })
    )

type CreationBody = Change & {
  readonly project_uuid: string
  readonly server_uuid: string
  readonly environment_name?: string
  readonly environment_uuid?: string
  readonly destination_uuid?: string
  readonly instant_deploy?: boolean
  readonly tags?: ReadonlyArray<string>
}

const ask = (act: typeof Databases.start, message: string) => () =>
  toHttpErrors(
    Effect.gen(function* () {
      yield* act(yield* granted("database.deploy"))
      return { message }
    })
  )

const defaultLines = 100

/** The handlers of databases. */
export const layerDatabases = HttpApiBuilder.group(Api, "databases", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("database.list")
        return yield* answerList(query, {
          page: (request) => Databases.list(proof, request),
          all: Databases.stream(proof),
          show: showAllTo(proof.resource.caller)
        })
      }),
    "create-postgresql": create("postgresql"),
    "create-mysql": create("mysql"),
    "create-mariadb": create("mariadb"),
    "create-redis": create("redis"),
    "create-mongodb": create("mongodb"),
    "create-keydb": create("keydb"),
    "create-dragonfly": create("dragonfly"),
    "create-clickhouse": create("clickhouse"),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.read")
          const { caller, database } = proof.resource
          return yield* showTo(caller, database, yield* DatabaseStatus.read(proof))
        })
      ),
    revealCredentials: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const { externalAddress, internalAddress } = yield* revealCredentials(yield* granted("database.secrets"))
          return { internal_db_url: internalAddress, external_db_url: externalAddress }
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.update")
          const database = yield* Databases.update(proof, inputOf(payload))
          return yield* showTo(proof.resource.caller, database, DatabaseStatus.storedWordOf(database))
        })
      ),
    delete: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.delete")
          // Irreplaceable data is only deleted on explicit request.
          const deletion = yield* Databases.remove(proof, deletionFlagsOf(query, isSet))
          return withLocation(`/api/v1/deletions/${deletion.uuid}`, { message: "Database deletion request queued." })
        })
      ),
    readSsl: () =>
      toHttpErrors(
        Effect.map(Effect.flatMap(granted("database.read"), readSsl), (ssl) => ({
          is_ssl_supported: ssl.isSupported,
          ssl_modes: ssl.modes,
          enable_ssl: ssl.isEnabled,
          ssl_mode: ssl.mode,
          ca_certificate: ssl.authority?.certificate ?? null,
          ca_certificate_expires_at: ssl.authority?.expiresAt ?? null,
          certificate_expires_at: ssl.certificateExpiresAt
        }))
      ),
    move: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.update")
          return moveAnswer("Database moved.", yield* Databases.move(proof, payload.environment_uuid))
        })
      ),
    migrate: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.update")
          const { uuid } = yield* DatabaseMoves.migrate(proof, payload.destination_uuid)
          return { message: "Database migrated; its next start uses the new destination.", uuid: uuid as string }
        })
      ),
    clone: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.clone")
          const { destination_uuid: destinationUuid, name } = payload
          return createdIn("/api/v1/databases", yield* DatabaseMoves.clone(proof, { destinationUuid, name }))
        })
      ),
    start: ask(Databases.start, "Database starting request queued."),
    stop: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.deploy")
          const stop = Databases.stop(proof)
          yield* isSet(query.docker_cleanup) ? Cleanups.withStop(proof, stop) : stop
          return { message: "Database stopping request queued." }
        })
      ),
    restart: ask(Databases.restart, "Database restarting request queued."),
    logs: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.logs")
          const lines = yield* readLogs(proof, query.lines ?? defaultLines)
          const isDated = isSet(query.show_timestamps)
          return { logs: lines.map(({ at, text }) => (isDated ? `${at} ${text}` : text)).join("\n") }
        })
      )
  })
)
