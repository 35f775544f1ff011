import { PgTypes } from "@effect/sql-pg"
import {
  mostFailed,
  mostSuccessful,
  type VolumeBackup,
  type VolumeBackupRun,
  VolumeBackupStore
} from "@slipway/domain/deploy/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { boolean, float, integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { dueStore } from "../apps/due.ts"
import { reader } from "../base/reader.ts"

const backups = reader<VolumeBackup>("volume_backup", {
  id: integer("id"),
  uuid: text("uuid"),
  storageUuid: text("storage_uuid"),
  frequency: text("frequency"),
  isEnabled: boolean("is_enabled"),
  s3StorageUuid: text("s3_storage_uuid"),
  s3Keeps: integer("s3_keeps"),
  s3KeepsDays: integer("s3_keeps_days"),
  s3KeepsGigabytes: float("s3_keeps_gigabytes"),
  timeout: integer("timeout"),
  dueAt: nullable(time("due_at")),
  isAsked: boolean("is_asked"),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

const runs = reader<VolumeBackupRun>("volume_backup_run", {
  uuid: text("uuid"),
  backupUuid: text("backup_uuid"),
  status: text("status"),
  message: nullable(text("message")),
  size: nullable(integer("size")),
  object: nullable(json("object")),
  startedAt: time("started_at"),
  finishedAt: nullable(time("finished_at"))
})

const jsonOrNull = (value: object | null) => (value === null ? null : PgTypes.jsonb(value))

/** Stores backup schedules of storages in PostgreSQL. */
export const layerVolumeBackups = Layer.effect(
  VolumeBackupStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(backups.all)
    return {
      ...dueStore(sql, {
        table: "volume_backup",
        rows: backups,
        owner: "storage_uuid",
        mostAtOnce: 1,
        takeLock: 5_310_006,
        runTable: "volume_backup_run",
        runs,
        of: "backup_uuid",
        forget: ({ backupUuid, status, uuid }) => sql`
          DELETE FROM volume_backup_run WHERE id IN (
            -- The one that ends is stored as running yet.
            SELECT id FROM volume_backup_run WHERE backup_uuid = ${backupUuid} AND (status = ${status} OR uuid = ${uuid})
            ORDER BY id DESC OFFSET ${PgTypes.int4(status === "failed" ? mostFailed : mostSuccessful)})`,
        begun: ({ object }) => ({ columns: sql`, object`, values: sql`, ${jsonOrNull(object)}` }),
        ended: ({ object, size }) =>
          sql`, size = ${size === null ? null : PgTypes.int8(BigInt(size))}, object = ${jsonOrNull(object)}`
      }),
      ofStorage: (uuid) =>
        Effect.map(
          orDieSql(sql`SELECT ${all} FROM volume_backup WHERE storage_uuid = ${lookup(uuid)}`.values),
          (rows) => backups.read(rows)[0]
        ),
      insert: (row) =>
        Effect.map(
          orDieSql(
            sql`
            INSERT INTO volume_backup (uuid, storage_uuid, frequency, is_enabled, s3_storage_uuid, s3_keeps,
              s3_keeps_days, s3_keeps_gigabytes, timeout, due_at, is_asked, created_at, updated_at)
            SELECT ${row.uuid}, uuid, ${row.frequency}, ${PgTypes.bool(row.isEnabled)}, ${row.s3StorageUuid},
              ${PgTypes.int4(row.s3Keeps)}, ${PgTypes.int4(row.s3KeepsDays)}, ${PgTypes.float8(row.s3KeepsGigabytes)},
              ${PgTypes.int4(row.timeout)}, ${moment(row.dueAt)}, ${PgTypes.bool(row.isAsked)},
              ${moment(row.createdAt)}, ${moment(row.updatedAt)}
            FROM storage WHERE uuid = ${row.storageUuid}
            ON CONFLICT (storage_uuid) DO NOTHING RETURNING ${all}`.values
          ),
          (rows) => backups.read(rows)[0]
        ),
      replace: (row) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE volume_backup SET frequency = ${row.frequency}, is_enabled = ${PgTypes.bool(row.isEnabled)},
              s3_storage_uuid = ${row.s3StorageUuid}, s3_keeps = ${PgTypes.int4(row.s3Keeps)},
              s3_keeps_days = ${PgTypes.int4(row.s3KeepsDays)},
              s3_keeps_gigabytes = ${PgTypes.float8(row.s3KeepsGigabytes)}, timeout = ${PgTypes.int4(row.timeout)},
              -- A worker may have moved it on since the row was read.
              due_at = CASE WHEN frequency = ${row.frequency} AND is_enabled = ${PgTypes.bool(row.isEnabled)}
                THEN due_at ELSE ${moment(row.dueAt)} END,
              updated_at = ${moment(row.updatedAt)}
            WHERE uuid = ${row.uuid}`)
        ),
      remove: (storage, uuid) =>
        Effect.map(
          orDieSql(
            sql`
            DELETE FROM volume_backup WHERE storage_uuid = ${lookup(storage)} AND uuid = ${lookup(uuid)}
            RETURNING id`.values
          ),
          (rows) => rows.length > 0
        ),
      cleared: (backup, cleared) => {
        if (cleared.length === 0) return Effect.void
        const those = sql`backup_uuid = ${backup} AND ${sql.in("uuid", cleared)}`
        return Effect.asVoid(
          orDieSql(
            sql.withTransaction(
              Effect.andThen(
                sql`DELETE FROM volume_backup_run WHERE ${those} AND status = 'success'`,
                sql`UPDATE volume_backup_run SET object = NULL WHERE ${those} AND status = 'failed'`
              )
            )
          )
        )
      }
    }
  })
)
