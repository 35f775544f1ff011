import { type ForgeApp, ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { integer, json, nullable, text } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable } from "../base/tables.ts"

const forgeApps = deployTable<ForgeApp>("forge_app", {
  name: text("name"),
  organization: nullable(text("organization")),
  apiUrl: text("api_url"),
  htmlUrl: text("html_url"),
  customUser: text("custom_user"),
  customPort: integer("custom_port"),
  appId: integer("app_id"),
  installationId: integer("installation_id"),
  clientId: text("client_id"),
  clientSecret: nullable(text("client_secret")),
  webhookSecret: nullable(text("webhook_secret")),
  privateKeyUuid: nullable(text("private_key_uuid")),
  connection: nullable(json("connection"))
})

/** Stores installations of git-hosting apps and connections to forges in PostgreSQL. */
export const layerForgeApps = Layer.effect(
  ForgeAppStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, forgeApps)
    return {
      ...collection,
      connected: ({ after = 0, limit, skip = 0 }) =>
        Effect.map(
          collection.select(sql`
            WHERE connection IS NOT NULL AND id > ${after} ORDER BY id LIMIT ${limit} OFFSET ${skip}`),
          (rows) => rows.filter(isConnected)
        ),
      countConnected: orDieSql(
        Effect.map(sql`SELECT count(*)::float8 FROM forge_app WHERE connection IS NOT NULL`.values, ([counted]) =>
          Number(counted?.[0])
        )
      )
    }
  })
)
