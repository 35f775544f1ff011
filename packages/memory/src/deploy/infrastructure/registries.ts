import { RegistryStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"

/** Stores the credentials for container registries in memory. */
export const registryStore = Layer.effect(
  RegistryStore,
  Effect.map(Tables, ({ database, registry, registriesOfTeam }) => ({
    ...visibleCollection(database, registry, collection(database, registry), (_, { teamId }) => ({ teamId })),
    ofTeam: (team) => database.read((snapshot) => registriesOfTeam.list(snapshot, String(team)))
  }))
)
