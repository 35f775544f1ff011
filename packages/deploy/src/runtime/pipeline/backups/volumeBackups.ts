import { makeUuid } from "@slipway/domain"
import { type Storage, StorageStore } from "@slipway/domain/deploy/apps"
import { type Container, type ContainerRef, type Engine, volumeName } from "@slipway/domain/deploy/containers"
import {
  expiredBackups,
  hasLeftover,
  uploadedObject,
  type VolumeBackup,
  type VolumeBackupRun,
  VolumeBackupRunUuid,
  VolumeBackupStore,
  VolumeRestoreStore,
  volumeObjectKey
} from "@slipway/domain/deploy/databases"
import { S3StorageStore, ServerStore, volumeBackupMessage } from "@slipway/domain/deploy/infrastructure"
import { Clock, Effect, Stream } from "effect"
import { writeObject } from "../../../infrastructure/s3-storages/openBucket.ts"
import { removeObjects } from "../../../infrastructure/s3-storages/removeObjects.ts"
import { isManaged } from "../../../infrastructure/servers/isManaged.ts"
import { openEngine } from "../../../infrastructure/servers/validate.ts"
import { failureReasonOf } from "../deployContext.ts"
import { type Ended, failedWith, runDue, storedOutput } from "../due.ts"
import type { Place } from "../places.ts"
import { findTarget } from "./storageTargets.ts"

/** Finds the storage of a backup schedule, with the resource that owns it; undefined if one of them was deleted. */
const findTargetOf = Effect.fnUntraced(function* ({ storageUuid }: VolumeBackup) {
  const storage = yield* (yield* StorageStore).find(storageUuid)
  return storage && (yield* findTarget(storage))
})

/** Finds a container that mounts a storage, preferably a running one; verifies that the mount is this storage. */
const findContainer = Effect.fnUntraced(function* (engine: Engine, storage: Storage) {
  const { applicationUuid: application, hostPath, mountPath, service } = storage
  const source = hostPath ?? volumeName(application, storage.name)
  const all = (yield* engine.list({ application })).filter(({ owner }) => owner.service === service)
  const isRunning = ({ state }: Container) => state === "running"
  for (const { name } of [...all.filter(isRunning), ...all.filter((each) => !isRunning(each)).reverse()]) {
    const ref: ContainerRef = { application, name }
    if ((yield* engine.inspect(ref)).mounts[mountPath] === source) return ref
  }
  return undefined
})

/** Returns why no container mounts a storage. */
const whyUnmounted = Effect.fnUntraced(function* ({ applicationUuid }: Storage) {
  return (yield* (yield* VolumeRestoreStore).restoring).has(applicationUuid)
    ? "a restore replaces a storage of the resource: run the backup again afterwards"
    : "no container mounts the storage: deploy or start the resource"
})

const broken = (because: string) => Effect.fail({ _tag: "BackupFailed", because } as const)

/** Uploads the directory of a storage as a tar archive. Returns the size of the archive in bytes. */
const upload = Effect.fnUntraced(function* (
  run: VolumeBackupRun,
  bytes: Stream.Stream<Uint8Array, { readonly _tag: string }>
) {
  const { object } = run
  const storage = object === null ? undefined : yield* (yield* S3StorageStore).find(object.storageUuid)
  if (object === null || storage === undefined) return yield* broken("the S3 storage does not exist")
  if (!storage.isUsable) return yield* broken(`the S3 storage "${storage.name}" is not usable: validate it`)
  let size = 0
  const measured = Stream.tap(bytes, (chunk) =>
    Effect.sync(() => {
      size += chunk.length
    })
  )
  yield* writeObject(storage, object.key, measured)
  return size
})

/** The timeout in seconds for removing objects from S3. After it, the next backup removes the remaining ones. */
const longestRemoval = 15

