import { makeUuid } from "@slipway/domain"
import { DeploymentStore, isActive, ReleaseStore, type Storage, StorageStore } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type ContainerRef,
  containerName,
  containerSpec,
  type Engine,
  type Owner,
  volumeName,
  withoutTopDirectory
} from "@slipway/domain/deploy/containers"
import {
  DatabaseStore,
  databaseOf,
  encryptedEnding,
  mostAttempts,
  uploadedObject,
  VolumeBackupStore,
  type VolumeRestore,
  type VolumeRestoreRun,
  VolumeRestoreRunUuid,
  VolumeRestoreStore
} from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { S3StorageStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Stream } from "effect"
import { repair } from "../../../databases/Databases.ts"
import { readObject } from "../../../infrastructure/s3-storages/openBucket.ts"
import { openEngine } from "../../../infrastructure/servers/validate.ts"
import { failureReasonOf, openServing } from "../deployContext.ts"
import { type Ended, failedWith, runDue, storedOutput } from "../due.ts"
import type { Place } from "../places.ts"
import { restore as restoreRelease } from "../restore.ts"
import { findTarget, type StorageTarget } from "./storageTargets.ts"

const broken = (because: string) => Effect.fail({ _tag: "RestoreFailed", because } as const)

/** The names of what a restore creates on the server: two containers that never start, and a volume. */
interface Leftovers {
  readonly staging: Owner
  readonly target: Owner
  readonly volume: string
}

/** Returns the names for a storage. All attempts use the same names, so each removes what a killed one left. */
const leftoversOf = ({ applicationUuid: application, uuid }: Storage): Leftovers => {
  // BOUNDARY: no deployment has the uuid of a storage.
  const deployment = uuid as string as DeploymentUuid
  return {
    staging: { application, deployment, service: "restore-staging" },
    target: { application, deployment, service: "restore-target" },
    volume: volumeName(application, `restore-${uuid}`)
  }
}

const refOf = (owner: Owner): ContainerRef => ({ application: owner.application, name: containerName(owner) })

const clear = Effect.fnUntraced(function* (engine: Engine, { staging, target, volume }: Leftovers) {
  for (const owner of [target, staging]) yield* engine.remove(refOf(owner))
  yield* engine.removeVolume(staging.application, volume)
})

/** Lists the containers that mount a volume, running or stopped. */
const mounting = Effect.fnUntraced(function* (
  engine: Engine,
  { applicationUuid: application }: Storage,
  volume: string
) {
  const found: Array<{ readonly ref: ContainerRef; readonly image: string }> = []
  for (const { image, name } of yield* engine.list({ application })) {
    const ref = { application, name }
    const details = yield* Effect.catchTag(engine.inspect(ref), "ContainerNotFound", () => Effect.undefined)
    if (details !== undefined && Object.values(details.mounts).includes(volume)) found.push({ ref, image })
  }
  return found
})

/** Returns the image of the containers that mount a storage. Stores it, because the restore removes the containers. */
const imageOf = Effect.fnUntraced(function* (
  engine: Engine,
  storage: Storage,
  volume: string,
  { image, uuid }: VolumeRestore
) {
  if (image !== null) return image
  const [first] = yield* mounting(engine, storage, volume)
  if (first === undefined) return yield* broken("no container mounts the storage: deploy or start the resource")
  yield* (yield* VolumeRestoreStore).setImage(uuid, first.image)
  return first.image
})

/** Waits until no worker processes a deployment that began before the restore; later ones wait for the restore. */
const untilIdle = Effect.fnUntraced(function* ({ applicationUuid }: Storage) {
  const store = yield* DeploymentStore
  const isBusy = Effect.map(store.ofApplication(applicationUuid, { limit: 100 }), (newest) =>
    newest.some(({ status }) => isActive(status))
  )
  while (yield* isBusy) yield* Effect.sleep("1 second")
})

/** Creates a container that mounts a volume at the path of a storage, and never starts it. */
const createMount = (engine: Engine, owner: Owner, image: string, volume: string, { mountPath }: Storage) =>
  Effect.as(
    engine.create(
      containerSpec({
        owner,
        name: containerName(owner),
        image,
        mounts: [{ source: { _tag: "Volume", name: volume }, target: mountPath, readOnly: false }]
      })
    ),
    refOf(owner)
  )

/** Returns the bytes of the archive of a backup, decrypted; fails at the end if its size is another one. */
const archiveOf = Effect.fnUntraced(function* ({ source }: VolumeRestore) {
  const runs = yield* (yield* VolumeBackupStore).executions(source.backupUuid)
  const run = runs.find(({ uuid }) => uuid === source.runUuid)
  const object = run === undefined ? null : uploadedObject(run)
  if (run === undefined || object === null) return yield* broken("the backup was deleted")
  const s3Storage = yield* (yield* S3StorageStore).find(object.storageUuid)
  if (s3Storage === undefined) return yield* broken("the S3 storage of the backup does not exist")
  let size = 0
  const bytes = readObject(s3Storage, object.key, object.key.endsWith(encryptedEnding)).pipe(
    Stream.tap((chunk) =>
      Effect.sync(() => {
        size += chunk.length
      })
    )
  )
  const checked = Effect.suspend(() =>
    run.size === null || run.size === size
      ? Effect.void
      : broken(`the backup is damaged: it has ${size} bytes instead of ${run.size}`)
  )
  return Stream.concat(bytes, Stream.drain(Stream.fromEffect(checked)))
})

