import { type ForgeApp, ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { integer, json, nullable, text } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable } from "../base/tables.ts"
import { keyUsers, ofTeam, seenBy, visibleCollection } from "../base/visible.ts"

const forgeApps = deployTable<ForgeApp>("forge_app", {
  teamId: integer("team_id"),
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
    const collection = visibleCollection(sql, makeCollection(sql, forgeApps), ofTeam("forge_app.team_id"))
    return {
      ...collection,
      ...keyUsers(sql, collection, ofTeam("forge_app.team_id")),
      connected: ({ after = 0, limit, skip = 0 }, visible) =>
        Effect.map(
          collection.select(sql`
            WHERE connection IS NOT NULL AND id > ${after} AND ${seenBy(sql, ofTeam("forge_app.team_id"), visible)} ORDER BY id LIMIT ${limit} OFFSET ${skip}`),
          (rows) => rows.filter(isConnected)
        ),
      firstClient: Effect.map(
        collection.select(sql`WHERE connection IS NOT NULL AND client_secret IS NOT NULL ORDER BY id LIMIT 1`),
        (rows) => rows.find(isConnected)
      ),
      countConnected: (visible) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT count(*)::float8 FROM forge_app
              WHERE connection IS NOT NULL AND ${seenBy(sql, ofTeam("forge_app.team_id"), visible)}`.values,
            ([counted]) => Number(counted?.[0])
          )
        )
    }
  })
)
