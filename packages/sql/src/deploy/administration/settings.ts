import type { Sealed } from "@slipway/domain"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { moment } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"

interface SettingsRow {
  readonly instance_domains: string
  readonly is_api_enabled: boolean
  readonly is_mcp_enabled: boolean
  readonly key_check: Sealed | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** Stores the settings of the instance in PostgreSQL. */
export const layerSettings = Layer.effect(
  SettingsStore,
  Effect.map(SqlClient, (sql) => {
    const read = Effect.map(
      orDieSql(
        sql<SettingsRow>`
          SELECT instance_domains, is_api_enabled, is_mcp_enabled, key_check, created_at, updated_at FROM settings`
      ),
      ([row]) =>
        row && {
          instanceDomains: row.instance_domains,
          isApiEnabled: row.is_api_enabled,
          isMcpEnabled: row.is_mcp_enabled,
          keyCheck: row.key_check,
          createdAt: row.created_at.toISOString(),
          updatedAt: row.updated_at.toISOString()
        }
    )
    return {
      read,
      // There may be no row yet that could be locked.
      lock: Effect.andThen(
        orDieSql(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.settings', 0))`),
        read
      ),
      write: ({ createdAt, instanceDomains, isApiEnabled, isMcpEnabled, keyCheck, updatedAt }) =>
        Effect.asVoid(
          orDieSql(sql`
            INSERT INTO settings (
              instance_domains, is_api_enabled, is_mcp_enabled, key_check, created_at, updated_at
            )
            VALUES (
              ${instanceDomains}, ${isApiEnabled}, ${isMcpEnabled}, ${keyCheck}, ${moment(createdAt)}, ${moment(updatedAt)}
            )
            ON CONFLICT (only_row) DO UPDATE
            SET instance_domains = excluded.instance_domains, is_api_enabled = excluded.is_api_enabled,
              is_mcp_enabled = excluded.is_mcp_enabled, key_check = excluded.key_check,
              created_at = excluded.created_at, updated_at = excluded.updated_at`)
        )
    }
  })
)
