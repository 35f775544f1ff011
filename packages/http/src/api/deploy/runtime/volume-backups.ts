import { Frequency, whole } from "@slipway/domain/deploy/apps"
import { backupTimeouts, mostDays, mostGigabytes, mostRetained } from "@slipway/domain/deploy/databases"
import { S3StorageUuid } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, optionalBody } from "../base/access.ts"
import { bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { Message, stamps } from "../base/schemas.ts"

const schedule = {
  uuid: Schema.String,
  storage_uuid: Schema.String,
  storage_type: Schema.Literal("persistent"),
  frequency: Schema.String,
  enabled: Schema.Boolean,
  save_s3: Schema.Literal(true),
  s3_storage_uuid: Schema.String,
  disable_local_backup: Schema.Literal(true),
  stop_during_backup: Schema.Literal(false),
  retention_amount_s3: Schema.Int,
  retention_days_s3: Schema.Int,
  retention_max_storage_s3: Schema.Number,
  retention_amount_locally: Schema.Literal(0),
  retention_days_locally: Schema.Literal(0),
  retention_max_storage_locally: Schema.Literal(0),
  timeout: Schema.Int,
  /** The next due time; null while disabled. */
  next_run_at: Schema.NullOr(Schema.String)
}

/** One run of the backup schedule of a storage: successful or failed. */
export const StorageBackupExecution = Schema.Struct({
  uuid: Schema.String,
  status: Schema.Literals(["running", "success", "failed"]),
  /** The reason of a failure. */
  message: Schema.NullOr(Schema.String),
  s3_storage_uuid: Schema.NullOr(Schema.String),
  /** The key of the tar archive in S3; an encrypted archive has the ending `.age`. */
  s3_key: Schema.NullOr(Schema.String),
  /** The size of the archive in bytes; null if unknown. */
  size: Schema.NullOr(Schema.Number),
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "StorageBackupExecution" })

/** The backup schedule of a storage with its backups, newest first. */
export const StorageBackups = Schema.Struct({
  ...schedule,
  executions: Schema.Array(StorageBackupExecution)
}).annotate({ identifier: "StorageBackups" })

/** The backup schedule of a storage after a change. */
export const StorageBackup = Schema.Struct({ ...schedule, message: Schema.String }).annotate({
  identifier: "StorageBackup"
})

const only = (value: boolean, sentence: string) =>
  Schema.optionalKey(
    Schema.Boolean.check(Schema.makeFilter((sent: boolean) => (sent === value ? undefined : sentence)))
  )

/** The request body that creates or changes the backup schedule of a storage. */
export const StorageBackupBody = Schema.Struct({
  frequency: Schema.optionalKey(Frequency),
  enabled: Schema.optionalKey(Schema.Boolean),
  s3_storage_uuid: Schema.optionalKey(S3StorageUuid),
  retention_amount_s3: Schema.optionalKey(whole(1, mostRetained)),
  retention_days_s3: Schema.optionalKey(whole(0, mostDays)),
  retention_max_storage_s3: Schema.optionalKey(
    Schema.Number.check(
      Schema.makeFilter((value: number) =>
        value >= 0 && value <= mostGigabytes ? undefined : `Must be a number from 0 to ${mostGigabytes}.`
      )
    )
  ),
  timeout: Schema.optionalKey(whole(backupTimeouts.least, backupTimeouts.most)),
  save_s3: only(true, "Must be true: backups of storages are stored in S3."),
  disable_local_backup: only(true, "Must be true: backups of storages are stored only in S3."),
  stop_during_backup: only(false, "Must be false: containers run during a backup.")
}).annotate({ identifier: "StorageBackupBody" })

/** A restore of a backup of a storage, with its last attempt. */
export const StorageRestore = Schema.Struct({
  ...stamps,
  storage_uuid: Schema.String,
  /** The restored backup. */
  execution_uuid: Schema.String,
  /** The status of the restore; an interrupted restore is `queued` again. */
  status: Schema.Literals(["queued", "running", "success", "failed"]),
  /** The reason of a failure. */
  message: Schema.NullOr(Schema.String),
  timeout: Schema.Int,
  started_at: Schema.NullOr(Schema.String),
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "StorageRestore" })

/** The request body that restores a backup of a storage. */
export const StorageRestoreCreation = Schema.Struct({
  timeout: Schema.optionalKey(whole(backupTimeouts.least, backupTimeouts.most))
}).annotate({ identifier: "StorageRestoreCreation" })

const params = { uuid: Schema.String, storage_uuid: Schema.String }

const nouns = {
  application: ["applications", "an application"],
  database: ["databases", "a database"],
  service: ["services", "a service"]
} as const

/** The types of resources with storages. */
export type StorageOwner = keyof typeof nouns

const storagePath = <const T extends StorageOwner>(type: T) =>
  `/${nouns[type][0] as (typeof nouns)[T][0]}/:uuid/storages/:storage_uuid` as const

const pathOf = <const T extends StorageOwner>(type: T) => `${storagePath(type)}/backups` as const

const read = <const T extends StorageOwner>(type: T) =>
  HttpApiEndpoint.get(`read-${type}`, pathOf(type), { params, success: StorageBackups, error: NotFoundBody })
    .annotate(OpenApi.Summary, `Read the backup schedule of a storage of ${nouns[type][1]}, with its backups`)
    .pipe(access(`${type}.storage.backup.read`))

const put = <const T extends StorageOwner>(type: T) =>
  HttpApiEndpoint.put(`put-${type}`, pathOf(type), {
    params,
    payload: StorageBackupBody,
    success: StorageBackup,
    error: [...bodyErrors, NotFoundBody]
  })
    .annotate(OpenApi.Summary, `Create or change the backup schedule of a storage of ${nouns[type][1]}`)
    .pipe(access(`${type}.storage.backup.update`))

const remove = <const T extends StorageOwner>(type: T) =>
  HttpApiEndpoint.delete(`delete-${type}`, pathOf(type), { params, success: Message, error: NotFoundBody })
    .annotate(OpenApi.Summary, `Delete the backup schedule of a storage of ${nouns[type][1]}; its objects stay in S3`)
    .pipe(access(`${type}.storage.backup.delete`))

const run = <const T extends StorageOwner>(type: T) =>
  HttpApiEndpoint.post(`run-${type}`, `${pathOf(type)}/run`, { params, success: Message, error: NotFoundBody })
    .annotate(OpenApi.Summary, `Back up a storage of ${nouns[type][1]} now`)
    .pipe(access(`${type}.storage.backup.run`))

const list = <const T extends StorageOwner>(type: T) =>
  HttpApiEndpoint.get(`restores-${type}`, `${storagePath(type)}/restores`, {
    params,
    success: Schema.Array(StorageRestore),
    error: NotFoundBody
  })
    .annotate(OpenApi.Summary, `List the restores of a storage of ${nouns[type][1]}, newest first`)
    .pipe(access(`${type}.storage.backup.read`))

const restore = <const T extends StorageOwner>(type: T) =>
  HttpApiEndpoint.post(`restore-${type}`, `${pathOf(type)}/:execution_uuid/restore`, {
    params: { ...params, execution_uuid: Schema.String },
    payload: StorageRestoreCreation,
    success: Schema.Struct({ uuid: Schema.String, message: Schema.String }).pipe(HttpApiSchema.status(201)),
    error: [...bodyErrors, NotFoundBody, ConflictBody]
  })
    .annotate(
      OpenApi.Summary,
      `Restore a backup of a storage of ${nouns[type][1]} into its volume; its data are replaced`
    )
    .pipe(optionalBody, access(`${type}.storage.backup.restore`))

/** The endpoints of backups of storages. */
export class VolumeBackupsApi extends HttpApiGroup.make("volumeBackups")
  .add(
    read("application"),
    put("application"),
    remove("application"),
    run("application"),
    list("application"),
    restore("application"),
    read("database"),
    put("database"),
    remove("database"),
    run("database"),
    list("database"),
    restore("database"),
    read("service"),
    put("service"),
    remove("service"),
    run("service"),
    list("service"),
    restore("service")
  )
  .annotate(OpenApi.Description, "Backups of storages: tar archives in S3.") {}
