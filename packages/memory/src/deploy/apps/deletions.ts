import { DeletionStore, hasEnded } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { collection } from "../../collection.ts"
import { cleanedSince, oldRows } from "../base/old.ts"
import { Tables } from "../base/tables.ts"
import { placeOfServer, visibleCollection } from "../base/visible.ts"

/** Stores in memory the pending and finished deletions of applications from servers. */
export const deletionStore = Layer.effect(
  DeletionStore,
  Effect.map(Tables, (tables) => {
    const { application, database, deletion, deletionsOfApplication, deploymentsOfApplication, serving } = tables
    return {
      ...visibleCollection(database, deletion, collection(database, deletion), placeOfServer(tables)),
      ofApplication: (uuid) => database.read((snapshot) => deletionsOfApplication.list(snapshot, uuid)),
      claim: ({ at, until, worker }) =>
        database
          .write((snapshot) => {
            const due = deletion
              .list(snapshot, { limit: Number.POSITIVE_INFINITY })
              .toSorted((row, other) => row.attempts - other.attempts)
              .find(
                (row) =>
                  row.status !== "finished" &&
                  (row.leaseUntil === null || row.leaseUntil <= at) &&
                  deletionsOfApplication
                    .list(snapshot, row.applicationUuid)
                    .every((each) => each.status !== "running" || each.leaseUntil === null || each.leaseUntil <= at) &&
                  serving.find(snapshot, row.applicationUuid)?.serverUuid !== row.serverUuid &&
                  deploymentsOfApplication.list(snapshot, row.applicationUuid).every((each) => hasEnded(each.status))
              )
            if (due === undefined) return Result.succeed(undefined)
            const taken = {
              ...due,
              status: "running" as const,
              attempts: due.attempts + 1,
              claimedBy: worker,
              leaseUntil: until
            }
            return Result.map(deletion.replace(snapshot, taken), () => taken)
          })
          .pipe(Effect.orDie),
      giveBack: (uuid, worker) =>
        database
          .write((snapshot) => {
            const present = deletion.find(snapshot, uuid)
            if (present?.claimedBy !== worker) return Result.succeed(false)
            return deletion.replace(snapshot, { ...present, leaseUntil: null })
          })
          .pipe(Effect.orDie, Effect.asVoid),
      endLeases: database
        .write((snapshot) => {
          for (const row of deletion.list(snapshot, { limit: Number.POSITIVE_INFINITY })) {
            if (row.status !== "finished") deletion.replace(snapshot, { ...row, leaseUntil: null })
          }
          return Result.void
        })
        .pipe(Effect.orDie),
      save: (row, worker) =>
        database
          .write((snapshot) =>
            deletion.find(snapshot, row.uuid)?.claimedBy === worker
              ? deletion.replace(snapshot, row)
              : Result.succeed(false)
          )
          .pipe(Effect.orDie),
      forget: (old) =>
        database
          .write((snapshot) => {
            const rows = oldRows(deletion, snapshot, old, ({ status, updatedAt }) =>
              status === "finished" ? updatedAt : null
            )
            for (const { applicationUuid, id, serverUuid, updatedAt } of rows) {
              if (application.has(snapshot, applicationUuid)) continue
              if (deploymentsOfApplication.list(snapshot, applicationUuid, { limit: 1 }).length > 0) continue
              if (!cleanedSince(tables, snapshot, serverUuid, updatedAt)) continue
              const removed = deletion.remove(snapshot, id)
              if (Result.isFailure(removed)) return Result.fail(removed.failure)
            }
            return Result.succeed(rows.at(-1)?.id)
          })
          .pipe(Effect.orDie)
    }
  })
)
