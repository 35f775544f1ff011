import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { Database, DatabaseAddress, DatabaseUnreachable, layerTransaction } from "@slipway/sql"
import { postgresMissing, startPostgres, testSchema, testServer } from "@slipway/sql/testing"
import { Deferred, Effect, Fiber, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { vi } from "vitest"
import { setup } from "../src/testing/globalSetup.ts"
import { isReady } from "../src/testing/PostgresServer.ts"
import { onServer } from "./support/engines.ts"

const server = (text: string): DatabaseAddress.ServerAddress => {
  const address = Result.getOrThrow(DatabaseAddress.parse(text))
  return address._tag === "Server" ? address : expect.fail("not a server's address")
}

onServer("a database layer on a PostgreSQL server", () => {
  it.effect("sets only the service's schema on every connection", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      const schemas = [testSchema(), testSchema()]
      for (const schema of schemas) {
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          // Held concurrently, these are different connections.
          const seen = yield* Effect.all(
            Array.from({ length: 4 }, () =>
              sql.withTransaction(
                sql<{ readonly pid: number; readonly schemas: ReadonlyArray<string> }>`
                  SELECT pg_backend_pid() AS pid, current_schemas(false)::text[] AS schemas, pg_sleep(0.3)::text`
              )
            ),
            { concurrency: "unbounded" }
          )
          expect(new Set(seen.map(([row]) => row?.pid)).size).toBeGreaterThan(1)
          for (const [row] of seen) expect(row?.schemas).toEqual([schema])
          yield* sql`CREATE TABLE mine (id integer)`
        }).pipe(Effect.provide(Layer.fresh(Database.layer(address, { schema, migrations: [] }))))
      }
    })
  )

  it.effect("opens no more connections than its limit", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      const schema = testSchema()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const all = yield* Deferred.make<void>()
        let held = 0
        // Each holds its connection until the limit is reached, however long the third takes to open.
        const hold = Effect.suspend(() => (++held < 3 ? Deferred.await(all) : Deferred.succeed(all, undefined)))
        yield* Effect.all(
          Array.from({ length: 20 }, () => sql.withTransaction(Effect.andThen(sql`SELECT pg_sleep(0.005)`, hold))),
          { concurrency: "unbounded" }
        )
        expect(
          yield* sql`SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = ${`slipway-${schema}`}`
        ).toEqual([{ open: 3 }])
      }).pipe(Effect.provide(Database.layer(address, { schema, migrations: [], maxConnections: 3 })))
    })
  )

  it.effect("runs a statement on another connection while one waits for a lock", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const held = yield* Deferred.make<void>()
        const given = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(
          sql.withTransaction(
            sql`SELECT pg_advisory_xact_lock(17)`.pipe(
              Effect.andThen(Deferred.succeed(held, undefined)),
              Effect.andThen(Deferred.await(given))
            )
          )
        )
        yield* Deferred.await(held)
        const waiting = yield* Effect.forkChild(sql`SELECT pg_advisory_xact_lock(17)`)
        // Statements that start immediately still wait behind it.
        const answered = yield* Deferred.make<void>()
        while (!(yield* Deferred.isDone(answered))) {
          yield* Effect.forkChild(Effect.andThen(sql`SELECT 1`, Deferred.succeed(answered, undefined)))
          yield* Effect.promise(() => new Promise((resume) => setTimeout(resume, 5)))
        }
        expect(waiting.pollUnsafe()).toBeUndefined()
        yield* Deferred.succeed(given, undefined)
        yield* Fiber.join(holder)
        yield* Fiber.join(waiting)
      }).pipe(Effect.provide(Layer.fresh(Database.layer(address, { schema: testSchema(), migrations: [] }))))
    })
  )

  // Each new connection plans all statements again: nine of them used the CPU for longer than the pause they bridged.
  it.effect("opens few connections while the server pauses for a moment", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      const schema = testSchema()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`CREATE TABLE still (id integer)`
        const held = yield* Deferred.make<void>()
        const given = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(
          sql.withTransaction(
            sql`LOCK TABLE still IN ACCESS EXCLUSIVE MODE`.pipe(
              Effect.andThen(Deferred.succeed(held, undefined)),
              Effect.andThen(Deferred.await(given))
            )
          )
        )
        yield* Deferred.await(held)
        const waiting: Array<Fiber.Fiber<unknown, unknown>> = []
        for (const until = performance.now() + 250; performance.now() < until; ) {
          waiting.push(yield* Effect.forkChild(sql`SELECT count(*) FROM still`))
          yield* Effect.promise(() => new Promise((resume) => setTimeout(resume, 5)))
        }
        yield* Deferred.succeed(given, undefined)
        yield* Fiber.join(holder)
        for (const each of waiting) yield* Fiber.join(each)
        const [row] = yield* sql<{ readonly open: number }>`
          SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = ${`slipway-${schema}`}`
        expect(row?.open).toBeGreaterThan(2)
        expect(row?.open).toBeLessThan(8)
      }).pipe(Effect.provide(Layer.fresh(Database.layer(address, { schema, migrations: [] }))))
    })
  )

  it.effect("waits for a connection when the server has none left", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      const schema = testSchema()
      const role = `${schema}_limited`
      const limited = new URL(Redacted.value(address.url))
      limited.username = role
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`CREATE ROLE ${sql(role)} LOGIN CONNECTION LIMIT 2`
        yield* sql`GRANT ALL ON SCHEMA ${sql(schema)} TO ${sql(role)}`
        yield* sql`GRANT ALL ON ALL TABLES IN SCHEMA ${sql(schema)} TO ${sql(role)}`
        yield* Effect.gen(function* () {
          const { run } = yield* Transaction
          const own = yield* SqlClient
          yield* Effect.all(
            Array.from({ length: 20 }, () => run(own`SELECT pg_sleep(0.005)`)),
            { concurrency: "unbounded" }
          )
        }).pipe(
          Effect.provide(
            Layer.provideMerge(
              layerTransaction,
              Layer.fresh(Database.layer(server(limited.href), { schema, migrations: [] }))
            )
          )
        )
        yield* sql`DROP OWNED BY ${sql(role)}`
        yield* sql`DROP ROLE ${sql(role)}`
      }).pipe(Effect.provide(Layer.fresh(Database.layer(address, { schema, migrations: [] }))))
    })
  )

  it.effect("limits a statement to twenty seconds, and does not limit a migration", () =>
    Effect.gen(function* () {
      const limit = Effect.flatMap(
        SqlClient,
        (sql) => sql<{ readonly limit: string }>`SELECT current_setting('statement_timeout') AS limit`
      )
      let migrating: unknown
      const up = Effect.map(limit, (rows) => {
        migrating = rows
      })
      yield* Effect.gen(function* () {
        expect(migrating).toEqual([{ limit: "0" }])
        expect(yield* limit).toEqual([{ limit: "20s" }])
      }).pipe(
        Effect.provide(
          Database.layer(yield* testServer, { schema: testSchema(), migrations: [{ name: "0001_look", up }] })
        )
      )
    })
  )

  it.effect("stops with its scope, and leaves no files", () =>
    Effect.gen(function* () {
      const address = yield* Effect.scoped(
        Effect.gen(function* () {
          const own = yield* startPostgres()
          yield* Layer.build(Layer.fresh(Database.layer(own, { schema: "test", migrations: [] })))
          return own
        })
      )
      const directory = new URL(Redacted.value(address.url)).searchParams.get("host") ?? expect.fail("no directory")
      expect(existsSync(directory)).toBe(false)
      const error = yield* Effect.flip(
        Effect.scoped(Layer.build(Database.layer(address, { schema: "test", migrations: [] })))
      )
      expect(error).toBeInstanceOf(DatabaseUnreachable)
    })
  )

  it.effect("reports the server's error without the password", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      const url = new URL(Redacted.value(address.url))
      url.username = "nobody"
      url.password = "hunter2"
      const error = yield* Effect.flip(
        Effect.scoped(Layer.build(Database.layer(server(url.href), { schema: "test", migrations: [] })))
      )
      expect(error).toBeInstanceOf(DatabaseUnreachable)
      expect(error.message).toContain(`role "nobody" does not exist`)
      expect(inspect(error, { depth: 12 }) + JSON.stringify(error)).not.toContain("hunter2")
    })
  )
})

