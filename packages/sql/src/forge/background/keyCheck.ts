import type { Sealed } from "@slipway/domain"
import { KeyCheckStore } from "@slipway/domain/forge/base"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { orDieSql } from "../../SqlErrors.ts"

/** Stores in PostgreSQL an encrypted text that detects a start with a different secret key. */
export const layerKeyCheck = Layer.effect(
  KeyCheckStore,
  Effect.map(SqlClient, (sql) => ({
    first: (sealed) =>
      orDieSql(
        Effect.map(
          // The update changes nothing, but returns a row that another process may have written first.
          sql`
            INSERT INTO key_check (id, sealed) VALUES (true, ${sealed})
            ON CONFLICT (id) DO UPDATE SET sealed = key_check.sealed RETURNING sealed`.values,
          ([values]) => values?.[0] as Sealed
        )
      )
  }))
)
