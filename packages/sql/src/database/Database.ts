import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, type Layer, type Scope } from "effect"
import type { Reactivity } from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { type Migration, type MigrationError, migrate } from "../Migrations.ts"
import { avoidSlowConnections } from "./avoidSlowConnections.ts"
import type { ServerAddress, SqlAddress } from "./DatabaseAddress.ts"
import { serveDumps } from "./dumpSocket.ts"
import { type DatabaseLocked, DatabaseUnreachable, type DatabaseUnusable } from "./errors.ts"
import { runHousekeeping } from "./housekeeping.ts"

/** The options of one service's database. */
export interface DatabaseOptions {
  /**
   * The PostgreSQL schema of the service. It is created if it is missing, and is the only schema on the search path.
   */
  readonly schema: string
  /** The migrations of the service, in order; pending ones run before the database is ready. */
  readonly migrations: ReadonlyArray<Migration>
  /** The maximum number of connections to a server. Default: `usualConnections`. */
  readonly maxConnections?: number
}

/** The reasons why a database cannot be opened. */
export type DatabaseError = DatabaseLocked | DatabaseUnusable | DatabaseUnreachable | MigrationError

type Ready = Layer.Layer<PgClient.PgClient | SqlClient, DatabaseError>

/** Opens the database of an address and migrates it. */
export const layer = (address: SqlAddress, options: DatabaseOptions): Ready =>
  PgClient.layerFrom(
    Effect.tap(open(address, options), (client) =>
      Effect.gen(function* () {
        yield* bringUpToDate(client, options)
        if (address._tag === "Server") return
        yield* Effect.forkScoped(runHousekeeping(client))
        yield* Effect.provideService(serveDumps(address.directory), SqlClient, client)
      }).pipe(mapUnreachable(locationOf(address)))
    )
  )

/**
 * Loads the code of the embedded PostgreSQL only on use: a service with a PostgreSQL server does not need it in memory.
 */
const embedded = Effect.promise(() => import("./embeddedPostgres.ts"))

/** Connects to the database at an address, without running migrations. */
export const open = (address: SqlAddress, options: Omit<DatabaseOptions, "migrations">) =>
  (address._tag === "Embedded"
    ? Effect.flatMap(embedded, ({ openEmbedded }) => openEmbedded(address.directory, schemaName(options)))
    : openServer(address, options)
  ).pipe(mapUnreachable(locationOf(address)))

/** Opens an empty embedded PostgreSQL for tests. It keeps its data in memory until its scope closes. */
export const layerInMemory = (options: DatabaseOptions): Ready =>
  PgClient.layerFrom(
    Effect.flatMap(embedded, ({ openInMemory }) => openInMemory(schemaName(options))).pipe(
      Effect.tap((client) => bringUpToDate(client, options)),
      mapUnreachable("memory")
    )
  )

const bringUpToDate = (client: PgClient.PgClient, { migrations, schema }: DatabaseOptions) =>
  Effect.provideService(migrate(schema, migrations), SqlClient, client)

const locationOf = (address: SqlAddress): string => (address._tag === "Embedded" ? address.directory : address.location)

const mapUnreachable =
  (location: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>) =>
    Effect.catchIf(effect, isSqlError, (error) => Effect.fail(unreachable(location, error)))

/** The default maximum number of connections to a server. */
export const usualConnections = 10

const openServer = (
  address: ServerAddress,
  options: Omit<DatabaseOptions, "migrations">
): Effect.Effect<PgClient.PgClient, SqlError, Scope.Scope | Reactivity> =>
  PgClient.make({
    url: address.url,
    applicationName: `slipway-${options.schema}`,
    startupParameters: {
      search_path: `"${schemaName(options)}"`,
      // Compilation slows down statements that take milliseconds.
      jit: "off",
      statement_timeout: "20s",
      idle_in_transaction_session_timeout: "60s"
    },
    maxConnections: options.maxConnections ?? usualConnections,
    // An unreachable server must be reported within two seconds.
    connectTimeout: "1500 millis",
    keepAlive: Duration.seconds(30),
    multiplex: true
  }).pipe(Effect.flatMap((client) => avoidSlowConnections(client, options.maxConnections ?? usualConnections)))

/**
 * Returns the name of the schema if it is safe. It is part of the start parameters of a connection, which allow only
 * one level of escaping.
 */
const schemaName = ({ schema }: Pick<DatabaseOptions, "schema">): string => {
  if (/^[a-z][a-z0-9_]{0,62}$/.test(schema)) return schema
  throw new Error(
    `\`${schema}\` is not a schema name: use up to 63 of a-z, 0-9 and _, beginning with a lower-case letter`
  )
}

const unreachable = (location: string, error: SqlError): DatabaseUnreachable => {
  const cause = error.reason.cause
  const detail = cause instanceof Error && cause.message !== "" ? cause.message : error.message
  return new DatabaseUnreachable({ location, problem: detail, cause: error })
}
