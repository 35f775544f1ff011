import { type Environment, EnvironmentStore, type Project, ProjectStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { boolean, integer, text } from "../../collection/columns.ts"
import { deployTable } from "../base/tables.ts"
import { ofEnvironmentItself, ofProject, visibleCollection } from "../base/visible.ts"

const projects = deployTable<Project>("project", {
  teamId: integer("team_id"),
  name: text("name"),
  description: text("description")
})

const environments = deployTable<Environment>("environment", {
  projectUuid: text("project_uuid"),
  teamId: integer("team_id"),
  name: text("name"),
  description: text("description"),
  isProtected: boolean("is_protected")
})

/** Stores projects in PostgreSQL. */
export const layerProjects = Layer.effect(
  ProjectStore,
  Effect.map(SqlClient, (sql) => visibleCollection(sql, makeCollection(sql, projects), ofProject))
)

/** Stores environments in PostgreSQL. */
export const layerEnvironments = Layer.effect(
  EnvironmentStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, environments), ofEnvironmentItself)
    return {
      ...collection,
      ofProject: (project) => collection.select(sql`WHERE project_uuid = ${project} ORDER BY id`)
    }
  })
)
