import { type Registry, RegistryStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { integer, text } from "../../collection/columns.ts"
import { deployTable } from "../base/tables.ts"
import { ofTeam, visibleCollection } from "../base/visible.ts"

const registries = deployTable<Registry>("registry", {
  teamId: integer("team_id"),
  name: text("name"),
  description: text("description"),
  registry: text("registry"),
  username: text("username"),
  password: text("password")
})

/** Stores credentials for registries in PostgreSQL. */
export const layerRegistries = Layer.effect(
  RegistryStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, registries), ofTeam("registry.team_id"))
    return { ...collection, ofTeam: (team) => collection.select(sql`WHERE team_id = ${team} ORDER BY id`) }
  })
)
