import { Context, type Effect } from "effect"
import type { DueStore } from "../../apps/scheduled-tasks/DueStore.ts"
import type { StorageUuid } from "../../apps/storages/Storage.ts"
import type { VolumeBackup, VolumeBackupRun, VolumeBackupRunUuid, VolumeBackupUuid } from "./VolumeBackup.ts"

/**
 * Stores backup schedules of storages, and the backups.
 *
 * Must:
 * - keep one schedule per storage, and change its settings without affecting the worker that runs it
 * - remove the schedule of a removed storage with its backups
 * - assign a due or requested schedule to one worker until its lease expires
 * - store the result of a backup, and list results newest first
 * - remove successful backups without their object, and keep failed ones
 * - prevent the removal of an S3 storage that a schedule of a storage uses
 * - keep only the newest failed and the newest successful backups of a storage (invariant I25)
 */
export class VolumeBackupStore extends Context.Service<
  VolumeBackupStore,
  DueStore<VolumeBackup, VolumeBackupRun> & {
    readonly ofStorage: (storage: StorageUuid) => Effect.Effect<VolumeBackup | undefined>
    /** Adds a schedule; does nothing if its storage does not exist or already has a schedule. */
    readonly insert: (backup: Omit<VolumeBackup, "id">) => Effect.Effect<VolumeBackup | undefined>
    /** Replaces the settings of a schedule; also sets its next due time if `frequency` or `isEnabled` changes. */
    readonly replace: (backup: VolumeBackup) => Effect.Effect<void>
    readonly remove: (storage: StorageUuid, backup: VolumeBackupUuid) => Effect.Effect<boolean>
    /** Records that the S3 objects of ended backups were removed. */
    readonly cleared: (backup: VolumeBackupUuid, runs: ReadonlyArray<VolumeBackupRunUuid>) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/VolumeBackupStore") {}
