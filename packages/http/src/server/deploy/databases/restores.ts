import { Restores } from "@slipway/deploy/databases"
import { defaultBackup, type RestoreProgress, restoreStatus } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { RestoresApi } from "../../../api/deploy/databases/restores.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(RestoresApi).prefix("/api/v1") {}

const show = (progress: RestoreProgress) => {
  const { restore, run } = progress
  return {
    ...stampsOf(restore),
    database_uuid: restore.databaseUuid as string,
    source_database_uuid: restore.source.databaseUuid as string,
    scheduled_backup_uuid: restore.source.backupUuid as string,
    execution_uuid: restore.source.runUuid as string,
    status: restoreStatus(progress),
    message: run?.message ?? null,
    timeout: restore.timeout,
    started_at: run?.startedAt ?? null,
    finished_at: run?.finishedAt ?? null
  }
}

/** The handlers of restores of backups. */
export const layerRestores = HttpApiBuilder.group(Api, "restores", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* Restores.list(yield* granted("database.restore.list"))).map(show)
        })
      ),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.backup.execution.restore")
          const { database_uuid: databaseUuid, timeout = defaultBackup.timeout } = payload
          const { uuid } = yield* Restores.create(proof, { databaseUuid, timeout })
          return { uuid: uuid as string, message: "Restore requested." }
        })
      )
  })
)
