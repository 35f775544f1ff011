import {
  EnvironmentUuid,
  fields,
  ImageName,
  nonEmpty,
  TagNames,
  whole as wholeNumber
} from "@slipway/domain/deploy/apps"
import { limitFields } from "@slipway/domain/deploy/containers"
import { DatabaseKinds, sslModes } from "@slipway/domain/deploy/databases"
import { DestinationUuid } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import {
  BadGatewayBody,
  BadRequestBody,
  bodyErrors,
  ConflictBody,
  ForbiddenBody,
  NotFoundBody
} from "../base/errors.ts"
import {
  createdAnswer,
  Description,
  deletionQuery,
  listOf,
  Message,
  Moved,
  Name,
  pageQuery,
  QueryFlag,
  stamps,
  stopQuery,
  whole
} from "../base/schemas.ts"

const { kindFields, kindNames, kindOf } = DatabaseKinds
type Kind = DatabaseKinds.DatabaseKind

const limits = Object.fromEntries(limitFields.map((name) => [name, fields[name].schema])) as {
  readonly [Name in (typeof limitFields)[number]]: (typeof fields)[Name]["schema"]
}
const optionalLimits = Object.fromEntries(
  limitFields.map((name) => [name, Schema.optionalKey(limits[name] as Schema.Top)])
) as { readonly [Name in keyof typeof limits]: Schema.optionalKey<(typeof limits)[Name]> }

/** Returns the schemas of the given fields of database kinds, each optional. */
const optionalFields = (of: Readonly<Record<string, DatabaseKinds.KindField>>) =>
  Object.fromEntries(Object.entries(of).map(([name, { schema }]) => [name, Schema.optionalKey(schema)]))

const settings = {
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  image: Schema.optionalKey(nonEmpty(ImageName)),
  is_public: Schema.optionalKey(Schema.Boolean),
  public_port: Schema.optionalKey(Schema.NullOr(wholeNumber(1, 65_535))),
  ...optionalLimits
}

const sslSettings = {
  enable_ssl: Schema.optionalKey(Schema.Boolean),
  ssl_mode: Schema.optionalKey(Schema.NullOr(Schema.Literals(sslModes)))
}

const healthSettings = {
  health_check_enabled: Schema.optionalKey(Schema.Boolean),
  health_check_interval: Schema.optionalKey(fields.health_check_interval.schema),
  health_check_timeout: Schema.optionalKey(fields.health_check_timeout.schema),
  health_check_retries: Schema.optionalKey(fields.health_check_retries.schema),
  health_check_start_period: Schema.optionalKey(fields.health_check_start_period.schema)
}
const place = {
  project_uuid: fields.project_uuid.schema,
  server_uuid: fields.server_uuid.schema,
  environment_name: Schema.optionalKey(fields.environment_name.schema),
  // Coolify's Terraform provider sends an omitted one as an empty text.
  environment_uuid: Schema.optionalKey(Schema.Union([fields.environment_uuid.schema, Schema.Literal("")])),
  destination_uuid: Schema.optionalKey(fields.destination_uuid.schema),
  instant_deploy: Schema.optionalKey(Schema.Boolean),
  tags: Schema.optionalKey(TagNames)
}

/** The request body that changes a database. Fields of other database kinds are rejected later, by the handler. */
export const DatabaseChange = Schema.Struct({
  ...settings,
  ...healthSettings,
  ...sslSettings,
  ...optionalFields(kindFields)
}).annotate({
  identifier: "DatabaseChange"
}) as unknown as Schema.Codec<Schema.Struct<typeof settings & typeof healthSettings & typeof sslSettings>["Type"]>

