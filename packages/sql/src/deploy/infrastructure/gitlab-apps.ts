import { type GitlabApp, GitlabAppStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { integer, nullable, text } from "../../collection/columns.ts"
import { deployTable } from "../base/tables.ts"
import { ofTeam, visibleCollection } from "../base/visible.ts"

const gitlabApps = deployTable<GitlabApp>("gitlab_app", {
  teamId: integer("team_id"),
  name: text("name"),
  htmlUrl: text("html_url"),
  customUser: text("custom_user"),
  customPort: integer("custom_port"),
  groups: nullable(text("groups")),
  webhookToken: text("webhook_token")
})

/** Stores GitLab apps in PostgreSQL. */
export const layerGitlabApps = Layer.effect(
  GitlabAppStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, gitlabApps), ofTeam("gitlab_app.team_id"))
    return { ...collection, ofTeam: (team) => collection.select(sql`WHERE team_id = ${team} ORDER BY id`) }
  })
)
