import { randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlError } from "effect/sql/SqlError"
import type { ServerAddress } from "../database/DatabaseAddress.ts"
import type { PostgresUnavailable } from "./PostgresServer.ts"
import { testServer } from "./sharedPostgres.ts"

const run = (server: ServerAddress, statement: string) =>
  Effect.scoped(
    Effect.flatMap(
      PgClient.make({ url: server.url, maxConnections: 1 }),
      (sql) => sql`${sql.literal(statement)}`.unprepared
    )
  ).pipe(Effect.provide(Reactivity.layer))

/**
 * Creates an empty database on the test server until the scope closes. It is for programs that choose their schema
 * themselves.
 */
export const testDatabase: Effect.Effect<ServerAddress, PostgresUnavailable | SqlError, Scope.Scope> = Effect.gen(
  function* () {
    const server = yield* testServer
    const name = `test_${randomBytes(8).toString("hex")}`
    yield* Effect.acquireRelease(run(server, `CREATE DATABASE ${name}`), () =>
      Effect.ignore(run(server, `DROP DATABASE ${name} WITH (FORCE)`))
    )
    const url = new URL(Redacted.value(server.url))
    url.pathname = name
    return { _tag: "Server", url: Redacted.make(url.href), location: server.location.replace(/[^/]*$/, name) }
  }
)
