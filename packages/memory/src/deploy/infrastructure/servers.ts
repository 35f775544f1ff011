import { type Destination, DestinationStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import type { Snapshot } from "../../Database.ts"
import { Tables } from "../base/tables.ts"
import { placeOfServer, visibleCollection } from "../base/visible.ts"

/** Servers in memory. */
export const serverStore = Layer.effect(
  ServerStore,
  Effect.map(Tables, ({ database, server }) => ({
    ...visibleCollection(database, server, collection(database, server), (_, { teamId }) => ({ teamId })),
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
  Effect.map(Tables, (tables) => {
    const { database, destination, destinationsOfServer, server } = tables
    /** Adds the team of its server to a destination. */
    const present = (snapshot: Snapshot, row: Destination): Destination => {
      const teamId = server.find(snapshot, row.serverUuid)?.teamId ?? row.teamId
      return teamId === row.teamId ? row : { ...row, teamId }
    }
    const rows = collection(database, destination, present)
    return {
      ...visibleCollection(database, destination, rows, placeOfServer(tables), present),
      ofServer: (uuid) =>
        database.read((snapshot) => destinationsOfServer.list(snapshot, uuid).map((row) => present(snapshot, row)))
    }
  })
)
