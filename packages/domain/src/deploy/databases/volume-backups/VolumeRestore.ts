import { Context, type Effect, Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Due, DueRun, DueStore } from "../../apps/scheduled-tasks/DueStore.ts"
import type { StorageUuid } from "../../apps/storages/Storage.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { VolumeBackupRunUuid, VolumeBackupUuid } from "./VolumeBackup.ts"

/** The uuid of a restore of a storage. */
export const VolumeRestoreUuid = Uuid.pipe(Schema.brand("VolumeRestoreUuid"))
export type VolumeRestoreUuid = typeof VolumeRestoreUuid.Type

/** The uuid of one attempt of a restore of a storage. */
export const VolumeRestoreRunUuid = Uuid.pipe(Schema.brand("VolumeRestoreRunUuid"))
export type VolumeRestoreRunUuid = typeof VolumeRestoreRunUuid.Type

/** The backup that a restore of a storage reads: its schedule and its run. */
export interface VolumeRestoreSource {
  readonly backupUuid: VolumeBackupUuid
  readonly runUuid: VolumeBackupRunUuid
}

/** A user's request to restore a backup of a storage into the same volume; it runs once. */
export interface VolumeRestore extends Entity, Due {
  readonly uuid: VolumeRestoreUuid
  readonly storageUuid: StorageUuid
  readonly source: VolumeRestoreSource
  /** The timeout of an attempt in seconds. */
  readonly timeout: number
  /** The image of the containers that mount the storage, which the restore removes; null before the first attempt. */
  readonly image: string | null
}

/** One attempt of a restore of a storage; if the worker process is killed, another attempt follows. */
export interface VolumeRestoreRun extends DueRun {
  readonly uuid: VolumeRestoreRunUuid
  readonly restoreUuid: VolumeRestoreUuid
}

/** A restore of a storage with its last attempt; `run` is null before the first attempt. */
export interface VolumeRestoreProgress {
  readonly restore: VolumeRestore
  readonly run: VolumeRestoreRun | null
}

/**
 * Stores restores of storages with their attempts.
 *
 * Must:
 * - list the restores of a storage with their last attempt, newest first
 * - remove the restores of a removed storage
 * - assign each requested restore of a storage to one worker, one per storage at a time
 * - store the image of a restore
 * - list the resources with a restore that waits or runs
 * - keep only the newest restores of a storage, and each that waits or runs (invariant I25)
 */
export class VolumeRestoreStore extends Context.Service<
  VolumeRestoreStore,
  DueStore<VolumeRestore, VolumeRestoreRun> & {
    readonly ofStorage: (storage: StorageUuid) => Effect.Effect<ReadonlyArray<VolumeRestoreProgress>>
    /** Adds a restore; undefined, without a change, if its storage does not exist. */
    readonly insert: (restore: Omit<VolumeRestore, "id">) => Effect.Effect<VolumeRestore | undefined>
    readonly setImage: (restore: VolumeRestoreUuid, image: string) => Effect.Effect<void>
    /** The applications and databases with a restore of a storage that waits or runs; their containers must not start. */
    readonly restoring: Effect.Effect<ReadonlySet<ApplicationUuid>>
  }
>()("@slipway/domain/deploy/VolumeRestoreStore") {}
