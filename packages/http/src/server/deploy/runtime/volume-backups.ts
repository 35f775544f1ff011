import { VolumeBackups, VolumeRestores } from "@slipway/deploy/databases"
import {
  defaultVolumeBackup,
  restoreStatus,
  uploadedObject,
  type VolumeBackup,
  type VolumeBackupRun,
  type VolumeRestoreProgress
} from "@slipway/domain/deploy/databases"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import {
  type StorageBackupBody,
  type StorageOwner,
  type StorageRestoreCreation,
  VolumeBackupsApi
} from "../../../api/deploy/runtime/volume-backups.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { definedFields, stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(VolumeBackupsApi).prefix("/api/v1") {}

const show = (backup: VolumeBackup) => ({
  uuid: backup.uuid as string,
  storage_uuid: backup.storageUuid as string,
  storage_type: "persistent" as const,
  frequency: backup.frequency,
  enabled: backup.isEnabled,
  save_s3: true as const,
  s3_storage_uuid: backup.s3StorageUuid as string,
  disable_local_backup: true as const,
  stop_during_backup: false as const,
  retention_amount_s3: backup.s3Keeps,
  retention_days_s3: backup.s3KeepsDays,
  retention_max_storage_s3: backup.s3KeepsGigabytes,
  retention_amount_locally: 0 as const,
  retention_days_locally: 0 as const,
  retention_max_storage_locally: 0 as const,
  timeout: backup.timeout,
  next_run_at: backup.dueAt
})

const showRun = (run: VolumeBackupRun) => ({
  uuid: run.uuid as string,
  status: run.status,
  message: run.message,
  s3_storage_uuid: (uploadedObject(run)?.storageUuid ?? null) as string | null,
  s3_key: uploadedObject(run)?.key ?? null,
  size: run.size,
  created_at: run.startedAt,
  finished_at: run.finishedAt
})

const inputOf = (body: typeof StorageBackupBody.Type) =>
  definedFields({
    frequency: body.frequency,
    isEnabled: body.enabled,
    s3StorageUuid: body.s3_storage_uuid,
    s3Keeps: body.retention_amount_s3,
    s3KeepsDays: body.retention_days_s3,
    s3KeepsGigabytes: body.retention_max_storage_s3,
    timeout: body.timeout
  })

/** An effect that returns the proof of an authorized action on the backups of a storage, of any resource type. */
type Proof<Verb extends "delete" | "read" | "restore" | "run" | "update", R> = Effect.Effect<
  Authorized<`${StorageOwner}.storage.backup.${Verb}`>,
  never,
  R
>

const read =
  <R>(proof: Proof<"read", R>) =>
  () =>
    toHttpErrors(
      Effect.gen(function* () {
        const { backup, runs } = yield* VolumeBackups.read(yield* proof)
        return { ...show(backup), executions: runs.map(showRun) }
      })
    )

const put =
  <R>(proof: Proof<"update", R>) =>
  ({ payload }: { readonly payload: typeof StorageBackupBody.Type }) =>
    toHttpErrors(
      Effect.gen(function* () {
        const backup = yield* VolumeBackups.put(yield* proof, inputOf(payload))
        return { ...show(backup), message: "Backup schedule saved." }
      })
    )

const remove =
  <R>(proof: Proof<"delete", R>) =>
  () =>
    toHttpErrors(
      Effect.gen(function* () {
        yield* VolumeBackups.remove(yield* proof)
        return { message: "Backup schedule deleted." }
      })
    )

const run =
  <R>(proof: Proof<"run", R>) =>
  () =>
    toHttpErrors(
      Effect.gen(function* () {
        yield* VolumeBackups.run(yield* proof)
        return { message: "Backup queued." }
      })
    )

const showRestore = (progress: VolumeRestoreProgress) => {
  const { restore, run } = progress
  return {
    ...stampsOf(restore),
    storage_uuid: restore.storageUuid as string,
    execution_uuid: restore.source.runUuid as string,
    status: restoreStatus(progress),
    message: run?.message ?? null,
    timeout: restore.timeout,
    started_at: run?.startedAt ?? null,
    finished_at: run?.finishedAt ?? null
  }
}

const list =
  <R>(proof: Proof<"read", R>) =>
  () =>
    toHttpErrors(
      Effect.gen(function* () {
        return (yield* VolumeRestores.list(yield* proof)).map(showRestore)
      })
    )

interface RestoreRequest {
  readonly params: { readonly execution_uuid: string }
  readonly payload: typeof StorageRestoreCreation.Type
}

const restore =
  <R>(proof: Proof<"restore", R>) =>
  ({ params, payload }: RestoreRequest) =>
    toHttpErrors(
      Effect.gen(function* () {
        const timeout = payload.timeout ?? defaultVolumeBackup.timeout
        const { uuid } = yield* VolumeRestores.create(yield* proof, params.execution_uuid, timeout)
        return { uuid: uuid as string, message: "Restore requested." }
      })
    )

/** The handlers of backups of storages. */
export const layerVolumeBackups = HttpApiBuilder.group(Api, "volumeBackups", (handlers) =>
  handlers.handleAll({
    "read-application": read(granted("application.storage.backup.read")),
    "put-application": put(granted("application.storage.backup.update")),
    "delete-application": remove(granted("application.storage.backup.delete")),
    "run-application": run(granted("application.storage.backup.run")),
    "restores-application": list(granted("application.storage.backup.read")),
    "restore-application": restore(granted("application.storage.backup.restore")),
    "read-database": read(granted("database.storage.backup.read")),
    "put-database": put(granted("database.storage.backup.update")),
    "delete-database": remove(granted("database.storage.backup.delete")),
    "run-database": run(granted("database.storage.backup.run")),
    "restores-database": list(granted("database.storage.backup.read")),
    "restore-database": restore(granted("database.storage.backup.restore")),
    "read-service": read(granted("service.storage.backup.read")),
    "put-service": put(granted("service.storage.backup.update")),
    "delete-service": remove(granted("service.storage.backup.delete")),
    "run-service": run(granted("service.storage.backup.run")),
    "restores-service": list(granted("service.storage.backup.read")),
    "restore-service": restore(granted("service.storage.backup.restore"))
  })
)
