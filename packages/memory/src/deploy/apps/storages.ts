import { StorageStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { Tables } from "../base/tables.ts"
import { applicationRows } from "./applicationRows.ts"

/** Stores storages (persistent volumes) in memory. */
export const storageStore = Layer.effect(
  StorageStore,
  Effect.map(Tables, ({ application, database, databases, storage, storagesOfApplication }) => ({
    ...applicationRows({ application, database, databases }, storage, storagesOfApplication),
    find: (uuid) => database.read((snapshot) => storage.find(snapshot, uuid)),
    replace: (row) => database.write((snapshot) => Result.succeed(Result.isSuccess(storage.replace(snapshot, row))))
  }))
)
