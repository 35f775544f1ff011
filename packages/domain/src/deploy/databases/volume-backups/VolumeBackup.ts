import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Due, DueRun } from "../../apps/scheduled-tasks/DueStore.ts"
import type { StorageUuid } from "../../apps/storages/Storage.ts"
import type { S3StorageUuid } from "../../infrastructure/s3-storages/S3Storage.ts"
import type { BackupObject } from "../backups/Backup.ts"
import { encryptedEnding } from "../backups/dump.ts"

/** The uuid of a backup schedule of a storage (a volume of an application). */
export const VolumeBackupUuid = Uuid.pipe(Schema.brand("VolumeBackupUuid"))
export type VolumeBackupUuid = typeof VolumeBackupUuid.Type

/** The uuid of one backup of a storage. */
export const VolumeBackupRunUuid = Uuid.pipe(Schema.brand("VolumeBackupRunUuid"))
export type VolumeBackupRunUuid = typeof VolumeBackupRunUuid.Type

/** The settings of a backup schedule of a storage; such backups are stored only in S3. */
export interface VolumeBackupInput {
  readonly frequency: string
  readonly isEnabled: boolean
  readonly s3StorageUuid: S3StorageUuid
  /** The number of backups to keep in S3. The next two fields limit their age and size; there, 0 is no limit. */
  readonly s3Keeps: number
  readonly s3KeepsDays: number
  readonly s3KeepsGigabytes: number
  /** The timeout of a backup in seconds. */
  readonly timeout: number
}

/** The default settings of a new backup schedule of a storage. */
export const defaultVolumeBackup: Omit<VolumeBackupInput, "frequency" | "s3StorageUuid"> = {
  isEnabled: true,
  s3Keeps: 7,
  s3KeepsDays: 0,
  s3KeepsGigabytes: 0,
  timeout: 3_600
}

/** The backup schedule of a storage. */
export interface VolumeBackup extends Entity, VolumeBackupInput, Due {
  readonly uuid: VolumeBackupUuid
  readonly storageUuid: StorageUuid
}

/** One backup of a storage: a tar archive in S3. */
export interface VolumeBackupRun extends DueRun {
  readonly uuid: VolumeBackupRunUuid
  readonly backupUuid: VolumeBackupUuid
  /** The size of the archive in bytes; null until it is known. */
  readonly size: number | null
  /** The object in S3, or null. While the backup runs and after a failure, the object may be missing or incomplete. */
  readonly object: BackupObject | null
}

/**
 * Returns the S3 key of a storage backup: a folder with the uuid of the storage, and the start time as the name.
 *
 * @example
 * const run = { uuid: "run000000000000000000000", startedAt: "2026-11-27T03:00:00.000Z" }
 * volumeObjectKey("storage00000000000000000", run, true) // => "slipway/storages/storage00000000000000000/20261127T030000Z-run00000.tar.age"
 */
export const volumeObjectKey = (
  storage: string,
  { startedAt, uuid }: { readonly startedAt: string; readonly uuid: string },
  isEncrypted: boolean
): string => {
  const time = startedAt.replace(/\.\d+/, "").replaceAll(/[-:]/g, "")
  return `slipway/storages/${storage}/${time}-${uuid.slice(0, 8)}.tar${isEncrypted ? encryptedEnding : ""}`
}

/** Reports that a storage has no backup schedule. */
export class VolumeBackupNotFound extends Schema.TaggedError<VolumeBackupNotFound>()("VolumeBackupNotFound", {}) {}