/** Removes the objects that failed backups may have left, and after a success the backups beyond the limits. */
const removeOld = Effect.fnUntraced(function* (
  backup: VolumeBackup,
  newestFirst: ReadonlyArray<VolumeBackupRun>,
  isSuccess: boolean
) {
  const { s3Keeps, s3KeepsDays, s3KeepsGigabytes, uuid } = backup
  const uploaded = newestFirst.filter((run) => uploadedObject(run) !== null)
  const limits = { amount: s3Keeps, days: s3KeepsDays, gigabytes: s3KeepsGigabytes }
  // Backups expire only after a success: a long outage must not remove the last good ones.
  const expired = isSuccess ? expiredBackups(uploaded, limits, yield* Clock.currentTimeMillis) : []
  const old = [...newestFirst.filter(hasLeftover), ...expired]
  if (old.length === 0) return
  yield* removeObjects(old)
  yield* (yield* VolumeBackupStore).cleared(
    uuid,
    old.map((run) => run.uuid)
  )
})

const attempt = Effect.fnUntraced(function* (backup: VolumeBackup, run: VolumeBackupRun, place: Place) {
  const target = yield* findTargetOf(backup)
  const server = target && (yield* (yield* ServerStore).find(target.serverUuid))
  if (target === undefined || server === undefined) return failedWith("the storage was deleted")
  const earlier = (yield* (yield* VolumeBackupStore).executions(backup.uuid)).filter(({ uuid }) => uuid !== run.uuid)
  const backupRun = Effect.gen(function* () {
    const engine = yield* place.reaching(Effect.tap(openEngine(server), ({ info }) => info))
    const ref = yield* findContainer(engine, target.storage)
    if (ref === undefined) return yield* broken(yield* whyUnmounted(target.storage))
    const size = yield* upload(run, engine.archive(ref, target.storage.mountPath))
    return { ...run, status: "success", message: "", size } satisfies VolumeBackupRun
  })
  const ended = yield* Effect.match(backupRun, {
    onFailure: (error): Ended => failedWith(storedOutput(failureReasonOf(error))),
    onSuccess: (done): Ended & Partial<VolumeBackupRun> => done
  })
  const newest = ended.status === "success" ? [{ ...run, ...ended }] : []
  yield* removeOld(backup, [...newest, ...earlier], ended.status === "success").pipe(
    Effect.timeout(longestRemoval * 1_000),
    Effect.ignore
  )
  return ended
}, Effect.scoped)

const runOf = Effect.fnUntraced(function* ({ s3StorageUuid, storageUuid, uuid }: VolumeBackup, at: string) {
  const storage = yield* (yield* S3StorageStore).find(s3StorageUuid)
  const run: VolumeBackupRun = {
    uuid: yield* makeUuid(VolumeBackupRunUuid),
    backupUuid: uuid,
    status: "running",
    message: null,
    size: null,
    object: null,
    startedAt: at,
    finishedAt: null
  }
  if (storage === undefined) return run
  // Stored before the upload, so that the object of a killed process is found and removed.
  const key = volumeObjectKey(storageUuid, run, storage.recipient !== null)
  return { ...run, object: { storageUuid: storage.uuid, key } }
})

const messageOf = Effect.fnUntraced(function* (backup: VolumeBackup, run: VolumeBackupRun) {
  const target = yield* findTargetOf(backup)
  if (target === undefined) return undefined
  const { name, path, placement, storage } = target
  const content = volumeBackupMessage(
    { name, path, uuid: storage.applicationUuid },
    storage,
    { backup: backup.uuid, frequency: backup.frequency },
    run.status === "failed"
  )
  return { teamId: placement.teamId, content }
})

// The seconds that an engine has to connect.
const grace = 10

/**
 * Makes due backups of storages until it is interrupted, at most one at a time for each storage. Polls every second.
 */
export const runVolumeBackups = Effect.fnUntraced(function* (settings: {
  readonly lease: number
  readonly alone: boolean
}) {
  const store = yield* VolumeBackupStore
  const timeoutOf = ({ timeout }: VolumeBackup) => timeout + grace + longestRemoval
  const canBegin = Effect.fnUntraced(function* (backup: VolumeBackup) {
    const target = yield* findTargetOf(backup)
    return target === undefined || (yield* isManaged(target.serverUuid))
  })
  return yield* runDue(
    { called: "backup of a storage", store, messageOf, canBegin, runOf, timeoutOf, attempt },
    settings
  )
})
