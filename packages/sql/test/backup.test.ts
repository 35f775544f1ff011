import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it } from "@effect/vitest"
import { Database, type DatabaseAddress, dumpDatabase, type Migration, restoreDatabase } from "@slipway/sql"
import { testDatabase } from "@slipway/sql/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onServer } from "./support/engines.ts"

const directories: Array<string> = []
const embedded = (): DatabaseAddress.EmbeddedAddress => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-backup-"))
  directories.push(directory)
  return { _tag: "Embedded", directory }
}
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

const linesOf = (
  address: DatabaseAddress.SqlAddress,
  schema: string,
  meanwhile: Effect.Effect<unknown, unknown> = Effect.void
) =>
  Effect.gen(function* () {
    let text = ""
    yield* dumpDatabase(address, schema, (lines) => {
      const isFirst = text === ""
      text += lines
      return isFirst ? Effect.orDie(meanwhile) : Effect.void
    })
    return text.trimEnd().split("\n")
  })

const given = async function* (lines: ReadonlyArray<string>) {
  yield* lines
}

const small: ReadonlyArray<Migration> = [
  {
    name: "0001_start",
    up: [
      `CREATE TABLE "order" (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "order" text NOT NULL,
        twice text GENERATED ALWAYS AS ("order" || "order") STORED, after bigint REFERENCES "order")`,
      `INSERT INTO "order" ("order", after) VALUES ('a "quoted", \\ text', NULL), (E'two\nlines', 1)`,
      `UPDATE "order" SET after = 2 WHERE id = 1`,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
      `CREATE TRIGGER stays BEFORE UPDATE OR TRUNCATE ON "order" FOR EACH STATEMENT EXECUTE FUNCTION refuse()`
    ]
  },
  { name: "0002_more", up: [`ALTER TABLE "order" ADD COLUMN size integer NOT NULL DEFAULT 7`] }
]

onServer("a dump", () => {
  it.live("contains every row of one snapshot, and restores from a server into an embedded database", () =>
    Effect.gen(function* () {
      const server = yield* testDatabase
      const onServer = Effect.provide(Database.layer(server, { schema: "small", migrations: small.slice(0, 1) }))
      yield* Effect.void.pipe(onServer)
      const change = Effect.flatMap(SqlClient, (sql) => sql`INSERT INTO "order" ("order") VALUES ('made meanwhile')`)
      const lines = yield* linesOf(server, "small", change.pipe(onServer))
      expect(lines.filter((line) => line.includes("made meanwhile"))).toEqual([])
      expect((yield* linesOf(server, "small")).length).toBe(lines.length + 1)

      const place = embedded()
      expect(yield* restoreDatabase(place, "small", small.slice(0, 1), given(lines))).toBe(2)
      yield* Effect.gen(function* () {
        // The process that runs the database creates the dump, and continues.
        expect(yield* linesOf(place, "small")).toEqual(lines)
        const sql = yield* SqlClient
        expect(yield* Effect.exit(sql`DELETE FROM "order" WHERE id = 1`)).toMatchObject({ _tag: "Failure" })
        expect(yield* Effect.exit(sql`UPDATE "order" SET "order" = 'other'`)).toMatchObject({ _tag: "Failure" })
        // The row that is missing from the dump had id 3.
        expect(yield* sql`INSERT INTO "order" ("order") VALUES ('third') RETURNING id::int AS id`).toEqual([{ id: 4 }])
      }).pipe(Effect.provide(Database.layer(place, { schema: "small", migrations: small.slice(0, 1) })))
    })
  )

  it.live("changes no database when it is invalid, and is migrated when an older version created it", () =>
    Effect.gen(function* () {
      const source = yield* testDatabase
      yield* Effect.void.pipe(
        Effect.provide(Database.layer(source, { schema: "small", migrations: small.slice(0, 1) }))
      )
      const lines = yield* linesOf(source, "small")
      const [last = ""] = lines.slice(-1)
      const others = lines.slice(0, -1)
      const target = yield* testDatabase
      const why = (wrong: ReadonlyArray<string>, schema = "small", known = small) =>
        Effect.map(Effect.flip(restoreDatabase(target, schema, known, given(wrong))), ({ message }) => message)
      expect(yield* why(others)).toBe("the dump of the database breaks off")
      expect(yield* why([...others, last.replace('"rows":2', '"rows":3')])).toBe("the dump has 2 rows of 3")
      expect(yield* why([...others.map((line) => line.replaceAll("twice", "thrice")), last])).toBe(
        "the dump's table `order` does not match its migrations"
      )
      expect(yield* why(lines, "small", [])).toContain("was created by a newer version")
      expect(yield* why(lines, "other")).toBe("the dump is one of `small`, and not of `other`")
      expect(yield* why(["no dump"])).toBe("this is not a database dump")
      expect(yield* restoreDatabase(target, "small", small, given(lines))).toBe(2)
      expect(yield* why(lines)).toBe("the database has a schema `small` already: restore into one that has none")
      const rows = yield* Effect.flatMap(SqlClient, (sql) => sql`SELECT * FROM "order" ORDER BY id`).pipe(
        Effect.provide(Database.layer(target, { schema: "small", migrations: small }))
      )
      const quoted = 'a "quoted", \\ text'
      expect(rows).toEqual([
        { id: 1n, order: quoted, twice: quoted + quoted, after: 2n, size: 7 },
        { id: 2n, order: "two\nlines", twice: "two\nlinestwo\nlines", after: 1n, size: 7 }
      ])
    })
  )
})
