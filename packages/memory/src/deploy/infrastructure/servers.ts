import { DestinationStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"

/** Servers in memory. */
export const serverStore = Layer.effect(
  ServerStore,
  Effect.map(Tables, ({ database, server }) => ({
    ...collection(database, server),
    findMany: (uuids) =>
      database.read((snapshot) =>
        [...new Set(uuids)]
          .flatMap((uuid) => server.find(snapshot, uuid) ?? [])
          .toSorted((one, other) => one.id - other.id)
      )
  }))
)

/** Destinations in memory. */
export const destinationStore = Layer.effect(
  DestinationStore,
  Effect.map(Tables, ({ database, destination, destinationsOfServer }) => ({
    ...collection(database, destination),
    ofServer: (server) => database.read((snapshot) => destinationsOfServer.list(snapshot, server))
  }))
)
