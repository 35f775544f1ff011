import { Frequency, line, whole } from "@slipway/domain/deploy/apps"
import { backupTimeouts, isDatabaseName, mostDays, mostGigabytes, mostRetained } from "@slipway/domain/deploy/databases"
import { S3StorageUuid } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import {
  BadGatewayBody,
  BadRequestBody,
  bodyErrors,
  ConflictBody,
  ForbiddenBody,
  NotFoundBody
} from "../base/errors.ts"
import { Message, QueryFlag, stamps } from "../base/schemas.ts"

/** A schedule of backups as returned by the API. */
export const Backup = Schema.Struct({
  ...stamps,
  database_uuid: Schema.String,
  frequency: Schema.String,
  enabled: Schema.Boolean,
  database_backup_retention_amount_locally: Schema.Int,
  database_backup_retention_days_locally: Schema.Int,
  database_backup_retention_max_storage_locally: Schema.Number,
  save_s3: Schema.Boolean,
  s3_storage_uuid: Schema.NullOr(Schema.String),
  /** Whether backups are streamed to S3 without a file on the server. */
  disable_local_backup: Schema.Boolean,
  database_backup_retention_amount_s3: Schema.Int,
  database_backup_retention_days_s3: Schema.Int,
  database_backup_retention_max_storage_s3: Schema.Number,
  /** The names of the databases to back up, separated by commas; null for the default of the database type. */
  databases_to_backup: Schema.NullOr(Schema.String),
  dump_all: Schema.Boolean,
  timeout: Schema.Int,
  /** The next due time; null while disabled. */
  next_run_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Backup" })

/** One run of a backup schedule: running, successful or failed. */
export const BackupExecution = Schema.Struct({
  uuid: Schema.String,
  status: Schema.Literals(["running", "success", "failed"]),
  /** The last output of the backup program, and the reason of a failure. */
  message: Schema.NullOr(Schema.String),
  /** The name of the backup file; null unless the backup succeeded. */
  filename: Schema.NullOr(Schema.String),
  /** Whether the backup file is on the server, in the volume of backups. */
  is_local: Schema.Boolean,
  /** Whether the backup is in S3; null if S3 upload was off, or the backup was removed from S3. */
  s3_uploaded: Schema.NullOr(Schema.Boolean),
  s3_storage_uuid: Schema.NullOr(Schema.String),
  /** The key of the S3 object; an encrypted backup has the ending `.age`. */
  s3_key: Schema.NullOr(Schema.String),
  /** The size of the backup in bytes; null if unknown. */
  size: Schema.NullOr(Schema.Number),
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BackupExecution" })

const amount = Schema.optionalKey(whole(1, mostRetained))
const days = Schema.optionalKey(whole(0, mostDays))
const gigabytes = Schema.optionalKey(
  Schema.Number.check(
    Schema.makeFilter((value: number) =>
      value >= 0 && value <= mostGigabytes ? undefined : `Must be a number from 0 to ${mostGigabytes}.`
    )
  )
)

/** The names of databases, separated by commas. */
const DatabaseNames = line(2_000).check(
  Schema.makeFilter((value: string) =>
    value === "" || value.split(",").every((name) => isDatabaseName(name.trim()))
      ? undefined
      : "Must be names of databases, separated by commas: letters, digits, `_` and `-`."
  )
)

const besides = {
  enabled: Schema.optionalKey(Schema.Boolean),
  database_backup_retention_amount_locally: amount,
  database_backup_retention_days_locally: days,
  database_backup_retention_max_storage_locally: gigabytes,
  timeout: Schema.optionalKey(whole(backupTimeouts.least, backupTimeouts.most)),
  backup_now: Schema.optionalKey(Schema.Boolean),
  save_s3: Schema.optionalKey(Schema.Boolean),
  s3_storage_uuid: Schema.optionalKey(Schema.NullOr(S3StorageUuid)),
  disable_local_backup: Schema.optionalKey(Schema.Boolean),
  database_backup_retention_amount_s3: amount,
  database_backup_retention_days_s3: days,
  database_backup_retention_max_storage_s3: gigabytes,
  databases_to_backup: Schema.optionalKey(Schema.NullOr(DatabaseNames)),
  dump_all: Schema.optionalKey(Schema.Boolean)
}

/** The request body that schedules backups. */
export const BackupCreation = Schema.Struct({ frequency: Frequency, ...besides }).annotate({
  identifier: "BackupCreation"
})

/** The request body that changes a schedule of backups. */
export const BackupChange = Schema.Struct({ frequency: Schema.optionalKey(Frequency), ...besides }).annotate({
  identifier: "BackupChange"
})

const uuid = { uuid: Schema.String }
const one = { ...uuid, scheduled_backup_uuid: Schema.String }
const all = "/databases/:uuid/backups"
const path = `${all}/:scheduled_backup_uuid` as const
const deletion = { delete_s3: Schema.optionalKey(QueryFlag) }

/** The endpoints of backups of databases. */
export class BackupsApi extends HttpApiGroup.make("backups")
  .add(
    HttpApiEndpoint.get("list", all, { params: uuid, success: Schema.Array(Backup), error: NotFoundBody })
      .annotate(OpenApi.Summary, "List the backup schedules of a database")
      .pipe(access("database.backup.list")),
    HttpApiEndpoint.post("create", all, {
      params: uuid,
      payload: BackupCreation,
      success: Schema.Struct({ uuid: Schema.String, message: Schema.String }).pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, ForbiddenBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Create a backup schedule of a database")
      .pipe(access("database.backup.create")),
    HttpApiEndpoint.get("get", path, { params: one, success: Backup, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a backup schedule of a database")
      .pipe(access("database.backup.executions")),
    HttpApiEndpoint.patch("update", path, {
      params: one,
      payload: BackupChange,
      success: Backup,
      error: [...bodyErrors, ForbiddenBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a backup schedule, or with backup_now run a backup")
      .pipe(access("database.backup.update")),
    HttpApiEndpoint.delete("remove", path, {
      params: one,
      query: deletion,
      success: Message,
      error: [BadRequestBody, NotFoundBody, ConflictBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Delete a backup schedule, with delete_s3 also its objects; files stay in the volume")
      .pipe(access("database.backup.delete")),
    HttpApiEndpoint.get("executions", `${path}/executions`, {
      params: one,
      success: Schema.Struct({ executions: Schema.Array(BackupExecution) }),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the backups of a schedule, newest first")
      .pipe(access("database.backup.executions")),
    HttpApiEndpoint.get("execution", `${path}/executions/:execution_uuid`, {
      params: { ...one, execution_uuid: Schema.String },
      success: BackupExecution,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read a backup")
      .pipe(access("database.backup.executions")),
    HttpApiEndpoint.delete("removeExecution", `${path}/executions/:execution_uuid`, {
      params: { ...one, execution_uuid: Schema.String },
      query: deletion,
      success: Message,
      error: [BadRequestBody, NotFoundBody, ConflictBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Delete a backup with its file, with delete_s3 also its object")
      .pipe(access("database.backup.execution.delete"))
  )
  .annotate(OpenApi.Description, "Backups of databases, created by the programs in their images.") {}
