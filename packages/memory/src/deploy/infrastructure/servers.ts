import { type Destination, DestinationStore, type Server, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection, findMany } from "../../collection.ts"
import type { Snapshot } from "../../Database.ts"
import { Tables } from "../base/tables.ts"
import { keyUsers, placeOfServer, visibleCollection } from "../base/visible.ts"

/** Stores servers in memory. */
export const serverStore = Layer.effect(
  ServerStore,
  Effect.map(Tables, ({ database, server }) => {
    const where = (holds: (row: Server) => boolean) =>
      database.read((snapshot) => server.list(snapshot, { limit: Number.POSITIVE_INFINITY }).filter(holds))
    return {
      ...visibleCollection(database, server, collection(database, server), (_, { teamId }) => ({ teamId })),
      ...keyUsers(database, server),
      findMany: findMany(database, server),
      findBuildServer: (team) =>
        Effect.map(
          where(
            ({ isBuildServer, teamId, validation }) =>
              isBuildServer && teamId === team && validation?.isUsable !== false
          ),
          ([oldest]) => oldest
        ),
      atAddress: (ip, port) => where((row) => row.port === port && row.ip.toLowerCase() === ip.toLowerCase()),
      withMetrics: where(({ isMetricsEnabled }) => isMetricsEnabled),
      withLogDrains: where(({ logDrains }) => logDrains.some(({ isEnabled }) => isEnabled))
    }
  })
)

/** Stores destinations (the networks of servers in which containers run) in memory. */
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
      findMany: findMany(database, destination, present),
      ofServer: (uuid) =>
        database.read((snapshot) => destinationsOfServer.list(snapshot, uuid).map((row) => present(snapshot, row)))
    }
  })
)
