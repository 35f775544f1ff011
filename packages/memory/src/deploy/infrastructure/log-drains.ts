import { LogDrainStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Result } from "effect"
import { Tables } from "../base/tables.ts"

/** Stores in memory the position up to which the logs of each server were sent to its log drain. */
export const logDrainStore = Layer.effect(
  LogDrainStore,
  Effect.map(Tables, ({ database, drainClaim, drainProgress, drainProgressOfServer, server }) => ({
    ofServer: (uuid) =>
      database.read((snapshot) =>
        drainProgressOfServer
          .list(snapshot, uuid)
          .map(({ progress }) => progress)
          .toSorted((one, other) => (one.type < other.type ? -1 : 1))
      ),
    save: (uuid, progress) =>
      database.write((snapshot): Result.Result<void, never> => {
        if (!server.has(snapshot, uuid)) return Result.void
        for (const { id, progress: old } of drainProgressOfServer.list(snapshot, uuid)) {
          if (old.type === progress.type) drainProgress.remove(snapshot, id)
        }
        drainProgress.insert(snapshot, { server: uuid, progress })
        return Result.void
      }),
    claim: (uuid, claim) =>
      database.write((snapshot): Result.Result<boolean, never> => {
        if (!server.has(snapshot, uuid)) return Result.succeed(false)
        const present = drainClaim.find(snapshot, uuid)
        if (present !== undefined) {
          if (present.claim.worker !== claim.worker && present.claim.until > claim.at) return Result.succeed(false)
          drainClaim.remove(snapshot, present.id)
        }
        drainClaim.insert(snapshot, { server: uuid, claim })
        return Result.succeed(true)
      })
  }))
)
