import { afterAll } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Engine } from "./engines.ts"

// Only what has rows is deleted: TRUNCATE writes new files for each of some hundred tables and their indexes, which took
// longer than most tests. As a replica the database fires no triggers, of foreign keys or of events that stay as they are.
const emptied = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    DO $$
    DECLARE
      name text;
      filled boolean;
    BEGIN
      SET LOCAL session_replication_role = replica;
      FOR name IN
        SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'slipway_migrations'
      LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO filled;
        IF filled THEN EXECUTE format('DELETE FROM %I', name); END IF;
      END LOOP;
      PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL;
    END
    $$`
)

/** Stores on one database for all tests of a file; every build of the layer begins with empty tables. */
export const emptiedStores =
  <Stores>(layerStores: Layer.Layer<Stores, never, SqlClient>) =>
  ({ database }: Engine): Layer.Layer<Stores | SqlClient, unknown> => {
    const runtime = ManagedRuntime.make(Layer.provideMerge(layerStores, database))
    afterAll(() => runtime.dispose())
    return Layer.effectContext(
      Effect.flatMap(runtime.contextEffect, (context) => Effect.as(Effect.provide(emptied, context), context))
    )
  }
