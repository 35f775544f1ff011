import { Backups } from "@slipway/deploy/databases"
import {
  type Backup,
  type BackupInput,
  type BackupRun,
  BackupRunNotFound,
  type DatabaseKinds,
  defaultBackup,
  fileOf,
  uploadedObject
} from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type BackupChange, BackupsApi } from "../../../api/deploy/databases/backups.ts"
import { toHttpErrors } from "../base/errors.ts"
import { isSet } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { definedFields, stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(BackupsApi).prefix("/api/v1") {}

const show = (backup: Backup) => ({
  ...stampsOf(backup),
  database_uuid: backup.databaseUuid as string,
  frequency: backup.frequency,
  enabled: backup.isEnabled,
  database_backup_retention_amount_locally: backup.keeps,
  database_backup_retention_days_locally: backup.keepsDays,
  database_backup_retention_max_storage_locally: backup.keepsGigabytes,
  save_s3: backup.savesToS3,
  s3_storage_uuid: backup.s3StorageUuid as string | null,
  disable_local_backup: backup.isOnlyInS3,
  database_backup_retention_amount_s3: backup.s3Keeps,
  database_backup_retention_days_s3: backup.s3KeepsDays,
  database_backup_retention_max_storage_s3: backup.s3KeepsGigabytes,
  databases_to_backup: backup.databases.length === 0 ? null : backup.databases.join(","),
  dump_all: backup.dumpsAll,
  timeout: backup.timeout,
  next_run_at: backup.dueAt
})

const isUploaded = (run: BackupRun): boolean | null => {
  if (uploadedObject(run) !== null) return true
  return run.object === null || run.status === "success" ? null : false
}

const showRun = (kind: DatabaseKinds.DatabaseKind) => (run: BackupRun) => ({
  uuid: run.uuid as string,
  is_local: run.isLocal === true,
  s3_uploaded: isUploaded(run),
  s3_storage_uuid: (uploadedObject(run)?.storageUuid ?? null) as string | null,
  s3_key: uploadedObject(run)?.key ?? null,
  status: run.status,
  message: run.message,
  filename: run.status === "success" ? fileOf(kind, run) : null,
  size: run.size,
  created_at: run.startedAt,
  finished_at: run.finishedAt
})

const namesOf = (text: string | null): ReadonlyArray<string> =>
  (text ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]))

const inputOf = (body: typeof BackupChange.Type): Partial<BackupInput> =>
  definedFields({
    frequency: body.frequency,
    isEnabled: body.enabled,
    keeps: body.database_backup_retention_amount_locally,
    keepsDays: body.database_backup_retention_days_locally,
    keepsGigabytes: body.database_backup_retention_max_storage_locally,
    s3StorageUuid: body.s3_storage_uuid,
    savesToS3: body.save_s3,
    isOnlyInS3: body.disable_local_backup,
    s3Keeps: body.database_backup_retention_amount_s3,
    s3KeepsDays: body.database_backup_retention_days_s3,
    s3KeepsGigabytes: body.database_backup_retention_max_storage_s3,
    databases: body.databases_to_backup === undefined ? undefined : namesOf(body.databases_to_backup),
    dumpsAll: body.dump_all,
    timeout: body.timeout
  })

/** The handlers of backups of databases. */
export const layerBackups = HttpApiBuilder.group(Api, "backups", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* Backups.list(yield* granted("database.backup.list"))).map(show)
        })
      ),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.backup.create")
          const input = { ...defaultBackup, ...inputOf(payload), frequency: payload.frequency }
          const { uuid } = yield* Backups.create(proof, input, payload.backup_now ?? false)
          return { uuid: uuid as string, message: "Backup schedule created." }
        })
      ),
    get: () => toHttpErrors(Effect.map(granted("database.backup.executions"), ({ resource }) => show(resource.backup))),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.backup.update")
          return show(yield* Backups.update(proof, inputOf(payload), payload.backup_now ?? false))
        })
      ),
    remove: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Backups.remove(yield* granted("database.backup.delete"), isSet(query.delete_s3))
          return { message: "Backup schedule deleted." }
        })
      ),
    removeExecution: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.backup.execution.delete")
          yield* Backups.removeExecution(proof, isSet(query.delete_s3))
          return { message: "Backup execution deleted." }
        })
      ),
    execution: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.backup.executions")
          const run = (yield* Backups.executions(proof)).find(({ uuid }) => uuid === params.execution_uuid)
          return showRun(proof.resource.database.kind)(run ?? (yield* new BackupRunNotFound()))
        })
      ),
    executions: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.backup.executions")
          const { kind } = proof.resource.database
          return { executions: (yield* Backups.executions(proof)).map(showRun(kind)) }
        })
      )
  })
)