// A server that still starts already accepts connections at its socket, and then rejects them.
it("a temporary server counts as ready only while its pid file contains the status ready", () => {
  const data = mkdtempSync(join(tmpdir(), "slipway-pid-"))
  try {
    expect(isReady(data)).toBe(false)
    const lines = ["1", data, "1767225600", "5432", data, "", "1 2"]
    for (const [status, ready] of [
      ["starting", false],
      ["ready   ", true],
      ["stopping", false]
    ] as const) {
      writeFileSync(join(data, "postmaster.pid"), [...lines, status, ""].join("\n"))
      expect(isReady(data)).toBe(ready)
    }
  } finally {
    rmSync(data, { recursive: true })
  }
})

describe("an unreachable server", () => {
  it.effect("is named in the error without the password", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.scoped(
          Layer.build(
            Database.layer(server("postgres://ada:hunter2@127.0.0.1:1/forge"), { schema: "test", migrations: [] })
          )
        )
      )
      expect(error).toBeInstanceOf(DatabaseUnreachable)
      expect(error.message).toContain("`127.0.0.1:1/forge`")
      expect(inspect(error, { depth: 12 }) + JSON.stringify(error)).not.toContain("hunter2")
    })
  )
})

describe("a machine without PostgreSQL", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  it.effect("starts no server, and reports what to install", () =>
    Effect.gen(function* () {
      vi.stubEnv("SLIPWAY_POSTGRES_PROGRAMS", tmpdir())
      const error = yield* Effect.flip(Effect.scoped(startPostgres()))
      expect(error.message).toContain("install the package `postgresql`")
      expect(error.message).toBe(postgresMissing())
    })
  )

  it("skips the server tests with a note, and fails in CI", async () => {
    vi.stubEnv("SLIPWAY_POSTGRES_PROGRAMS", tmpdir())
    vi.stubEnv("CI", "true")
    await expect(setup()).rejects.toThrow("install the package `postgresql`")
    vi.stubEnv("CI", "")
    const note = vi.spyOn(process, "emitWarning").mockReturnValue()
    await (await setup())()
    expect(note.mock.calls.join()).toContain("the tests on a PostgreSQL server are skipped")
  })
})
