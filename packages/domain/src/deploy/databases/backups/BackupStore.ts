import { Context, type Effect } from "effect"
import type { DueStore } from "../../apps/scheduled-tasks/DueStore.ts"
import type { DatabaseUuid } from "../Database.ts"
import type { Backup, BackupRun, BackupRunUuid, BackupUuid } from "./Backup.ts"

/**
 * Keeps schedules of backups of databases, and the backups that were made.
 *
 * Must:
 * - list the schedules of one database alone, in the order of their insertion
 * - change what a schedule is set to, and nothing of who works on it
 * - remove a schedule of its database alone, with its backups
 * - forget the schedules of a database that is removed
 * - give each schedule that is due or asked for to one worker, and one of a database at a time
 * - give out again what a worker still has when its lease ends, and all when all leases end
 * - keep what became of a backup, and list them newest first until they are dropped
 * - keep no more than the newest of those that came to nothing, and of those that succeeded (invariant I25)
 */
export class BackupStore extends Context.Service<
  BackupStore,
  DueStore<Backup, BackupRun> & {
    readonly ofDatabase: (database: DatabaseUuid) => Effect.Effect<ReadonlyArray<Backup>>
    /** Adds a schedule; nothing when its database is gone. */
    readonly insert: (backup: Omit<Backup, "id">) => Effect.Effect<Backup | undefined>
    /** Replaces the settings of a schedule, and its due time if its frequency or its enabled state changes. */
    readonly replace: (backup: Backup) => Effect.Effect<void>
    readonly remove: (database: DatabaseUuid, backup: BackupUuid) => Effect.Effect<boolean>
    /** Deletes the rows of backups with files that are gone. */
    readonly drop: (backup: BackupUuid, runs: ReadonlyArray<BackupRunUuid>) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/BackupStore") {}
