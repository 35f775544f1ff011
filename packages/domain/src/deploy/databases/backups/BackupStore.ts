import { Context, type Effect } from "effect"
import type { DueStore } from "../../apps/scheduled-tasks/DueStore.ts"
import type { DatabaseUuid } from "../Database.ts"
import type { Backup, BackupRun, BackupRunUuid, BackupSide, BackupUuid } from "./Backup.ts"

/**
 * Stores schedules of database backups, and the backups.
 *
 * Must:
 * - list only the schedules of the given database, in the order of insertion
 * - change the settings of a schedule without affecting the worker that runs it
 * - remove a schedule with its backups, only through its database
 * - remove the schedules of a removed database
 * - assign each due or requested schedule to one worker, one per database at a time
 * - reassign work after its lease expires, and all work after all leases are released
 * - store the result of a backup, and list results newest first until they are removed
 * - record whether the file or the S3 object of a backup was removed, and remove a backup without both
 * - prevent the removal of an S3 storage that a schedule uses
 * - keep only the newest failed and the newest successful backups (invariant I25)
 */
export class BackupStore extends Context.Service<
  BackupStore,
  DueStore<Backup, BackupRun> & {
    readonly ofDatabase: (database: DatabaseUuid) => Effect.Effect<ReadonlyArray<Backup>>
    /** Adds a schedule; does nothing if its database does not exist. */
    readonly insert: (backup: Omit<Backup, "id">) => Effect.Effect<Backup | undefined>
    /** Replaces the settings of a schedule; also sets its next due time if `frequency` or `isEnabled` changes. */
    readonly replace: (backup: Backup) => Effect.Effect<void>
    readonly remove: (database: DatabaseUuid, backup: BackupUuid) => Effect.Effect<boolean>
    /** Records that files of backups were removed from the server or from S3; deletes backups without any file. */
    readonly cleared: (backup: BackupUuid, side: BackupSide, runs: ReadonlyArray<BackupRunUuid>) => Effect.Effect<void>
    /** Deletes the rows of backups. */
    readonly drop: (backup: BackupUuid, runs: ReadonlyArray<BackupRunUuid>) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/BackupStore") {}
