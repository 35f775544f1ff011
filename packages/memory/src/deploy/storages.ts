import { StorageStore } from "@slipway/domain/deploy"
import { Effect, Layer, Result } from "effect"
import { Tables } from "./tables.ts"

/** Storages in memory. */
export const storageStore = Layer.effect(
  StorageStore,
  Effect.map(Tables, ({ application, database, storage, storagesOfApplication }) => ({
    ofApplication: (uuid) => database.read((snapshot) => storagesOfApplication.list(snapshot, uuid)),
    insertMany: (rows) =>
      database.write((snapshot) =>
        Result.succeed(
          rows.flatMap((row) => {
            if (!application.has(snapshot, row.applicationUuid)) return []
            const inserted = storage.insert(snapshot, row)
            return Result.isSuccess(inserted) ? [inserted.success] : []
          })
        )
      ),
    replace: (row) => database.write((snapshot) => Result.succeed(Result.isSuccess(storage.replace(snapshot, row)))),
    remove: (uuid, which) =>
      database
        .write((snapshot) => {
          const present = storage.find(snapshot, which)
          return present === undefined || present.applicationUuid !== uuid
            ? Result.succeed(false)
            : storage.remove(snapshot, present.id)
        })
        .pipe(Effect.orDie)
  }))
)
