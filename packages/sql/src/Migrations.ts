import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * A migration: one step of a database schema. It consists of SQL statements, or of an effect if statements are not
 * sufficient.
 */
export interface Migration {
  /** The number in four digits and a name, as in `0001_start`. Numbers start at 1 and have no gaps. */
  readonly name: string
  readonly up: ReadonlyArray<string> | Effect.Effect<void, SqlError, SqlClient>
}

/** The database contains migrations of a newer version of Slipway. */
export class DatabaseNewer extends Data.TaggedError("DatabaseNewer")<{
  readonly schema: string
  readonly migration: string
}> {
  override get message(): string {
    return `the database schema \`${this.schema}\` was created by a newer version of Slipway (it has the migration \`${this.migration}\`): start that version`
  }
}

/** The database contains a migration that has the same number as a migration of this version, but another name. */
export class DatabaseDiffers extends Data.TaggedError("DatabaseDiffers")<{
  readonly schema: string
  readonly found: string
  readonly expected: string
}> {
  override get message(): string {
    return `the database schema \`${this.schema}\` has the migration \`${this.found}\` where this version has \`${this.expected}\`: it belongs to another application, or to a version that was never released`
  }
}

/** A migration failed and was rolled back. Earlier migrations remain applied. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{
  readonly schema: string
  readonly migration: string
  readonly cause: SqlError
}> {
  override get message(): string {
    const cause = this.cause.reason.cause
    const detail = cause instanceof Error ? cause.message : this.cause.message
    return `the migration \`${this.migration}\` of the database schema \`${this.schema}\` failed: ${detail}`
  }
}

/** The reasons why a database can't be migrated. */
export type MigrationError = DatabaseNewer | DatabaseDiffers | MigrationFailed

/**
 * Creates a schema and runs its pending migrations in order; returns their names.
 *
 * Effect's Migrator is not used, for three reasons: it runs all migrations in one transaction, it accepts a database
 * that a newer version migrated, and it never compares names. Here every migration is a separate transaction, which
 * takes the advisory lock of the schema and then looks for the next migration. So several processes may start
 * concurrently, also behind a connection pooler that has no sessions.
 */
export const migrate = (
  schema: string,
  migrations: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<string>, MigrationError | SqlError, SqlClient> =>
  Effect.gen(function* () {
    checkNumbers(migrations)
    const sql = yield* SqlClient
    yield* makeSchema(schema)
    const ran: Array<string> = []
    while (true) {
      const next = yield* sql.withTransaction(runNext(schema, migrations))
      if (next === undefined) return ran
      ran.push(next)
    }
  })

const checkNumbers = (migrations: ReadonlyArray<Migration>): void => {
  migrations.forEach(({ name }, index) => {
    const number = String(index + 1).padStart(4, "0")
    if (!/^\d{4}_[a-z0-9_]+$/.test(name) || !name.startsWith(`${number}_`)) {
      throw new Error(`the migration \`${name}\` should be named \`${number}_…\``)
    }
  })
}

/**
 * Takes the advisory lock of a schema, and waits for migrations of other processes without a timeout: rewriting a large
 * table can take longer than the usual 20 seconds.
 */
const lock = (schema: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`SELECT set_config('statement_timeout', '0', true)`
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`slipway migrations ${schema}`}, 0))`
  })

/**
 * Creates a schema if it is missing. It checks first, so that a role without permission to create schemas can use an
 * existing schema.
 */
const makeSchema = (schema: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const missing = Effect.map(sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`, (rows) => rows.length === 0)
    const make = Effect.gen(function* () {
      yield* lock(schema)
      if (yield* missing) yield* sql`CREATE SCHEMA ${sql(schema)}`
    })
    if (yield* missing) yield* sql.withTransaction(make)
  })

/**
 * Checks that the applied migrations are the first migrations of this version, in the same order. Fails with
 * `DatabaseNewer` or `DatabaseDiffers`.
 */
export const checkApplied = Effect.fnUntraced(function* (
  schema: string,
  applied: ReadonlyArray<string>,
  migrations: ReadonlyArray<Migration>
) {
  for (const [index, found] of applied.entries()) {
    const expected = migrations[index]?.name
    if (expected === undefined) return yield* new DatabaseNewer({ schema, migration: found })
    if (expected !== found) return yield* new DatabaseDiffers({ schema, found, expected })
  }
})

const runNext = Effect.fnUntraced(function* (schema: string, migrations: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient
  yield* lock(schema)
  const applied = yield* appliedNames(schema)
  yield* checkApplied(schema, applied, migrations)
  const next = migrations[applied.length]
  if (next === undefined) return undefined
  yield* run(next).pipe(
    Effect.andThen(sql`INSERT INTO slipway_migrations (id, name) VALUES (${applied.length + 1}, ${next.name})`),
    Effect.catchTag("SqlError", (cause) => Effect.fail(new MigrationFailed({ schema, migration: next.name, cause })))
  )
  return next.name
})

const appliedNames = (schema: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const known = yield* sql`
      SELECT 1 FROM pg_tables WHERE schemaname = ${schema} AND tablename = 'slipway_migrations'`
    if (known.length === 0) {
      yield* sql`
        CREATE TABLE slipway_migrations (
          id integer PRIMARY KEY,
          name text NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT now()
        )`
      return []
    }
    const rows = yield* sql<{ readonly name: string }>`SELECT name FROM slipway_migrations ORDER BY id`
    return rows.map(({ name }) => name)
  })

const run = ({ up }: Migration): Effect.Effect<void, SqlError, SqlClient> =>
  Effect.isEffect(up)
    ? up
    : Effect.flatMap(SqlClient, (sql) =>
        Effect.forEach(up, (statement) => sql`${sql.literal(statement)}`.unprepared, { discard: true })
      )
