import type { PgClient } from "@effect/sql-pg"
import { describe } from "@effect/vitest"
import { Database, type Migration } from "@slipway/sql"
import { layerTestServer, type PostgresUnavailable, postgresMissing } from "@slipway/sql/testing"
import type { Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isThorough } from "../../../../scripts/vitest/runs.ts"

export interface Engine {
  readonly name: string
  readonly database: Layer.Layer<PgClient.PgClient | SqlClient, Database.DatabaseError | PostgresUnavailable>
}

/** Runs the same tests on the embedded database and on a server, each with the given migrations. */
export const onEachEngine = (tests: (engine: Engine) => void, migrations: ReadonlyArray<Migration> = []): void => {
  describe("embedded PostgreSQL", () =>
    tests({ name: "embedded PostgreSQL", database: Database.layerInMemory({ schema: "test", migrations }) }))
  onServer("PostgreSQL server", () => tests({ name: "PostgreSQL server", database: layerTestServer({ migrations }) }))
}

/**
 * Whether the embedded database runs all tests of the contracts. In a regular run, only a server does, if there is
 * one.
 */
export const isEmbeddedWhole: boolean = isThorough || postgresMissing() !== undefined

/**
 * Runs tests on one database: a server, or the embedded one on a machine without a server; on both in a thorough run.
 *
 * It is for tests of use cases. The contracts test that both databases behave alike.
 */
export const onOneEngine: typeof onEachEngine = (tests, migrations = []) => {
  if (isThorough || postgresMissing() !== undefined) onEachEngine(tests, migrations)
  else
    describe("PostgreSQL server", () => tests({ name: "PostgreSQL server", database: layerTestServer({ migrations }) }))
}

/** Runs tests that only a server can pass: several connections, several processes. */
export const onServer: ReturnType<typeof describe.skipIf> = describe.skipIf(postgresMissing() !== undefined)
