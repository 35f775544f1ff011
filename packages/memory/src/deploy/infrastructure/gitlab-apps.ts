import { GitlabAppStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"

/** Stores GitLab apps in memory. */
export const gitlabAppStore = Layer.effect(
  GitlabAppStore,
  Effect.map(Tables, ({ database, gitlabApp, gitlabAppsOfTeam }) => ({
    ...visibleCollection(database, gitlabApp, collection(database, gitlabApp), (_, { teamId }) => ({ teamId })),
    ofTeam: (team) => database.read((snapshot) => gitlabAppsOfTeam.list(snapshot, String(team)))
  }))
)
