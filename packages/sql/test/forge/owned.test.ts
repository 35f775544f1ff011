import { describe, expect, it } from "@effect/vitest"
import { ownedKinds } from "@slipway/domain/forge"
import { createTable, Database } from "@slipway/sql"
import { migrations } from "@slipway/sql/forge"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Columns that triggers copy from other tables, so that lists need no join. */
const ofRepository = ["private", "owner_visibility", "owner_user_id", "owner_organization_id", "units"]
const copied = [
  "email.user_key",
  "email.grams",
  "issue_subscription.user_visibility",
  "notification.pull",
  "package_version.grams",
  ...["star", "watch"].flatMap((table) => ["user_visibility", ...ofRepository].map((column) => `${table}.${column}`))
]

/** Returns the schema of a table: its columns, its indexes without names, and its foreign keys. */
const described = (schema: string, table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const words = (rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
      rows.map(([word]) => String(word).replaceAll(`${schema}.`, "")).toSorted()
    const columns = yield* sql`
      SELECT column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(collation_name, '')
      FROM information_schema.columns WHERE table_schema = ${schema} AND table_name = ${table} AND table_name || '.' || column_name <> ALL(${copied}::text[])`
      .values
    const indexes = yield* sql`
      SELECT regexp_replace(indexdef, ' INDEX [^ ]+ ON ', ' INDEX ON ')
      FROM pg_indexes WHERE schemaname = ${schema} AND tablename = ${table}`.values
    const constraints = yield* sql`
      SELECT pg_get_constraintdef(c.oid) FROM pg_constraint c
      WHERE c.conrelid = (${`${schema}."${table}"`}::text)::regclass AND c.contype IN ('f', 'c')`.values
    const named = yield* sql`
      SELECT conname FROM pg_constraint
      WHERE conrelid = (${`${schema}."${table}"`}::text)::regclass AND contype IN ('f', 'u')`.values
    return {
      columns: words(columns),
      indexes: words(indexes),
      constraints: words(constraints),
      named: words(named)
    }
  })

// The tables of the declarations, in a schema that precedes the schema of the migrations in the search path.
const declared = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE SCHEMA declared`
  yield* sql`SET LOCAL search_path TO declared, forge`
  for (const kind of ownedKinds) {
    for (const statement of createTable(kind)) yield* sql`${sql.literal(statement)}`.unprepared
  }
})

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

describe("the tables of owned resource types", () => {
  it.live("match the tables of the migrations", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* declared
          const made = yield* sql`SELECT tablename FROM pg_tables WHERE schemaname = 'declared'`.values
          expect(made.length).toBeGreaterThanOrEqual(ownedKinds.length)
          for (const [table] of made) {
            const [wanted, found] = [
              yield* described("declared", String(table)),
              yield* described("forge", String(table))
            ]
            expect(found.columns, `columns of ${table}`).toEqual(wanted.columns)
            expect(found.constraints, `constraints of ${table}`).toEqual(wanted.constraints)
            // A table may have more indexes, for handwritten queries.
            expect(found.indexes, `indexes of ${table}`).toEqual(expect.arrayContaining(wanted.indexes))
            expect(found.named, `names of constraints of ${table}`).toEqual(expect.arrayContaining(wanted.named))
          }
        })
      )
    }).pipe(Effect.provide(Database.layerInMemory({ schema: "forge", migrations })))
  )

  it("have unique names", () => {
    const names = ownedKinds.map(({ name }) => snake(name))
    expect(new Set(names).size).toBe(names.length)
  })
})

/** Returns the folder of a migration. A folder holds 25 migrations. */
const rangeOf = (name: string): string => {
  const first = Math.floor((Number(name.slice(0, 4)) - 1) / 25) * 25 + 1
  return [first, first + 24].map((number) => String(number).padStart(4, "0")).join("-")
}

describe("migrations", () => {
  for (const { name, up } of migrations) {
    it(`${name} is unchanged`, () =>
      expect(
        Effect.isEffect(up) ? "an effect\n" : `${up.join(";\n\n")};\n`,
        `migrations are frozen: undo the change of ${name} and add a new migration. For a new one: npx vitest run packages/sql/test/forge/owned.test.ts --update=all`
      ).toMatchFileSnapshot(`./migrations/${rangeOf(name)}/${name}.sql`))
  }
})
