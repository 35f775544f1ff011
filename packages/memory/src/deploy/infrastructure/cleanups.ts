import { type Cleanup, CleanupStore, mostCleanups } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Result } from "effect"
import { Tables } from "../base/tables.ts"

const shown = ({ id: _, ...cleanup }: Cleanup & { readonly id: number }): Cleanup => cleanup
const all = { limit: Number.POSITIVE_INFINITY }

/** Stores the disk cleanups of servers in memory. */
export const cleanupStore = Layer.effect(
  CleanupStore,
  Effect.map(Tables, ({ cleanup, cleanupsOfServer, database, server }) => ({
    ofServer: (uuid) => database.read((snapshot) => cleanupsOfServer.list(snapshot, uuid).map(shown)),
    newest: database.read((snapshot) =>
      server.list(snapshot, all).flatMap(({ uuid }) => cleanupsOfServer.list(snapshot, uuid, { limit: 1 }).map(shown))
    ),
    insert: (row) =>
      database.write((snapshot): Result.Result<void, never> => {
        if (!server.has(snapshot, row.serverUuid)) return Result.void
        cleanup.insert(snapshot, row)
        for (const old of cleanupsOfServer.list(snapshot, row.serverUuid, { ...all, skip: mostCleanups })) {
          cleanup.remove(snapshot, old.id)
        }
        return Result.void
      }),
    replace: (row) =>
      database.write((snapshot): Result.Result<void, never> => {
        const present = cleanup.find(snapshot, row.uuid)
        if (present !== undefined) cleanup.replace(snapshot, { ...present, ...row })
        return Result.void
      })
  }))
)