/** Starts what the restore removed: the containers of the serving release, or of a database that should run. */
const startAgain = Effect.fnUntraced(function* ({ storage: { applicationUuid } }: StorageTarget) {
  const serving = yield* (yield* ReleaseStore).serving(applicationUuid)
  if (serving !== undefined) return void (yield* restoreRelease(yield* openServing(serving)))
  const database = yield* (yield* DatabaseStore).find(databaseOf(applicationUuid))
  if (database === undefined || database.servingUuid === null) return
  yield* repair(system("database.deploy", { database }), database.servingUuid)
}, Effect.scoped)

/**
 * Replaces the content of a volume with an archive.
 *
 * First unpacks the archive into a second volume, while containers run: an incomplete archive changes nothing. Then
 * removes the containers and the volume, and copies the data. An engine cannot rename a volume, and an image may have no
 * program that empties a directory.
 */
const replaceVolume = Effect.fnUntraced(function* (
  engine: Engine,
  { storage }: StorageTarget,
  restore: VolumeRestore,
  /** Runs before the first change of the volume. */
  replaces: Effect.Effect<void>
) {
  const volume = volumeName(storage.applicationUuid, storage.name)
  const leftovers = leftoversOf(storage)
  const image = yield* imageOf(engine, storage, volume, restore)
  yield* clear(engine, leftovers)
  const { mountPath } = storage
  const staging = yield* createMount(engine, leftovers.staging, image, leftovers.volume, storage)
  yield* engine.unpack(staging, mountPath, withoutTopDirectory(yield* archiveOf(restore)))
  yield* untilIdle(storage)
  for (const { ref } of yield* mounting(engine, storage, volume)) {
    yield* Effect.catchTag(engine.stop(ref), "ContainerNotFound", () => Effect.void)
    yield* engine.remove(ref)
  }
  yield* replaces
  yield* engine.removeVolume(storage.applicationUuid, volume)
  const target = yield* createMount(engine, leftovers.target, image, volume, storage)
  yield* engine.unpack(target, mountPath, withoutTopDirectory(engine.archive(staging, mountPath)))
})

const attempt = Effect.fnUntraced(function* (restore: VolumeRestore, _: VolumeRestoreRun, place: Place) {
  const storage = yield* (yield* StorageStore).find(restore.storageUuid)
  const target = storage && (yield* findTarget(storage))
  const server = target && (yield* (yield* ServerStore).find(target.serverUuid))
  if (target === undefined || server === undefined) return failedWith("the storage was deleted")
  const engine = yield* place.reaching(Effect.tap(openEngine(server), ({ info }) => info))
  let consequence = ""
  const replaces = Effect.sync(() => {
    consequence = "; the volume can be incomplete: restore again"
  })
  const ended = yield* replaceVolume(engine, target, restore, replaces).pipe(
    Effect.timeoutOrElse({
      duration: restore.timeout * 1_000,
      orElse: () => broken(`it took longer than ${restore.timeout} seconds`)
    }),
    Effect.match({
      onFailure: (error): Ended => failedWith(storedOutput(`${failureReasonOf(error)}${consequence}`)),
      onSuccess: (): Ended => ({ status: "success", message: "" })
    })
  )
  // After an interruption, the next attempt does this.
  yield* Effect.ignore(clear(engine, leftoversOf(target.storage)))
  // Otherwise the next check of the server starts them.
  yield* Effect.ignore(startAgain(target))
  return ended
}, Effect.scoped)

const runOf = Effect.fnUntraced(function* ({ uuid }: VolumeRestore, at: string) {
  return {
    uuid: yield* makeUuid(VolumeRestoreRunUuid),
    restoreUuid: uuid,
    status: "running",
    message: null,
    startedAt: at,
    finishedAt: null
  } satisfies VolumeRestoreRun
})

// The seconds that an engine has to connect, and to remove the leftovers and start the containers after the timeout.
const grace = 120

/** Performs and resumes requested restores of storages until it is interrupted, at most one at a time per storage. */
export const runVolumeRestores = Effect.fnUntraced(function* (settings: {
  readonly lease: number
  readonly alone: boolean
}) {
  const store = yield* VolumeRestoreStore
  const job = {
    called: "restore of a storage",
    store,
    mostAttempts,
    messageOf: () => Effect.undefined,
    canBegin: () => Effect.succeed(true),
    runOf,
    timeoutOf: ({ timeout }: VolumeRestore) => timeout + grace,
    attempt
  }
  return yield* runDue(job, settings)
})
