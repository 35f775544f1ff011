import { BackupStore, mostFailed, mostSuccessful } from "@slipway/domain/deploy/databases"
import { Effect, Layer, Result } from "effect"
import { dueStore } from "../base/due.ts"
import { Tables } from "../base/tables.ts"

const mostOf = { failed: mostFailed, success: mostSuccessful } as const

/** Stores backup schedules of databases in memory. */
export const backupStore = Layer.effect(
  BackupStore,
  Effect.map(Tables, ({ backup, backupRun, backupRunsOf, backupsOfDatabase, database, databases }) => {
    const { shown, store } = dueStore({
      database,
      rows: backup,
      runs: backupRun,
      runsOf: backupRunsOf,
      ownerOf: ({ databaseUuid }) => databaseUuid,
      hasOwner: (snapshot, uuid) => databases.has(snapshot, uuid),
      mostAtOnce: 1,
      forget: (snapshot, { backupUuid, status }) => {
        if (status === "running") return
        const alike = backupRunsOf.list(snapshot, backupUuid).filter((each) => each.status === status)
        for (const old of alike.slice(mostOf[status])) backupRun.remove(snapshot, old.id)
      }
    })
    return {
      ...store,
      ofDatabase: (uuid) => database.read((snapshot) => backupsOfDatabase.list(snapshot, uuid).map(shown)),
      cleared: (uuid, side, runs) =>
        database
          .write((snapshot): Result.Result<void, never> => {
            for (const row of backupRunsOf.list(snapshot, uuid)) {
              if (!runs.includes(row.uuid) || row.status === "running") continue
              const left = side === "local" ? { ...row, isLocal: false } : { ...row, object: null }
              if (left.status === "success" && left.isLocal !== true && left.object === null) {
                backupRun.remove(snapshot, row.id)
              } else backupRun.replace(snapshot, left)
            }
            return Result.void
          })
          .pipe(Effect.orDie),
      drop: (uuid, runs) =>
        database
          .write((snapshot): Result.Result<void, never> => {
            for (const row of backupRunsOf.list(snapshot, uuid)) {
              if (runs.includes(row.uuid)) backupRun.remove(snapshot, row.id)
            }
            return Result.void
          })
          .pipe(Effect.orDie)
    }
  })
)
