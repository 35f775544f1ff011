import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Due, DueRun } from "../../apps/scheduled-tasks/DueStore.ts"
import type { S3StorageUuid } from "../../infrastructure/s3-storages/S3Storage.ts"
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
  /** The number of backups to keep on the server; older ones are deleted. */
  readonly keeps: number
  /** The limits of backups on the server in addition to their number; 0 is no limit. */
  readonly keepsDays: number
  readonly keepsGigabytes: number
  /** The S3 storage that receives backups while `savesToS3` is set; null before one was chosen. */
  readonly s3StorageUuid: S3StorageUuid | null
  readonly savesToS3: boolean
  /** Whether backups are streamed to S3 without a file on the server. */
  readonly isOnlyInS3: boolean
  /** The limits of backups in S3. */
  readonly s3Keeps: number
  readonly s3KeepsDays: number
  readonly s3KeepsGigabytes: number
  /** The names of the dumped databases of the server process; empty for the default of the type. */
  readonly databases: ReadonlyArray<string>
  /** Whether all databases of the server process are dumped. */
  readonly dumpsAll: boolean
  /** The timeout of a backup in seconds. */
  readonly timeout: number
}

/** The defaults of a new schedule. */
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

/** The object of a backup in S3. */
export interface BackupObject {
  readonly storageUuid: S3StorageUuid
  readonly key: string
  /** Whether the upload failed, so that the object may exist without being complete; the next backup removes it. */
  readonly isLeftover?: boolean
}

/** One backup: after success a file in a volume of its database, an object in S3, or both. */
export interface BackupRun extends DueRun {
  readonly uuid: BackupRunUuid
  readonly backupUuid: BackupUuid
  /** Bytes of the dump; null until known. */
  readonly size: number | null
  /** Whether all databases of the server process were dumped. */
  readonly dumpsAll: boolean
  /** The names of the dumped databases; empty for the default of the type. */
  readonly databases: ReadonlyArray<string>
  /** The image of the database at that time; null for backups of earlier versions of the platform. */
  readonly image: string | null
  /** Whether the file is on the server; null until the backup succeeded. */
  readonly isLocal: boolean | null
  /** The object in S3. While the backup runs and after a failure, the bytes may be missing there. */
  readonly object: BackupObject | null
}

/** Returns the complete object of a backup in S3; null if there is none. */
export const uploadedObject = ({ object, status }: Pick<BackupRun, "object" | "status">): BackupObject | null =>
  status === "success" && object?.isLeftover !== true ? object : null

/** Returns whether a backup may have left an incomplete object in S3. */
export const hasLeftover = ({ object, status }: Pick<BackupRun, "object" | "status">): boolean =>
  object !== null && (status === "failed" || object.isLeftover === true)

/** The side from which the files of backups are removed. */
export type BackupSide = "local" | "s3"

/** The maximum number of backup schedules of a database. */
export const mostBackups = 10

/** The maximum number of backups that one schedule can keep on each side. */
export const mostRetained = 100

/** The maximum number of successful backups of a schedule that are listed; older ones are forgotten. */
export const mostSuccessful = 2 * mostRetained

/** The largest limit of the age of backups, in days. */
export const mostDays = 36_500

/** The largest limit of the total size of backups, in gigabytes (10⁹ bytes). */
export const mostGigabytes = 1_000_000

/** The number of failed backups of a schedule that are kept; older ones are deleted. */
export const mostFailed = 20

/** The minimum and maximum timeout of a backup in seconds. */
export const backupTimeouts = { least: 60, most: 36_000 } as const

/** Reports that the backup does not exist. */
export class BackupRunNotFound extends Schema.TaggedError<BackupRunNotFound>()("BackupRunNotFound", {}) {}

/** Reports that a file in a stopped database cannot be removed. */
export class BackupFileUnreachable extends Schema.TaggedError<BackupFileUnreachable>()("BackupFileUnreachable", {
  because: Schema.String
}) {}

/** Reports that the schedule of backups does not exist. */
export class BackupNotFound extends Schema.TaggedError<BackupNotFound>()("BackupNotFound", {}) {}
