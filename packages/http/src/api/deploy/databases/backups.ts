import { Frequency, whole } from "@slipway/domain/deploy/apps"
import { backupTimeouts, mostRetained } from "@slipway/domain/deploy/databases"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { bodyErrors, ForbiddenBody, NotFoundBody } from "../base/errors.ts"
import { Message, stamps } from "../base/schemas.ts"

/** A schedule of backups as shown in answers. */
export const Backup = Schema.Struct({
  ...stamps,
  database_uuid: Schema.String,
  frequency: Schema.String,
  enabled: Schema.Boolean,
  database_backup_retention_amount_locally: Schema.Int,
  timeout: Schema.Int,
  save_s3: Schema.Literal(false),
  /** The next due time; null while disabled. */
  next_run_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Backup" })

/** A backup, successful or failed. */
export const BackupExecution = Schema.Struct({
  uuid: Schema.String,
  status: Schema.Literals(["running", "success", "failed"]),
  /** The last output of the backup program, and the reason of a failure. */
  message: Schema.NullOr(Schema.String),
  /** The backup file in the volume of backups; null unless the backup succeeded. */
  filename: Schema.NullOr(Schema.String),
  /** The size in bytes; null if unknown. */
  size: Schema.NullOr(Schema.Number),
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BackupExecution" })

const besides = {
  enabled: Schema.optionalKey(Schema.Boolean),
  database_backup_retention_amount_locally: Schema.optionalKey(whole(1, mostRetained)),
  timeout: Schema.optionalKey(whole(backupTimeouts.least, backupTimeouts.most)),
  backup_now: Schema.optionalKey(Schema.Boolean),
  save_s3: Schema.optionalKey(Schema.Literal(false))
}

/** The body that schedules backups. */
export const BackupCreation = Schema.Struct({ frequency: Frequency, ...besides }).annotate({
  identifier: "BackupCreation"
})

/** The body that changes a schedule of backups. */
export const BackupChange = Schema.Struct({ frequency: Schema.optionalKey(Frequency), ...besides }).annotate({
  identifier: "BackupChange"
})

const uuid = { uuid: Schema.String }
const one = { ...uuid, scheduled_backup_uuid: Schema.String }
const all = "/databases/:uuid/backups"
const path = `${all}/:scheduled_backup_uuid` as const

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
    HttpApiEndpoint.patch("update", path, {
      params: one,
      payload: BackupChange,
      success: Backup,
      error: [...bodyErrors, ForbiddenBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a backup schedule, or with backup_now run a backup")
      .pipe(access("database.backup.update")),
    HttpApiEndpoint.delete("remove", path, { params: one, success: Message, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Delete a backup schedule; its files stay in the volume")
      .pipe(access("database.backup.delete")),
    HttpApiEndpoint.get("executions", `${path}/executions`, {
      params: one,
      success: Schema.Struct({ executions: Schema.Array(BackupExecution) }),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the backups of a schedule, newest first")
      .pipe(access("database.backup.executions"))
  )
  .annotate(OpenApi.Description, "Backups of databases, created by the programs in their images.") {}
