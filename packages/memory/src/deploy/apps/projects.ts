import { EnvironmentStore, ProjectStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"

/** Projects in memory. */
export const projectStore = Layer.effect(
  ProjectStore,
  Effect.map(Tables, ({ database, project }) => collection(database, project))
)

/** Environments in memory. */
export const environmentStore = Layer.effect(
  EnvironmentStore,
  Effect.map(Tables, ({ database, environment, environmentsOfProject }) => ({
    ...collection(database, environment),
    ofProject: (project) => database.read((snapshot) => environmentsOfProject.list(snapshot, project))
  }))
)