/** Returns the schema name of a creation body in the OpenAPI document, such as `RedisDatabaseCreation`. */
const creationName = (kind: Kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}DatabaseCreation`

const creation = { ...settings, ...sslSettings, ...place }

/** Returns the schema of the request body that creates a database of a kind. */
const creationBody = (kind: Kind) =>
  Schema.Struct({ ...creation, ...optionalFields(kindOf(kind).fields) }).annotate({
    identifier: creationName(kind)
  }) as unknown as Schema.Codec<Schema.Struct<typeof creation>["Type"]>

/** The names of database kinds that Coolify clients use. */
export const databaseTypes = kindNames.map((kind) => `standalone-${kind}` as const)

/**
 * A database as returned by the API.
 *
 * Secret fields are null for callers without permission to see them. The connection URLs count as secret, because they
 * contain the password.
 */
export const Database = Schema.Struct({
  ...stamps,
  name: Schema.String,
  description: Schema.String,
  database_type: Schema.Literals(databaseTypes),
  /** The state and health, such as `running:healthy`; lists return the stored state without asking the server. */
  status: Schema.String,
  /** The reason why the last request failed, what it waits for, or why the database is unhealthy. */
  reason: Schema.NullOr(Schema.String),
  image: Schema.String,
  is_public: Schema.Boolean,
  public_port: Schema.NullOr(Schema.Number),
  health_check_enabled: Schema.Boolean,
  health_check_interval: Schema.Number,
  health_check_timeout: Schema.Number,
  health_check_retries: Schema.Number,
  health_check_start_period: Schema.Number,
  enable_ssl: Schema.Boolean,
  /** The mode of the connection URLs; null for types without modes. */
  ssl_mode: Schema.NullOr(Schema.Literals(sslModes)),
  /** The expiration time of the certificate in the current container; null without TLS. */
  ssl_certificate_expires_at: Schema.NullOr(Schema.String),
  internal_db_url: Schema.NullOr(Schema.String),
  external_db_url: Schema.NullOr(Schema.String),
  project_uuid: Schema.String,
  environment_uuid: Schema.String,
  environment_name: Schema.String,
  server_uuid: Schema.String,
  destination_uuid: Schema.String,
  ...(Object.fromEntries(
    limitFields.map((name) => [name, Schema.NullOr(Schema.toType(limits[name] as Schema.Top))])
  ) as unknown as { readonly [Name in keyof typeof limits]: Schema.Codec<(typeof limits)[Name]["Type"] | null> }),
  ...(Object.fromEntries(
    Object.keys(kindFields).map((name) => [name, Schema.optionalKey(Schema.NullOr(Schema.String))])
  ) as Readonly<Record<string, Schema.optionalKey<Schema.NullOr<Schema.String>>>>)
}).annotate({ identifier: "Database" })

/** The TLS settings of a database with the certificate of the authority that signs its certificates, in PEM. */
export const DatabaseSsl = Schema.Struct({
  is_ssl_supported: Schema.Boolean,
  /** The modes that `ssl_mode` accepts for this type of database. */
  ssl_modes: Schema.Array(Schema.Literals(sslModes)),
  enable_ssl: Schema.Boolean,
  ssl_mode: Schema.NullOr(Schema.Literals(sslModes)),
  ca_certificate: Schema.NullOr(Schema.String),
  ca_certificate_expires_at: Schema.NullOr(Schema.String),
  certificate_expires_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DatabaseSsl" })

/** The connection URLs of a database, which contain its password. */
export const DatabaseCredentials = Schema.Struct({
  /** The URL within the network of the server. */
  internal_db_url: Schema.String,
  /** The URL from outside; null if the database is not public. */
  external_db_url: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DatabaseCredentials" })

/** The request body that moves a database to another environment. */
export const DatabaseMove = Schema.Struct({ environment_uuid: EnvironmentUuid }).annotate({
  identifier: "DatabaseMove"
})

/** The request body that moves a database to a destination; the data in its volumes is not moved. */
export const DatabaseMigration = Schema.Struct({
  destination_uuid: DestinationUuid,
  migrate_volumes: Schema.optionalKey(Schema.Literal(false))
}).annotate({ identifier: "DatabaseMigration" })

/** The request body that clones a database; the data in its volumes is not copied. */
export const DatabaseClone = Schema.Struct({
  destination_uuid: DestinationUuid,
  name: Schema.optionalKey(Schema.NullOr(Name)),
  clone_volumes: Schema.optionalKey(Schema.Literal(false))
}).annotate({ identifier: "DatabaseClone" })

const uuid = { uuid: Schema.String }

const create = <const K extends Kind>(kind: K) =>
  HttpApiEndpoint.post(`create-${kind}`, `/databases/${kind}`, {
    payload: creationBody(kind),
    success: createdAnswer,
    error: [...bodyErrors, ForbiddenBody]
  })
    .annotate(OpenApi.Summary, `Create a database from the image of ${kind}, or another image of that type`)
    .pipe(access("database.create"))

const ask = <const Name extends string>(name: Name, summary: string) =>
  HttpApiEndpoint.post(name, `/databases/:uuid/${name}`, {
    params: uuid,
    success: Message,
    error: [NotFoundBody, ConflictBody]
  })
    .annotate(OpenApi.Summary, summary)
    .pipe(access("database.deploy"))

/** The endpoints of databases. */
export class DatabasesApi extends HttpApiGroup.make("databases")
  .add(
    HttpApiEndpoint.get("list", "/databases", { query: pageQuery, success: listOf(Database), error: BadRequestBody })
      .annotate(OpenApi.Summary, "List databases")
      .pipe(access("database.list")),
    create("postgresql"),
    create("mysql"),
    create("mariadb"),
    create("redis"),
    create("mongodb"),
    create("keydb"),
    create("dragonfly"),
    create("clickhouse"),
    HttpApiEndpoint.get("get", "/databases/:uuid", { params: uuid, success: Database, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a database")
      .pipe(access("database.read")),
    HttpApiEndpoint.post("revealCredentials", "/databases/:uuid/credentials", {
      params: uuid,
      success: DatabaseCredentials,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read the connection URLs of a database with its password; the audit log records it")
      .pipe(access("database.secrets")),
    HttpApiEndpoint.patch("update", "/databases/:uuid", {
      params: uuid,
      payload: DatabaseChange,
      success: Database,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a database; changes apply at its next start or restart")
      .pipe(access("database.update")),
    HttpApiEndpoint.delete("delete", "/databases/:uuid", {
      params: uuid,
      query: deletionQuery,
      success: HttpApiSchema.WithHeaders(Message, { location: Schema.String }),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Delete a database; its volume stays unless delete_volumes is true")
      .pipe(access("database.delete")),
    HttpApiEndpoint.get("readSsl", "/databases/:uuid/ssl", {
      params: uuid,
      success: DatabaseSsl,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read the TLS settings of a database, and the CA certificate that its clients trust")
      .pipe(access("database.read")),
    HttpApiEndpoint.post("move", "/databases/:uuid/move", {
      params: uuid,
      payload: DatabaseMove,
      success: Moved,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Move a database to another environment; its container keeps running")
      .pipe(access("database.update")),
    HttpApiEndpoint.post("migrate", "/databases/:uuid/migrate", {
      params: uuid,
      payload: DatabaseMigration,
      success: Schema.Struct({ message: Schema.String, uuid: Schema.String }),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Move a database to another destination, which its next start uses; its data stays")
      .pipe(access("database.update")),
    HttpApiEndpoint.post("clone", "/databases/:uuid/clone", {
      params: uuid,
      payload: DatabaseClone,
      success: createdAnswer,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Clone a database to a destination, without its data")
      .pipe(access("database.clone")),
    ask("start", "Run a database as it is set, with its image as the registry has it now"),
    HttpApiEndpoint.post("stop", "/databases/:uuid/stop", {
      params: uuid,
      query: stopQuery,
      success: Message,
      error: [BadRequestBody, NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Stop a database; its volume stays. With docker_cleanup, also clean up its server")
      .pipe(access("database.deploy")),
    ask("restart", "Run a database as it is set in a new container, with the image that its server has"),
    HttpApiEndpoint.get("logs", "/databases/:uuid/logs", {
      params: uuid,
      query: { lines: Schema.optionalKey(whole(1, 10_000)), show_timestamps: Schema.optionalKey(QueryFlag) },
      success: Schema.Struct({ logs: Schema.String }),
      error: [BadGatewayBody, BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Read the last log lines of a database")
      .pipe(access("database.logs"))
  )
  .annotate(OpenApi.Description, "Databases: one container of a well-known image each, with a separate volume.") {}
