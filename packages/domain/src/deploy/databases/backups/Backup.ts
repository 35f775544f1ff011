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
  /** The number of backups to keep; older ones are deleted. */
  readonly keeps: number
  /** The timeout of a backup in seconds. */
  readonly timeout: number
}

/** A schedule of database backups. */
export interface Backup extends Entity, BackupInput, Due {
  readonly uuid: BackupUuid
  readonly databaseUuid: DatabaseUuid
}

/** One backup: a file in a volume of its database after success. */
export interface BackupRun extends DueRun {
  readonly uuid: BackupRunUuid
  readonly backupUuid: BackupUuid
  /** Bytes; null until known. */
  readonly size: number | null
}

/** The maximum number of backup schedules of a database. */
export const mostBackups = 10

/** The maximum number of backups that one schedule can keep. */
export const mostRetained = 100

/** The number of failed backups of a schedule that are kept; older ones are deleted. */
export const mostFailed = 20

/** The minimum and maximum timeout of a backup in seconds. */
export const backupTimeouts = { least: 60, most: 36_000 } as const

/** Reports that the schedule of backups does not exist. */
export class BackupNotFound extends Schema.TaggedError<BackupNotFound>()("BackupNotFound", {}) {}
