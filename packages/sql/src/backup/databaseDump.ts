import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "../database/Database.ts"
import type { SqlAddress } from "../database/DatabaseAddress.ts"
import { dump } from "../database/dump.ts"
import { readDump } from "../database/dumpSocket.ts"
import { DatabaseUnusable } from "../database/errors.ts"
import type { Migration } from "../Migrations.ts"
import { restore } from "./restore.ts"

const connected = <A, E, R>(address: SqlAddress, schema: string, work: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.flatMap(Database.open(address, { schema, maxConnections: 1 }), (client) =>
      Effect.provideService(work, SqlClient, client)
    )
  ).pipe(Effect.provide(Reactivity.layer))

/** Dumps the database of a service as one consistent snapshot. The service may be running or stopped. */
export const dumpDatabase = <E, R>(
  address: SqlAddress,
  schema: string,
  write: (lines: string) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    if (address._tag === "Server") return yield* connected(address, schema, dump(write))
    const { directory } = address
    if (!existsSync(join(directory, "postgres"))) {
      return yield* new DatabaseUnusable({ directory, problem: "there is no database" })
    }
    return yield* Effect.catchTag(connected(address, schema, dump(write)), "DatabaseLocked", () =>
      readDump(directory, write)
    )
  })

/** Restores a dump into a database that has no tables of the service. Returns the number of restored rows. */
export const restoreDatabase = (
  address: SqlAddress,
  schema: string,
  migrations: ReadonlyArray<Migration>,
  lines: AsyncIterable<string>
) => connected(address, schema, restore(schema, migrations, lines))

/** Removes everything that a failed restore wrote into a database, which was empty before the restore. */
export const discardDatabase = (address: SqlAddress, schema: string) =>
  address._tag === "Server"
    ? connected(
        address,
        schema,
        Effect.flatMap(SqlClient, (sql) => sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`)
      )
    : Effect.promise(() => rm(join(address.directory, "postgres"), { recursive: true, force: true }))
