import { type ContainerRef, containerName, type Engine } from "@slipway/domain/deploy/containers"
import { type BackupRun, type Database, type DatabaseKind, ownerOf, pathOf } from "@slipway/domain/deploy/databases"
import { ObjectStorage, S3StorageStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { openBucket } from "../../infrastructure/s3-storages/openBucket.ts"

/** Returns the container that serves a database; null while it is stopped. */
export const servingContainer = ({ servingUuid, uuid }: Database): ContainerRef | null => {
  const application = ownerOf(uuid)
  return servingUuid === null
    ? null
    : { application, name: containerName({ application, deployment: servingUuid, service: null }) }
}

/** Removes the files of backups from their volume if they exist; returns whether that succeeded. */
export const removeFiles = Effect.fnUntraced(function* (
  engine: Engine,
  ref: ContainerRef,
  kind: DatabaseKind,
  runs: ReadonlyArray<BackupRun>
) {
  if (runs.length === 0) return true
  const { exitCode } = yield* engine.exec(ref, { argv: ["rm", "-f", ...runs.map((run) => pathOf(kind, run))] })
  return exitCode === 0
})

/** Removes the objects of backups from S3. Those in deleted S3 storages stay. */
export const removeObjects = Effect.fnUntraced(function* (runs: ReadonlyArray<BackupRun>) {
  const objects = runs.flatMap(({ object }) => object ?? [])
  const storages = yield* S3StorageStore
  const storage = yield* ObjectStorage
  for (const storageUuid of new Set(objects.map((object) => object.storageUuid))) {
    const found = yield* storages.find(storageUuid)
    if (found === undefined) continue
    const keys = objects.flatMap((object) => (object.storageUuid === storageUuid ? [object.key] : []))
    yield* storage.remove((yield* openBucket(found)).access, keys)
  }
})
