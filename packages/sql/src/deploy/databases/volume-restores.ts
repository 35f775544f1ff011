import { PgTypes } from "@effect/sql-pg"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { type VolumeRestore, type VolumeRestoreRun, VolumeRestoreStore } from "@slipway/domain/deploy/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { boolean, integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { dueStore } from "../apps/due.ts"
import { reader } from "../base/reader.ts"
import { restoreTables } from "./restoreTables.ts"

const stored = reader<Omit<VolumeRestore, "frequency" | "isEnabled">>("volume_restore", {
  id: integer("id"),
  uuid: text("uuid"),
  storageUuid: text("storage_uuid"),
  source: json("source"),
  timeout: integer("timeout"),
  image: nullable(text("image")),
  dueAt: nullable(time("due_at")),
  isAsked: boolean("is_asked"),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

/** Restores have no schedule. */
const restores = {
  all: stored.all,
  read: (rows: Parameters<typeof stored.read>[0]): ReadonlyArray<VolumeRestore> =>
    stored.read(rows).map((row) => ({ ...row, frequency: "", isEnabled: false }))
}

const runs = reader<VolumeRestoreRun>("volume_restore_run", {
  uuid: text("uuid"),
  restoreUuid: text("restore_uuid"),
  status: text("status"),
  message: nullable(text("message")),
  startedAt: time("started_at"),
  finishedAt: nullable(time("finished_at"))
})

/** Stores restores of storages in PostgreSQL. */
export const layerVolumeRestores = Layer.effect(
  VolumeRestoreStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(restores.all)
    const tables = {
      table: "volume_restore",
      rows: restores,
      owner: "storage_uuid",
      runTable: "volume_restore_run",
      runs
    }
    const shared = restoreTables(sql, tables)
    return {
      ...dueStore(sql, { ...tables, mostAtOnce: 1, takeLock: 5_310_008, of: "restore_uuid" }),
      ofStorage: shared.ofOwner,
      restoring: Effect.map(
        orDieSql(
          sql<{ readonly owner: ApplicationUuid }>`
            SELECT DISTINCT coalesce(storage.application_uuid, storage.database_uuid) AS owner
            FROM volume_restore JOIN storage ON storage.uuid = volume_restore.storage_uuid
            WHERE volume_restore.is_asked OR volume_restore.uuid IN (
              SELECT restore_uuid FROM volume_restore_run WHERE status = 'running')`
        ),
        (rows) => new Set(rows.map(({ owner }) => owner))
      ),
      setImage: (uuid, image) =>
        Effect.asVoid(orDieSql(sql`UPDATE volume_restore SET image = ${image} WHERE uuid = ${uuid}`)),
      insert: (row) => {
        const insert = sql`
          INSERT INTO volume_restore (uuid, storage_uuid, source, timeout, image, due_at, is_asked, created_at, updated_at)
          SELECT ${row.uuid}, uuid, ${PgTypes.jsonb(row.source)}, ${PgTypes.int4(row.timeout)}, ${row.image}, ${moment(row.dueAt)},
            ${PgTypes.bool(row.isAsked)}, ${moment(row.createdAt)}, ${moment(row.updatedAt)}
          FROM storage WHERE uuid = ${row.storageUuid}
          RETURNING ${all}`.values
        return Effect.map(
          orDieSql(sql.withTransaction(Effect.tap(insert, shared.forget(row.storageUuid)))),
          (rows) => restores.read(rows)[0]
        )
      }
    }
  })
)
