import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import { nextRun, StorageNotFound } from "@slipway/domain/deploy/apps"
import {
  defaultVolumeBackup,
  type VolumeBackup,
  type VolumeBackupInput,
  VolumeBackupNotFound,
  VolumeBackupStore,
  VolumeBackupUuid
} from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { S3StorageStore } from "@slipway/domain/deploy/infrastructure"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { lockOwner } from "../../apps/owners/owner.ts"

type On = "application" | "database" | "service"

const refuse = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

const dueOf = ({ frequency, isEnabled }: VolumeBackupInput, at: string): string | null =>
  isEnabled ? (nextRun(frequency, at) ?? null) : null

const required = (field: string) => refuse(field, "Is required for the first backup schedule of a storage.")

/** Returns the settings of a backup schedule: from the request, else the existing schedule, else the defaults. */
const settingsOf = (present: VolumeBackup | undefined, sent: Partial<VolumeBackupInput>) =>
  Effect.gen(function* () {
    const frequency = sent.frequency ?? present?.frequency
    const s3StorageUuid = sent.s3StorageUuid ?? present?.s3StorageUuid
    if (frequency === undefined) return yield* required("frequency")
    if (s3StorageUuid === undefined) return yield* required("s3_storage_uuid")
    return { ...defaultVolumeBackup, ...present, ...sent, frequency, s3StorageUuid }
  })

/** Returns the backup schedule of a storage with its backups, newest first. */
export const read = Effect.fnUntraced(function* ({ resource }: Authorized<`${On}.storage.backup.read`>) {
  const store = yield* VolumeBackupStore
  const backup = yield* store.ofStorage(resource.storage.uuid)
  if (backup === undefined) return yield* new VolumeBackupNotFound()
  return { backup, runs: yield* store.executions(backup.uuid) }
})

/** Creates or changes the backup schedule of a storage. Omitted settings stay unchanged. */
export const put = Effect.fnUntraced(function* (
  { resource }: Authorized<`${On}.storage.backup.update`>,
  sent: Partial<VolumeBackupInput>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const { placement } = yield* lockOwner(resource)
      const store = yield* VolumeBackupStore
      const { storage } = resource
      if (storage.content !== null)
        return yield* refuse("type", "Only a directory has backups; this storage is a file.")
      const present = yield* store.ofStorage(storage.uuid)
      const settings = yield* settingsOf(present, sent)
      // Locked, so that it is not removed before the schedule refers to it.
      const s3Storage = yield* (yield* S3StorageStore).lock(settings.s3StorageUuid)
      if (s3Storage?.teamId !== placement.teamId) {
        return yield* refuse("s3_storage_uuid", "There is no such S3 storage.")
      }
      const at = yield* now
      if (present !== undefined) {
        const isMoved = settings.frequency !== present.frequency || settings.isEnabled !== present.isEnabled
        const dueAt = isMoved ? dueOf(settings, at) : present.dueAt
        const changed: VolumeBackup = { ...present, ...settings, dueAt, updatedAt: at }
        yield* store.replace(changed)
        return changed
      }
      const uuid = yield* makeUuid(VolumeBackupUuid)
      const added = yield* store.insert({
        ...settings,
        uuid,
        storageUuid: storage.uuid,
        dueAt: dueOf(settings, at),
        isAsked: false,
        createdAt: at,
        updatedAt: at
      })
      return added ?? (yield* new StorageNotFound())
    })
  )
})

/** Removes the backup schedule of a storage. The objects in S3 stay. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<`${On}.storage.backup.delete`>) {
  const store = yield* VolumeBackupStore
  const backup = yield* store.ofStorage(resource.storage.uuid)
  if (backup === undefined) return yield* new VolumeBackupNotFound()
  yield* store.remove(resource.storage.uuid, backup.uuid)
})

/** Requests an immediate backup of a storage in addition to its schedule. A running backup finishes first. */
export const run = Effect.fnUntraced(function* ({ resource }: Authorized<`${On}.storage.backup.run`>) {
  const store = yield* VolumeBackupStore
  const backup = yield* store.ofStorage(resource.storage.uuid)
  if (backup === undefined) return yield* new VolumeBackupNotFound()
  yield* store.ask(backup.uuid)
  yield* notifyWorkers
})
