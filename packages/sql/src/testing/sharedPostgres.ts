import { randomBytes } from "node:crypto"
import { connect } from "node:net"
import { Effect, Layer, Redacted, Schema, type Scope } from "effect"
import * as Database from "../database/Database.ts"
import type { ServerAddress } from "../database/DatabaseAddress.ts"
import { PostgresUnavailable, startPostgres } from "./PostgresServer.ts"

/** The environment variable with the socket at which test files request the shared server. */
export const SHARED_SERVER = "SLIPWAY_TEST_POSTGRES"

const Answer = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ url: Schema.String, location: Schema.String }),
    Schema.Struct({ problem: Schema.String })
  ])
)

const ask = (path: string): Effect.Effect<ServerAddress, PostgresUnavailable> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: async () => {
        const parts: Array<Buffer> = []
        for await (const part of connect({ path })) parts.push(part)
        return Buffer.concat(parts).toString("utf8")
      },
      catch: (cause) => new PostgresUnavailable({ message: `the shared server is gone: ${String(cause)}` })
    })
    const answer = yield* Effect.orDie(Schema.decodeUnknownEffect(Answer)(text))
    if ("problem" in answer) return yield* new PostgresUnavailable({ message: answer.problem })
    return { _tag: "Server", url: Redacted.make(answer.url), location: answer.location }
  })

// The environment itself, because a test may have replaced Effect's configuration.
const broker = (): string | undefined => process.env[SHARED_SERVER]

/**
 * The PostgreSQL server that all test files of a run share. Outside of a test run, it is a new server that stops with
 * the scope.
 */
export const testServer: Effect.Effect<ServerAddress, PostgresUnavailable, Scope.Scope> = Effect.suspend(() => {
  const path = broker()
  return path === undefined ? startPostgres() : ask(path)
})

/** Generates a unique schema name, so that tests on one server are isolated. */
export const testSchema = (): string => `test_${randomBytes(8).toString("hex")}`

/** Provides a database on the test server. Each build of the layer uses a new schema, so it starts empty. */
export const layerTestServer = (options: Omit<Database.DatabaseOptions, "schema">) =>
  Layer.unwrap(Effect.map(testServer, (address) => Database.layer(address, { ...options, schema: testSchema() })))
