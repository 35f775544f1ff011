import { type ForgeApp, ForgeAppStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { integer, nullable, text } from "../../collection/columns.ts"
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
  clientSecret: text("client_secret"),
  webhookSecret: nullable(text("webhook_secret")),
  privateKeyUuid: text("private_key_uuid")
})

/** Stores installations of git-hosting apps in PostgreSQL. */
export const layerForgeApps = Layer.effect(
  ForgeAppStore,
  Effect.map(SqlClient, (sql) => makeCollection(sql, forgeApps))
)
