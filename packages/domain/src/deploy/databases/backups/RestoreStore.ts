import { Context, type Effect } from "effect"
import type { DueStore } from "../../apps/scheduled-tasks/DueStore.ts"
import type { DatabaseUuid } from "../Database.ts"
import type { Restore, RestoreProgress, RestoreRun } from "./Restore.ts"

/**
 * Stores restores of backups with their attempts.
 *
 * Must:
 * - list the restores of a database with their last attempt, newest first
 * - remove the restores of a removed database
 * - assign each requested restore to one worker, one per database at a time
 * - reassign a restore after its lease expires, and all restores after all leases are released
 * - keep only the newest restores of a database, and each that waits or runs (invariant I25)
 */
export class RestoreStore extends Context.Service<
  RestoreStore,
  DueStore<Restore, RestoreRun> & {
    readonly ofDatabase: (database: DatabaseUuid) => Effect.Effect<ReadonlyArray<RestoreProgress>>
    /** Adds a restore; undefined, without a change, if its database does not exist. */
    readonly insert: (restore: Omit<Restore, "id">) => Effect.Effect<Restore | undefined>
  }
>()("@slipway/domain/deploy/RestoreStore") {}
