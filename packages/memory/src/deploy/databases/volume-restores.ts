import { mostRestores, VolumeRestoreStore } from "@slipway/domain/deploy/databases"
import { Effect, Layer, Result } from "effect"
import { dueStore } from "../base/due.ts"
import { Tables } from "../base/tables.ts"

/** Stores restores of storages in memory. */
export const volumeRestoreStore = Layer.effect(
  VolumeRestoreStore,
  Effect.map(Tables, (tables) => {
    const { database, storage, volumeRestore, volumeRestoreRun, volumeRestoreRunsOf, volumeRestoresOfStorage } = tables
    const { shown, store } = dueStore({
      database,
      rows: volumeRestore,
      runs: volumeRestoreRun,
      runsOf: volumeRestoreRunsOf,
      ownerOf: ({ storageUuid }) => storageUuid,
      hasOwner: (snapshot, uuid) => storage.find(snapshot, uuid) !== undefined,
      mostAtOnce: 1
    })
    const { insert, remove: _, replace: __, ...due } = store
    const lastRun = (snapshot: Parameters<typeof volumeRestoreRunsOf.list>[0], uuid: string) => {
      const [last] = volumeRestoreRunsOf.list(snapshot, uuid)
      if (last === undefined) return null
      const { id: _, ...run } = last
      return run
    }
    return {
      ...due,
      ofStorage: (uuid) =>
        database.read((snapshot) =>
          volumeRestoresOfStorage
            .list(snapshot, uuid)
            .map((row) => ({ restore: shown(row), run: lastRun(snapshot, row.uuid) }))
        ),
      restoring: database.read(
        (snapshot) =>
          new Set(
            volumeRestore
              .list(snapshot, { limit: Number.POSITIVE_INFINITY })
              .filter((row) => row.isAsked || lastRun(snapshot, row.uuid)?.status === "running")
              .flatMap(({ storageUuid }) => storage.find(snapshot, storageUuid)?.applicationUuid ?? [])
          )
      ),
      setImage: (uuid, image) =>
        database
          .write((snapshot) => {
            const row = volumeRestore.find(snapshot, uuid)
            return row === undefined ? Result.succeed(false) : volumeRestore.replace(snapshot, { ...row, image })
          })
          .pipe(Effect.orDie, Effect.asVoid),
      insert: (row) =>
        Effect.tap(insert(row), () =>
          database
            .write((snapshot): Result.Result<void, never> => {
              for (const old of volumeRestoresOfStorage.list(snapshot, row.storageUuid).slice(mostRestores)) {
                if (!old.isAsked && old.leaseUntil === null) volumeRestore.remove(snapshot, old.id)
              }
              return Result.void
            })
            .pipe(Effect.orDie)
        )
    }
  })
)
