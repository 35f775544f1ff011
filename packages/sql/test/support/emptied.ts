import { afterAll } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Engine } from "./engines.ts"

const emptied = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    DO $$
    BEGIN
      EXECUTE (
        SELECT 'TRUNCATE ' || string_agg(format('%I', tablename), ', ') || ' RESTART IDENTITY'
        FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'slipway_migrations'
      );
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
