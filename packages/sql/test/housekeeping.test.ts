import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Database } from "@slipway/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { tidy } from "../src/database/housekeeping.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-tidy-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

// The embedded database has no background processes: its log would grow until the disk is full.
it.effect("the embedded database vacuums changed tables and limits its log", () =>
  Effect.gen(function* () {
    const path = yield* directory
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      expect(yield* tidy(sql)).toEqual([])
      yield* sql`CREATE TABLE "Busy" (id integer, text text)`
      yield* sql`INSERT INTO "Busy" SELECT i, repeat('x', 900) FROM generate_series(1, 40000) AS i`
      yield* sql`DELETE FROM "Busy" WHERE id % 2 = 0`
      expect(yield* tidy(sql)).toEqual([`test."Busy"`, "checkpoint"])
      expect(yield* sql`SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'Busy'`).toEqual([{ rows: 20_000 }])
      expect(yield* tidy(sql)).toEqual([])
      expect(readdirSync(join(path, "postgres", "pg_wal")).length).toBeLessThan(80)
    }).pipe(Effect.provide(Database.layer({ _tag: "Embedded", directory: path }, { schema: "test", migrations: [] })))
  })
)
