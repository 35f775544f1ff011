import { type Environment, EnvironmentStore, ProjectStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import type { Snapshot } from "../../Database.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"

/** Stores projects in memory. */
export const projectStore = Layer.effect(
  ProjectStore,
  Effect.map(Tables, ({ database, project }) =>
    visibleCollection(database, project, collection(database, project), (_, { teamId, uuid }) => ({
      teamId,
      project: uuid
    }))
  )
)

/** Stores environments in memory. */
export const environmentStore = Layer.effect(
  EnvironmentStore,
  Effect.map(Tables, ({ database, environment, environmentsOfProject, project }) => {
    /** Adds the team of its project to an environment. */
    const present = (snapshot: Snapshot, row: Environment): Environment => {
      const teamId = project.find(snapshot, row.projectUuid)?.teamId ?? row.teamId
      return teamId === row.teamId ? row : { ...row, teamId }
    }
    return {
      ...visibleCollection(
        database,
        environment,
        collection(database, environment, present),
        (snapshot, row) => ({
          teamId: present(snapshot, row).teamId,
          project: row.projectUuid,
          environment: row.uuid,
          isProtected: row.isProtected
        }),
        present
      ),
      ofProject: (uuid) =>
        database.read((snapshot) => environmentsOfProject.list(snapshot, uuid).map((row) => present(snapshot, row)))
    }
  })
)
