import { expect, it } from "@effect/vitest"
import { Database, DatabaseDiffers, DatabaseNewer, type Migration, MigrationFailed, migrate } from "@slipway/sql"
import { testSchema, testServer } from "@slipway/sql/testing"
import { Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onEachEngine, onServer } from "./support/engines.ts"
import { countingMigrations } from "./support/migrations.ts"
import { startProgram } from "./support/processes.ts"

const schemaOf = Effect.map(
  Effect.flatMap(SqlClient, (sql) => sql<{ readonly name: string }>`SELECT current_schema()::text AS name`),
  ([row]) => row?.name ?? ""
)

const count = Effect.map(
  Effect.flatMap(SqlClient, (sql) => sql<{ readonly value: number }>`SELECT value FROM counter`),
  ([row]) => row?.value
)

onEachEngine(({ database }) => {
  it.effect("the migrator runs each migration once, in order", () =>
    Effect.gen(function* () {
      const schema = yield* schemaOf
      const names = countingMigrations.map(({ name }) => name)
      expect(yield* migrate(schema, countingMigrations.slice(0, 3))).toEqual(names.slice(0, 3))
      expect(yield* migrate(schema, countingMigrations)).toEqual(names.slice(3))
      expect(yield* migrate(schema, countingMigrations)).toEqual([])
      expect(yield* count).toBe(10)
    }).pipe(Effect.provide(database))
  )

  it.effect("the migrator rolls back a migration that fails, and keeps the earlier ones", () =>
    Effect.gen(function* () {
      const schema = yield* schemaOf
      const sql = yield* SqlClient
      const broken: Migration = {
        name: "0002_broken",
        up: ["UPDATE counter SET value = 99", "SELECT nothing FROM nowhere"]
      }
      const error = yield* Effect.flip(migrate(schema, [...countingMigrations.slice(0, 1), broken]))
      expect(error).toBeInstanceOf(MigrationFailed)
      expect(error.message).toMatch(/`0002_broken`.*failed: relation "nowhere" does not exist/)
      expect(yield* count).toBe(1)
      expect(yield* sql`SELECT name FROM slipway_migrations`).toEqual([{ name: "0001_start" }])
      expect(yield* migrate(schema, countingMigrations.slice(0, 2))).toEqual(["0002_count"])
    }).pipe(Effect.provide(database))
  )

  it.effect("the migrator refuses a database of a newer version or another program", () =>
    Effect.gen(function* () {
      const schema = yield* schemaOf
      yield* migrate(schema, countingMigrations)
      const newer = yield* Effect.flip(migrate(schema, countingMigrations.slice(0, 9)))
      expect(newer).toBeInstanceOf(DatabaseNewer)
      expect(newer.message).toContain("was created by a newer version of Slipway (it has the migration `0010_count`)")
      const other = yield* Effect.flip(migrate(schema, [{ name: "0001_other", up: [] }]))
      expect(other).toBeInstanceOf(DatabaseDiffers)
      expect(other.message).toContain("has the migration `0001_start` where this version has `0001_other`")
      expect(yield* count).toBe(10)
    }).pipe(Effect.provide(database))
  )

  it.effect("the migrator rejects a list of migrations with a gap or an invalid name", () =>
    Effect.gen(function* () {
      for (const name of ["0002_start", "1_start", "0001-start", "0001_Start"]) {
        const exit = yield* Effect.exit(migrate("test", [{ name, up: [] }]))
        expect(String(exit)).toContain(`the migration \`${name}\` should be named \`0001_`)
      }
    }).pipe(Effect.provide(database))
  )
})

onServer("migrations of several processes", () => {
  it.effect("run once when twelve clients start concurrently", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      const schema = testSchema()
      const start = Effect.scoped(
        Layer.build(Layer.fresh(Database.layer(address, { schema, migrations: countingMigrations, maxConnections: 2 })))
      )
      yield* Effect.all(
        Array.from({ length: 12 }, () => start),
        { concurrency: "unbounded" }
      )
      expect(yield* Effect.provide(count, Database.layer(address, { schema, migrations: countingMigrations }))).toBe(10)
    })
  )

  it.effect(
    "run once when three processes start concurrently",
    () =>
      Effect.gen(function* () {
        const address = yield* testServer
        const schema = testSchema()
        const programs = [1, 2, 3].map(() => startProgram("migrator.ts", Redacted.value(address.url), schema))
        expect(yield* Effect.promise(() => Promise.all(programs.map(({ end }) => end)))).toEqual([0, 0, 0])
        expect(yield* Effect.provide(count, Database.layer(address, { schema, migrations: countingMigrations }))).toBe(
          10
        )
      }),
    60_000
  )
})

onServer("a process killed during a migration", () => {
  // The transaction holds the lock, so it ends with the connection and needs no release.
  it.effect("releases the migration lock for the next process", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      const schema = testSchema()
      const stuck: Migration = { name: "0001_stuck", up: ["SELECT pg_sleep(3600)"] }
      const fiber = yield* Effect.forkChild(
        Effect.scoped(Layer.build(Layer.fresh(Database.layer(address, { schema, migrations: [stuck] }))))
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const backends = sql<{ readonly pid: number }>`
          SELECT pid FROM pg_stat_activity
          WHERE application_name = ${`slipway-${schema}`} AND query LIKE '%pg_sleep(3600)%'`
        let pid: number | undefined
        while (pid === undefined) pid = (yield* backends)[0]?.pid
        yield* sql`SELECT pg_terminate_backend(${pid})`
      }).pipe(Effect.provide(Database.layer(address, { schema: testSchema(), migrations: [] })))
      expect(Exit.isFailure(yield* Fiber.await(fiber))).toBe(true)
      expect(yield* Effect.provide(count, Database.layer(address, { schema, migrations: countingMigrations }))).toBe(10)
    })
  )
})
