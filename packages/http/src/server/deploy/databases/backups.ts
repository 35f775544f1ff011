import { Backups } from "@slipway/deploy/databases"
import {
  type Backup,
  type BackupInput,
  type BackupRun,
  type DatabaseKinds,
  fileOf
} from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type BackupChange, BackupsApi } from "../../../api/deploy/databases/backups.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(BackupsApi).prefix("/api/v1") {}

const show = (backup: Backup) => ({
  ...stampsOf(backup),
  database_uuid: backup.databaseUuid as string,
  frequency: backup.frequency,
  enabled: backup.isEnabled,
  database_backup_retention_amount_locally: backup.keeps,
  timeout: backup.timeout,
  save_s3: false as const,
  next_run_at: backup.dueAt
})

const showRun = (kind: DatabaseKinds.DatabaseKind) => (run: BackupRun) => ({
  uuid: run.uuid as string,
  status: run.status,
  message: run.message,
  filename: run.status === "success" ? fileOf(kind, run) : null,
  size: run.size,
  created_at: run.startedAt,
  finished_at: run.finishedAt
})

const inputOf = ({
  database_backup_retention_amount_locally: keeps,
  enabled,
  frequency,
  timeout
}: typeof BackupChange.Type): Partial<BackupInput> => ({
  ...(frequency === undefined ? {} : { frequency }),
  ...(enabled === undefined ? {} : { isEnabled: enabled }),
  ...(keeps === undefined ? {} : { keeps }),
  ...(timeout === undefined ? {} : { timeout })
})

/** The defaults of a new backup schedule. */
const usual = { isEnabled: true, keeps: 7, timeout: 3_600 } as const

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
          const input = { ...usual, ...inputOf(payload), frequency: payload.frequency }
          const { uuid } = yield* Backups.create(proof, input, payload.backup_now ?? false)
          return { uuid: uuid as string, message: "Backup schedule created." }
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.backup.update")
          return show(yield* Backups.update(proof, inputOf(payload), payload.backup_now ?? false))
        })
      ),
    remove: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Backups.remove(yield* granted("database.backup.delete"))
          return { message: "Backup schedule deleted." }
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
