import { afterAll } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Engine } from "./engines.ts"

// Deletes only from tables with rows: TRUNCATE writes new files for about a hundred tables and their indexes, which took
// longer than most tests. In replica mode the database fires no triggers of foreign keys or frozen events. A function,
// because a connection plans its hundred statements once.
const makeFunction = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = current_schema() AND tablename <> 'slipway_migrations'`
  // The root team of deploy is part of its schema.
  const all = tables.map(({ name }) => (name === "team" ? "team WHERE id > 0" : name))
  const deletions = all.map((rows) => `IF EXISTS (SELECT FROM ${rows}) THEN DELETE FROM ${rows}; END IF;`)
  yield* sql`
    ${sql.literal(`CREATE OR REPLACE FUNCTION empty_tables() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $empty$
      BEGIN
        ${deletions.join("\n")}
        PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL;
      END
      $empty$`)}`
})

const emptied = Effect.flatMap(SqlClient, (sql) => sql`SELECT empty_tables()`)

/** Provides stores on one database for all tests of a file; every build of the layer starts with empty tables. */
export const emptyStores =
  <Stores>(layerStores: Layer.Layer<Stores, never, SqlClient>) =>
  ({ database }: Engine): Layer.Layer<Stores | SqlClient, unknown> => {
    const runtime = ManagedRuntime.make(
      Layer.provideMerge(
        layerStores,
        Layer.tap(database, (context) => Effect.provide(makeFunction, context))
      )
    )
    afterAll(() => runtime.dispose())
    return Layer.effectContext(
      Effect.flatMap(runtime.contextEffect, (context) => Effect.as(Effect.provide(emptied, context), context))
    )
  }
