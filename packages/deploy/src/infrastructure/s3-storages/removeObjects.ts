import { ObjectStorage, S3StorageStore, type S3StorageUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { openBucket } from "./openBucket.ts"

/** A row of a backup that may be stored as an object in S3. */
export interface WithObject {
  readonly object: { readonly storageUuid: S3StorageUuid; readonly key: string } | null
}

/** Removes the objects of backups from S3. Objects in deleted S3 storages stay. */
export const removeObjects = Effect.fnUntraced(function* (rows: ReadonlyArray<WithObject>) {
  const objects = rows.flatMap(({ object }) => object ?? [])
  const storages = yield* S3StorageStore
  const storage = yield* ObjectStorage
  for (const found of yield* storages.findMany(objects.map(({ storageUuid }) => storageUuid))) {
    const keys = objects.flatMap(({ key, storageUuid }) => (storageUuid === found.uuid ? [key] : []))
    yield* storage.remove((yield* openBucket(found)).access, keys)
  }
})
