import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Number of rows per read. */
const batch = 200

/** The first line of a dump: the schema, and the migrations that created its tables. */
export const DumpStart = Schema.Struct({ schema: Schema.String, migrations: Schema.Array(Schema.String) })

/** The line before the rows of a table. The rows follow as lines of text in PostgreSQL's format. */
export const DumpTable = Schema.Struct({ table: Schema.String, columns: Schema.Array(Schema.String) })

/** The last line of a dump: the number of rows, and the values of the sequences. */
export const DumpEnd = Schema.Struct({ rows: Schema.Number, sequences: Schema.Record(Schema.String, Schema.String) })

/** A line of a dump, as JSON; a string is a row. */
export const DumpLine = Schema.fromJsonString(Schema.Union([Schema.String, DumpTable, DumpStart, DumpEnd]))

const line = (value: typeof DumpLine.Type): string => `${JSON.stringify(value)}\n`

/**
 * Lists the tables of the current schema and their columns in order. Omits unlogged tables, because a crash empties
 * them.
 */
export const listTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{
    readonly table: string
    readonly columns: ReadonlyArray<string>
    readonly generated: ReadonlyArray<string>
  }>`
    SELECT c.relname AS "table", array_agg(a.attname::text ORDER BY a.attnum) AS "columns",
      coalesce(array_agg(a.attname::text) FILTER (WHERE a.attgenerated <> ''), '{}') AS generated
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relname <> 'slipway_migrations'
    GROUP BY c.relname ORDER BY c.relname`
})

/**
 * Writes every row of a schema as lines of text. The dump is one consistent snapshot, also during concurrent writes.
 *
 * The lines can be restored into any PostgreSQL, embedded or not: the migrations in the first line create the tables.
 */
export const dump = <E, R>(
  write: (lines: string) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | SqlError, R | SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.unprepared
    yield* sql`SELECT set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`
    const applied = yield* sql<{ readonly name: string }>`SELECT name FROM slipway_migrations ORDER BY id`
    const [where] = yield* sql<{ readonly schema: string }>`SELECT current_schema()::text AS schema`
    yield* write(line({ schema: where?.schema ?? "", migrations: applied.map(({ name }) => name) }))
    let count = 0
    for (const { columns, table } of yield* listTables) {
      yield* write(line({ table, columns }))
      yield* sql`DECLARE dumped NO SCROLL CURSOR FOR SELECT whole_row::text AS row FROM ${sql(table)} AS whole_row`
        .unprepared
      while (true) {
        const rows = yield* sql<{ readonly row: string }>`FETCH ${sql.literal(String(batch))} FROM dumped`.unprepared
        if (rows.length > 0) yield* write(rows.map(({ row }) => line(row)).join(""))
        count += rows.length
        if (rows.length < batch) break
      }
      yield* sql`CLOSE dumped`.unprepared
    }
    const stands = yield* sql<{ readonly name: string; readonly last: string }>`
      SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`
    yield* write(line({ rows: count, sequences: Object.fromEntries(stands.map(({ last, name }) => [name, last])) }))
  }).pipe((reading) => Effect.flatMap(SqlClient, (sql) => sql.withTransaction(reading)))
