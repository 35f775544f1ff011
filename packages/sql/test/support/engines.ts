import type { PgClient } from "@effect/sql-pg"
import { describe } from "@effect/vitest"
import { Database } from "@slipway/sql"
import { layerTestServer, type PostgresUnavailable, postgresMissing } from "@slipway/sql/testing"
import type { Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

export interface Engine {
  readonly name: string
  readonly database: Layer.Layer<PgClient.PgClient | SqlClient, Database.DatabaseError | PostgresUnavailable>
}

const engines: ReadonlyArray<Engine & { readonly missing: boolean }> = [
  {
    name: "embedded PostgreSQL",
    database: Database.layerInMemory({ schema: "test", migrations: [] }),
    missing: false
  },
  {
    name: "PostgreSQL server",
    database: layerTestServer({ migrations: [] }),
    missing: postgresMissing() !== undefined
  }
]

/** Runs the same tests on the embedded database and on a server. */
export const onEachEngine = (tests: (engine: Engine) => void): void => {
  for (const engine of engines) describe.skipIf(engine.missing)(engine.name, () => tests(engine))
}

/** Runs tests that only a server can pass: several connections, several processes. */
export const onServer: ReturnType<typeof describe.skipIf> = describe.skipIf(postgresMissing() !== undefined)
