import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Due, DueRun } from "../../apps/scheduled-tasks/DueStore.ts"
import type { S3StorageUuid } from "../../infrastructure/s3-storages/S3Storage.ts"
import type { DatabaseUuid } from "../Database.ts"

/** The uuid of a backup schedule of a database. */
export const BackupUuid = Uuid.pipe(Schema.brand("BackupUuid"))
export type BackupUuid = typeof BackupUuid.Type

/** The uuid of one backup of a database. */
export const BackupRunUuid = Uuid.pipe(Schema.brand("BackupRunUuid"))
export type BackupRunUuid = typeof BackupRunUuid.Type

/** The settings of a backup schedule of a database. */
export interface BackupInput {
  readonly frequency: string
  readonly isEnabled: boolean
  /** The number of backups to keep on the server; older ones are deleted. */
  readonly keeps: number
  /** The maximum age of backups on the server, in days; 0 is no limit. The next field limits their total size. */
  readonly keepsDays: number
  readonly keepsGigabytes: number
  /** The S3 storage that receives backups if `savesToS3` is true; null if no storage was chosen yet. */
  readonly s3StorageUuid: S3StorageUuid | null
  readonly savesToS3: boolean
  /** Whether backups are streamed to S3 without a file on the server. */
  readonly isOnlyInS3: boolean
  /** The number of backups to keep in S3; the next two fields limit their age and total size. */
  readonly s3Keeps: number
  readonly s3KeepsDays: number
  readonly s3KeepsGigabytes: number
  /** The names of the databases on the database server to dump; empty for the default database of the type. */
  readonly databases: ReadonlyArray<string>
  /** Whether all databases of the database server are dumped. */
  readonly dumpsAll: boolean
  /** The timeout of a backup in seconds. */
  readonly timeout: number
}

/** The default settings of a new backup schedule. */
export const defaultBackup: Omit<BackupInput, "frequency"> = {
  isEnabled: true,
  keeps: 7,
  keepsDays: 0,
  keepsGigabytes: 0,
  s3StorageUuid: null,
  savesToS3: false,
  isOnlyInS3: false,
  s3Keeps: 7,
  s3KeepsDays: 0,
  s3KeepsGigabytes: 0,
  databases: [],
  dumpsAll: false,
  timeout: 3_600
}

/** A schedule of database backups. */
export interface Backup extends Entity, BackupInput, Due {
  readonly uuid: BackupUuid
  readonly databaseUuid: DatabaseUuid
}

/** The object in S3 that contains a backup. */
export interface BackupObject {
  readonly storageUuid: S3StorageUuid
  readonly key: string
  /** Whether the upload failed, so that an incomplete object may exist in S3; the next backup removes it. */
  readonly isLeftover?: boolean
}

/** One backup of a database. A successful backup is a file in a volume of the database, an object in S3, or both. */
export interface BackupRun extends DueRun {
  readonly uuid: BackupRunUuid
  readonly backupUuid: BackupUuid
  /** The size of the dump in bytes; null until it is known. */
  readonly size: number | null
  /** Whether the backup contains all databases of the database server. */
  readonly dumpsAll: boolean
  /** The names of the dumped databases; empty for the default database of the type. */
  readonly databases: ReadonlyArray<string>
  /** The image of the database at the time of the backup; null for backups by earlier versions of the platform. */
  readonly image: string | null
  /** Whether the backup file is on the server; null until the backup succeeds. */
  readonly isLocal: boolean | null
  /** The object in S3, or null. While the backup runs and after a failure, the object may be missing or incomplete. */
  readonly object: BackupObject | null
}

/** Returns the complete object of a backup in S3; null if there is none. */
export const uploadedObject = ({ object, status }: Pick<BackupRun, "object" | "status">): BackupObject | null =>
  status === "success" && object?.isLeftover !== true ? object : null

/** Returns whether a backup may have left an incomplete object in S3. */
export const hasLeftover = ({ object, status }: Pick<BackupRun, "object" | "status">): boolean =>
  object !== null && (status === "failed" || object.isLeftover === true)

/** The place where backups are stored: on the server (`local`) or in S3. */
export type BackupSide = "local" | "s3"

/** The maximum number of backup schedules of a database. */
export const mostBackups = 10

/** The maximum number of backups that one schedule can keep, on the server and in S3 separately. */
export const mostRetained = 100

/** The maximum number of stored rows of successful backups of a schedule; older rows are deleted. */
export const mostSuccessful = 2 * mostRetained

/** The largest accepted value for the maximum age of backups, in days. */
export const mostDays = 36_500

/** The largest accepted value for the maximum total size of backups, in gigabytes (10⁹ bytes). */
export const mostGigabytes = 1_000_000

/** The maximum number of stored rows of failed backups of a schedule; older rows are deleted. */
export const mostFailed = 20

/** The minimum and maximum timeout of a backup in seconds. */
export const backupTimeouts = { least: 60, most: 36_000 } as const

/** Reports that the backup does not exist. */
export class BackupRunNotFound extends Schema.TaggedError<BackupRunNotFound>()("BackupRunNotFound", {}) {}

/** Reports that a backup file cannot be removed, because the database that contains it is stopped. */
export class BackupFileUnreachable extends Schema.TaggedError<BackupFileUnreachable>()("BackupFileUnreachable", {
  because: Schema.String
}) {}

/** Reports that the backup schedule does not exist. */
export class BackupNotFound extends Schema.TaggedError<BackupNotFound>()("BackupNotFound", {}) {}
