import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Due, DueRun } from "../../apps/scheduled-tasks/DueStore.ts"
import type { DatabaseUuid } from "../Database.ts"
import type { BackupRunUuid, BackupUuid } from "./Backup.ts"

/** The uuid of a restore. */
export const RestoreUuid = Uuid.pipe(Schema.brand("RestoreUuid"))
export type RestoreUuid = typeof RestoreUuid.Type

/** The uuid of one attempt of a restore. */
export const RestoreRunUuid = Uuid.pipe(Schema.brand("RestoreRunUuid"))
export type RestoreRunUuid = typeof RestoreRunUuid.Type

/** The backup that a restore reads: its database, its schedule and its run. */
export interface RestoreSource {
  readonly databaseUuid: DatabaseUuid
  readonly backupUuid: BackupUuid
  readonly runUuid: BackupRunUuid
}

/** A user's request to restore a backup into a database; it runs once. */
export interface Restore extends Entity, Due {
  readonly uuid: RestoreUuid
  /** The database into which the backup is restored. */
  readonly databaseUuid: DatabaseUuid
  readonly source: RestoreSource
  /** The timeout of the restore program in seconds. */
  readonly timeout: number
}

/** One attempt of a restore; if the worker process is killed, another attempt follows. */
export interface RestoreRun extends DueRun {
  readonly uuid: RestoreRunUuid
  readonly restoreUuid: RestoreUuid
}

/** A restore with its last attempt; `run` is null before the first attempt. */
export interface RestoreProgress {
  readonly restore: Restore
  readonly run: RestoreRun | null
}

/** The maximum number of stored restores of a database; older ended restores are deleted. */
export const mostRestores = 20

/** The maximum number of attempts of a restore, so that one that crashes the worker process is not retried forever. */
export const mostAttempts = 5

/** The progress of a restore of a database or a storage. */
interface AnyProgress {
  readonly restore: Pick<Due, "isAsked">
  readonly run: Pick<DueRun, "status"> | null
}

/** Returns the state of a restore: `queued` while it waits for an attempt, otherwise the state of the last attempt. */
export const restoreStatus = ({ restore, run }: AnyProgress): RestoreRun["status"] | "queued" =>
  restore.isAsked || run === null ? "queued" : run.status

/** Returns whether a restore is queued or running. */
export const isOpenRestore = (progress: AnyProgress): boolean => ["queued", "running"].includes(restoreStatus(progress))

/** Reports why a backup cannot be restored now. */
export class RestoreRefused extends Schema.TaggedError<RestoreRefused>()("RestoreRefused", {
  because: Schema.String
}) {}
