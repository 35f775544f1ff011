import { whole } from "@slipway/domain/deploy/apps"
import { backupTimeouts, DatabaseUuid } from "@slipway/domain/deploy/databases"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, optionalBody } from "../base/access.ts"
import { bodyErrors, ConflictBody, ForbiddenBody, NotFoundBody } from "../base/errors.ts"
import { stamps } from "../base/schemas.ts"

/** A restore of a backup, with its last attempt. */
export const BackupRestore = Schema.Struct({
  ...stamps,
  /** The database that receives the data. */
  database_uuid: Schema.String,
  /** The database from which the backup was made; the next two fields are its backup schedule and the backup. */
  source_database_uuid: Schema.String,
  scheduled_backup_uuid: Schema.String,
  execution_uuid: Schema.String,
  /** The status of the restore; an interrupted restore is `queued` again. */
  status: Schema.Literals(["queued", "running", "success", "failed"]),
  /** The last output of the restore program, and the reason of a failure. */
  message: Schema.NullOr(Schema.String),
  timeout: Schema.Int,
  started_at: Schema.NullOr(Schema.String),
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BackupRestore" })

/** The request body that restores a backup. */
export const RestoreCreation = Schema.Struct({
  /** The database to restore into, which loses its present data; by default the database that was backed up. */
  database_uuid: Schema.optionalKey(DatabaseUuid),
  timeout: Schema.optionalKey(whole(backupTimeouts.least, backupTimeouts.most))
}).annotate({ identifier: "RestoreCreation" })

const uuid = { uuid: Schema.String }

/** The endpoints of restores of backups. */
export class RestoresApi extends HttpApiGroup.make("restores")
  .add(
    HttpApiEndpoint.get("list", "/databases/:uuid/restores", {
      params: uuid,
      success: Schema.Array(BackupRestore),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the restores into a database, newest first")
      .pipe(access("database.restore.list")),
    HttpApiEndpoint.post(
      "create",
      "/databases/:uuid/backups/:scheduled_backup_uuid/executions/:execution_uuid/restore",
      {
        params: { ...uuid, scheduled_backup_uuid: Schema.String, execution_uuid: Schema.String },
        payload: RestoreCreation,
        success: Schema.Struct({ uuid: Schema.String, message: Schema.String }).pipe(HttpApiSchema.status(201)),
        error: [...bodyErrors, ForbiddenBody, NotFoundBody, ConflictBody]
      }
    )
      .annotate(OpenApi.Summary, "Restore a backup into its database or another one; its data are replaced")
      .pipe(optionalBody, access("database.backup.execution.restore"))
  )
  .annotate(OpenApi.Description, "Restores of backups, performed by the programs in the images of databases.") {}
