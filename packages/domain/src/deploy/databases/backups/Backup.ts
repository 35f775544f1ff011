import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Due, DueRun } from "../../apps/scheduled-tasks/DueStore.ts"
import type { DatabaseUuid } from "../Database.ts"

/** The uuid of a schedule of backups. */
export const BackupUuid = Uuid.pipe(Schema.brand("BackupUuid"))
export type BackupUuid = typeof BackupUuid.Type

/** The uuid of one backup. */
export const BackupRunUuid = Uuid.pipe(Schema.brand("BackupRunUuid"))
export type BackupRunUuid = typeof BackupRunUuid.Type

/** The settings of a backup schedule. */
export interface BackupInput {
  readonly frequency: string
  readonly isEnabled: boolean
  /** How many backups are kept, the newest ones. */
  readonly keeps: number
  /** The seconds that a backup may last. */
  readonly timeout: number
}

/** Backups that are made of a database again and again. */
export interface Backup extends Entity, BackupInput, Due {
  readonly uuid: BackupUuid
  readonly databaseUuid: DatabaseUuid
}

/** One backup: a file in a volume of its database, once it has succeeded. */
export interface BackupRun extends DueRun {
  readonly uuid: BackupRunUuid
  readonly backupUuid: BackupUuid
  /** Bytes; null until it is known. */
  readonly size: number | null
}

/** How many schedules of backups a database may have. */
export const mostBackups = 10

/** How many backups of one schedule may be kept. */
export const mostKept = 100

/** How many of a schedule's backups that came to nothing are kept, the newest ones. */
export const mostFailed = 20

/** The seconds that a backup may last, at least and at most. */
export const backupTimeouts = { least: 60, most: 36_000 } as const

/** Reports that there is no such schedule of backups. */
export class BackupNotFound extends Schema.TaggedError<BackupNotFound>()("BackupNotFound", {}) {}
