import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { DumpEnd, DumpLine, DumpStart, DumpTable, listTables } from "../database/dump.ts"
import { checkApplied, type Migration, migrate } from "../Migrations.ts"

/** A dump cannot be restored into this database. The database is unchanged. */
export class RestoreRefused extends Data.TaggedError("RestoreRefused")<{ readonly message: string }> {}

/** The maximum number of rows, and of their characters, that one statement sends. */
const most = { rows: 1_000, characters: 1_000_000 }

const refuse = (message: string) => Effect.fail(new RestoreRefused({ message }))

const next = (lines: AsyncIterator<string>) =>
  Effect.tryPromise({
    try: () => lines.next(),
    catch: (cause) => new RestoreRefused({ message: `the dump can't be read: ${(cause as Error).message}` })
  })

const run = (statement: string) => Effect.flatMap(SqlClient, (sql) => sql`${sql.literal(statement)}`.unprepared)

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Inserts the rows of a dump into the tables. Triggers do not run, and foreign keys are checked at the end. */
const fill = Effect.fnUntraced(function* (lines: AsyncIterator<string>) {
  const sql = yield* SqlClient
  yield* sql`SELECT set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`
  const tables = new Map((yield* listTables).map((table) => [table.table, table]))
  // Foreign keys are dropped, and checked for all rows together when they are added again at the end.
  const references = yield* sql<{ readonly table: string; readonly name: string; readonly rule: string }>`
    SELECT conrelid::regclass::text AS "table", conname::text AS name, pg_get_constraintdef(oid) AS rule
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`
  for (const { name, table } of references) yield* run(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`)
  for (const table of tables.keys()) yield* run(`ALTER TABLE ${quoted(table)} DISABLE TRIGGER USER`)
  // Some migrations insert rows.
  if (tables.size > 0) yield* run(`TRUNCATE ${[...tables.keys()].map(quoted).join(", ")}`)

  let insert = ""
  let rows: Array<string> = []
  let characters = 0
  let count = 0
  const flush = Effect.suspend(() => {
    const sent = rows
    rows = []
    characters = 0
    // The row is decoded once, and not once for each column.
    if (sent.length === 0) return Effect.void
    return Effect.asVoid(sql`${sql.literal(insert)} unnest(${sent}::text[]) AS line OFFSET 0) AS rows`)
  })
  while (true) {
    const { done, value } = yield* next(lines)
    if (done === true) return yield* refuse("the dump of the database breaks off")
    const line = yield* Effect.mapError(
      Schema.decodeUnknownEffect(DumpLine)(value),
      () => new RestoreRefused({ message: "the dump of the database has a line that is none of a dump" })
    )
    if (typeof line === "string") {
      rows.push(line)
      characters += line.length
      count += 1
      if (rows.length >= most.rows || characters >= most.characters) yield* flush
    } else if (Schema.is(DumpTable)(line)) {
      yield* flush
      const table = tables.get(line.table)
      if (table === undefined || table.columns.join() !== line.columns.join()) {
        return yield* refuse(`the dump's table \`${line.table}\` does not match its migrations`)
      }
      const columns = line.columns.filter((column) => !table.generated.includes(column)).map(quoted)
      insert = `INSERT INTO ${quoted(line.table)} (${columns.join(", ")}) OVERRIDING SYSTEM VALUE
        SELECT ${columns.map((column) => `(filled).${column}`).join(", ")}
        FROM (SELECT line::${quoted(line.table)} AS filled FROM`
    } else if (Schema.is(DumpEnd)(line)) {
      yield* flush
      if (count !== line.rows) return yield* refuse(`the dump has ${count} rows of ${line.rows}`)
      for (const [name, last] of Object.entries(line.sequences)) {
        yield* sql`SELECT setval(${quoted(name)}::regclass, ${last}::bigint)`
      }
      break
    }
  }
  for (const { name, rule, table } of references) {
    yield* run(`ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${rule}`)
  }
  for (const table of tables.keys()) yield* run(`ALTER TABLE ${quoted(table)} ENABLE TRIGGER USER`)
  return count
})

/**
 * Restores a dump into a database without tables in its schema, migrates it, and returns the number of rows.
 *
 * The migrations of the dump create the tables. They must be the first migrations of this version; the later migrations
 * then run on the restored rows, as for any other database.
 */
export const restore = Effect.fnUntraced(function* (
  schema: string,
  migrations: ReadonlyArray<Migration>,
  dumped: AsyncIterable<string>
) {
  const sql = yield* SqlClient
  const found = yield* sql`
    SELECT 1 FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = ${schema}) LIMIT 1`
  if (found.length > 0)
    return yield* refuse(`the database has a schema \`${schema}\` already: restore into one that has none`)
  const lines = dumped[Symbol.asyncIterator]()
  const first = yield* next(lines)
  const start = yield* Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(DumpStart))(first.value),
    () => new RestoreRefused({ message: "this is not a database dump" })
  )
  if (start.schema !== schema) return yield* refuse(`the dump is one of \`${start.schema}\`, and not of \`${schema}\``)
  yield* checkApplied(schema, start.migrations, migrations)
  return yield* Effect.gen(function* () {
    yield* migrate(schema, migrations.slice(0, start.migrations.length))
    const count = yield* sql.withTransaction(fill(lines))
    yield* migrate(schema, migrations)
    return count
  }).pipe(Effect.onError(() => Effect.ignore(sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`)))
})
