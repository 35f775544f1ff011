import { makeUuid, now, Transaction } from "@slipway/domain"
import { DeploymentStore, isActive, StorageNotFound } from "@slipway/domain/deploy/apps"
import {
  BackupRunNotFound,
  isOpenRestore,
  RestoreRefused,
  uploadedObject,
  VolumeBackupNotFound,
  VolumeBackupStore,
  VolumeRestoreStore,
  VolumeRestoreUuid
} from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { lockOwner, type OwnerResource } from "../../apps/owners/owner.ts"

type On = "application" | "database" | "service"

const refuse = (because: string) => new RestoreRefused({ because })

/** Locks the resource of a storage; fails while a worker changes its containers. Queued changes wait for the restore. */
const lockIdle = Effect.fnUntraced(function* (resource: OwnerResource) {
  const locked = yield* lockOwner(resource)
  if ("database" in locked) {
    if (locked.database.state === "working") {
      return yield* refuse("a start or stop of the database runs: wait until it ends")
    }
    return
  }
  const newest = yield* (yield* DeploymentStore).ofApplication(locked.uuid, { limit: 100 })
  if (newest.some(({ status }) => isActive(status))) {
    return yield* refuse("a deployment runs: wait until it ends, or cancel it")
  }
})

/**
 * Requests the restore of a backup of a storage into its volume. The restore replaces the data of the volume; the
 * containers that mount the volume are recreated.
 */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<`${On}.storage.backup.restore`>,
  runUuid: string,
  timeout: number
) {
  const { storage } = resource
  if (storage.hostPath !== null) {
    return yield* refuse("the storage is a directory of the server, not a volume: unpack the archive there")
  }
  const backups = yield* VolumeBackupStore
  const backup = yield* backups.ofStorage(storage.uuid)
  if (backup === undefined) return yield* new VolumeBackupNotFound()
  const run = (yield* backups.executions(backup.uuid)).find(({ uuid }) => uuid === runUuid)
  if (run === undefined) return yield* new BackupRunNotFound()
  if (run.status !== "success" || uploadedObject(run) === null) {
    return yield* refuse(`the backup is not complete: its status is ${run.status}`)
  }
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      yield* lockIdle(resource)
      const store = yield* VolumeRestoreStore
      if ((yield* store.ofStorage(storage.uuid)).some(isOpenRestore)) {
        return yield* refuse("another restore of the storage waits or runs: wait until it ends")
      }
      const at = yield* now
      const added = yield* store.insert({
        uuid: yield* makeUuid(VolumeRestoreUuid),
        storageUuid: storage.uuid,
        source: { backupUuid: backup.uuid, runUuid: run.uuid },
        timeout,
        image: null,
        frequency: "",
        isEnabled: false,
        dueAt: null,
        isAsked: true,
        createdAt: at,
        updatedAt: at
      })
      if (added === undefined) return yield* new StorageNotFound()
      yield* notifyWorkers
      return added
    })
  )
})

/** Lists the restores of a storage, newest first, each with the result of its last attempt. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<`${On}.storage.backup.read`>) {
  return yield* (yield* VolumeRestoreStore).ofStorage(resource.storage.uuid)
})
