import { type Storage, StorageStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { integer, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"
import { applicationRows, owner } from "./applicationRows.ts"

const storages = reader<Storage>("storage", {
  id: integer("id"),
  uuid: text("uuid"),
  applicationUuid: owner,
  name: text("name"),
  service: nullable(text("service")),
  mountPath: text("mount_path"),
  hostPath: nullable(text("host_path")),
  content: nullable(text("content")),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

/** Stores storages in PostgreSQL. */
export const layerStorages = Layer.effect(
  StorageStore,
  Effect.map(SqlClient, (sql) => ({
    ...applicationRows(sql, "storage", storages, {
      name: "row ->> 'name'",
      service: "row ->> 'service'",
      mount_path: "row ->> 'mountPath'",
      host_path: "row ->> 'hostPath'",
      content: "row ->> 'content'"
    }),
    find: (uuid) =>
      Effect.map(
        orDieSql(sql`SELECT ${sql.literal(storages.all)} FROM storage WHERE uuid = ${lookup(uuid)}`.values),
        (rows) => storages.read(rows)[0]
      ),
    replace: (row) =>
      Effect.map(
        orDieSql(
          sql`
          UPDATE storage SET name = ${row.name}, mount_path = ${row.mountPath}, host_path = ${row.hostPath},
            content = ${row.content},
            updated_at = ${moment(row.updatedAt)}
          WHERE uuid = ${row.uuid} AND NOT EXISTS (
            SELECT FROM storage other
            WHERE (other.application_uuid = ${row.applicationUuid} OR other.database_uuid = ${row.applicationUuid})
            AND other.service IS NOT DISTINCT FROM ${row.service}::text
            AND other.mount_path = ${row.mountPath} AND other.uuid <> ${row.uuid})
          RETURNING id`.values
        ),
        (rows) => rows.length > 0
      )
  }))
)
