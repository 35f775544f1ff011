import { S3StorageStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection, findMany } from "../../collection.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"

/** Stores the settings of S3 storages in memory. */
export const s3StorageStore = Layer.effect(
  S3StorageStore,
  Effect.map(Tables, ({ database, s3Storage }) => ({
    ...visibleCollection(database, s3Storage, collection(database, s3Storage), (_, { teamId }) => ({ teamId })),
    findMany: findMany(database, s3Storage)
  }))
)
