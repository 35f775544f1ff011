import { mostFailed, mostSuccessful, VolumeBackupStore } from "@slipway/domain/deploy/databases"
import { Effect, Layer, Result } from "effect"
import { dueStore } from "../base/due.ts"
import { Tables } from "../base/tables.ts"

const mostOf = { failed: mostFailed, success: mostSuccessful } as const

/** Stores backup schedules of storages (persistent volumes) in memory. */
export const volumeBackupStore = Layer.effect(
  VolumeBackupStore,
  Effect.map(Tables, ({ database, storage, volumeBackup, volumeBackupRun, volumeBackupRunsOf }) => {
    const { shown, store } = dueStore({
      database,
      rows: volumeBackup,
      runs: volumeBackupRun,
      runsOf: volumeBackupRunsOf,
      ownerOf: ({ storageUuid }) => storageUuid,
      hasOwner: (snapshot, uuid) => storage.has(snapshot, uuid) && volumeBackup.find(snapshot, uuid, 1) === undefined,
      mostAtOnce: 1,
      forget: (snapshot, { backupUuid, status }) => {
        if (status === "running") return
        const alike = volumeBackupRunsOf.list(snapshot, backupUuid).filter((each) => each.status === status)
        for (const old of alike.slice(mostOf[status])) volumeBackupRun.remove(snapshot, old.id)
      }
    })
    return {
      ...store,
      ofStorage: (uuid) =>
        database.read((snapshot) => {
          const found = volumeBackup.find(snapshot, uuid, 1)
          return found && shown(found)
        }),
      cleared: (uuid, runs) =>
        database
          .write((snapshot): Result.Result<void, never> => {
            for (const row of volumeBackupRunsOf.list(snapshot, uuid)) {
              if (!runs.includes(row.uuid)) continue
              if (row.status === "success") volumeBackupRun.remove(snapshot, row.id)
              if (row.status === "failed") volumeBackupRun.replace(snapshot, { ...row, object: null })
            }
            return Result.void
          })
          .pipe(Effect.orDie)
    }
  })
)
