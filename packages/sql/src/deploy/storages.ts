import { type Storage, StorageStore } from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../collection/collection.ts"
import { integer, moment, nullable, text, time } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"
import { reader, rowsOf } from "./reader.ts"

const storages = reader<Storage>("storage", {
  id: integer("id"),
  uuid: text("uuid"),
  applicationUuid: text("application_uuid"),
  name: text("name"),
  mountPath: text("mount_path"),
  hostPath: nullable(text("host_path")),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

/** Keeps storages in PostgreSQL. */
export const layerStorages = Layer.effect(
  StorageStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(storages.all)
    return {
      ofApplication: (application) =>
        Effect.map(
          orDieSql(sql`SELECT ${all} FROM storage WHERE application_uuid = ${lookup(application)} ORDER BY id`.values),
          storages.read
        ),
      insertMany: (rows) =>
        rows.length === 0
          ? Effect.succeed([])
          : Effect.map(
              orDieSql(
                sql`
                INSERT INTO storage (uuid, application_uuid, name, mount_path, host_path, created_at, updated_at)
                SELECT row ->> 'uuid', application.uuid, row ->> 'name', row ->> 'mountPath', row ->> 'hostPath',
                  (row ->> 'createdAt')::timestamptz, (row ->> 'updatedAt')::timestamptz
                FROM ${rowsOf(sql, rows)} JOIN application ON application.uuid = row ->> 'applicationUuid'
                ORDER BY place
                ON CONFLICT DO NOTHING RETURNING ${all}`.values
              ),
              storages.read
            ),
      replace: (row) =>
        Effect.map(
          orDieSql(
            sql`
            UPDATE storage SET name = ${row.name}, mount_path = ${row.mountPath}, host_path = ${row.hostPath},
              updated_at = ${moment(row.updatedAt)}
            WHERE uuid = ${row.uuid} AND NOT EXISTS (
              SELECT FROM storage other WHERE other.application_uuid = ${row.applicationUuid}
              AND other.mount_path = ${row.mountPath} AND other.uuid <> ${row.uuid})
            RETURNING id`.values
          ),
          (rows) => rows.length > 0
        ),
      remove: (application, uuid) =>
        Effect.map(
          orDieSql(
            sql`DELETE FROM storage WHERE application_uuid = ${lookup(application)} AND uuid = ${lookup(uuid)} RETURNING id`
              .values
          ),
          (rows) => rows.length > 0
        )
    }
  })
)
