import { PgTypes } from "@effect/sql-pg"
import { type Backup, type BackupRun, BackupStore, mostFailed, mostRetained } from "@slipway/domain/deploy/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { boolean, integer, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { dueStore } from "../apps/due.ts"
import { reader } from "../base/reader.ts"

const backups = reader<Backup>("backup", {
  id: integer("id"),
  uuid: text("uuid"),
  databaseUuid: text("database_uuid"),
  frequency: text("frequency"),
  isEnabled: boolean("is_enabled"),
  keeps: integer("keeps"),
  timeout: integer("timeout"),
  dueAt: nullable(time("due_at")),
  isAsked: boolean("is_asked"),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

const runs = reader<BackupRun>("backup_run", {
  uuid: text("uuid"),
  backupUuid: text("backup_uuid"),
  status: text("status"),
  message: nullable(text("message")),
  size: nullable(integer("size")),
  startedAt: time("started_at"),
  finishedAt: nullable(time("finished_at"))
})

/** Stores schedules of backups in PostgreSQL. */
export const layerBackups = Layer.effect(
  BackupStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(backups.all)
    return {
      ...dueStore(sql, {
        table: "backup",
        rows: backups,
        owner: "database_uuid",
        mostAtOnce: 1,
        takeLock: 5_310_004,
        runTable: "backup_run",
        runs,
        of: "backup_uuid",
        forget: ({ backupUuid, status, uuid }) => sql`
          DELETE FROM backup_run WHERE id IN (
            -- The one that ends is stored as running yet.
            SELECT id FROM backup_run WHERE backup_uuid = ${backupUuid} AND (status = ${status} OR uuid = ${uuid})
            ORDER BY id DESC OFFSET ${PgTypes.int4(status === "failed" ? mostFailed : mostRetained)})`,
        ended: ({ size }) => sql`, size = ${size === null ? null : PgTypes.int8(BigInt(size))}`
      }),
      ofDatabase: (uuid) =>
        Effect.map(
          orDieSql(sql`SELECT ${all} FROM backup WHERE database_uuid = ${lookup(uuid)} ORDER BY id`.values),
          backups.read
        ),
      insert: (row) =>
        Effect.map(
          orDieSql(
            sql`
            INSERT INTO backup (uuid, database_uuid, frequency, is_enabled, keeps, timeout, due_at, is_asked,
              created_at, updated_at)
            SELECT ${row.uuid}, uuid, ${row.frequency}, ${PgTypes.bool(row.isEnabled)}, ${PgTypes.int4(row.keeps)},
              ${PgTypes.int4(row.timeout)}, ${moment(row.dueAt)}, ${PgTypes.bool(row.isAsked)},
              ${moment(row.createdAt)}, ${moment(row.updatedAt)}
            FROM database WHERE uuid = ${row.databaseUuid}
            RETURNING ${all}`.values
          ),
          (rows) => backups.read(rows)[0]
        ),
      replace: (row) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE backup SET frequency = ${row.frequency}, is_enabled = ${PgTypes.bool(row.isEnabled)},
              keeps = ${PgTypes.int4(row.keeps)}, timeout = ${PgTypes.int4(row.timeout)},
              -- A worker may have moved it on since the row was read.
              due_at = CASE WHEN frequency = ${row.frequency} AND is_enabled = ${PgTypes.bool(row.isEnabled)}
                THEN due_at ELSE ${moment(row.dueAt)} END,
              updated_at = ${moment(row.updatedAt)}
            WHERE uuid = ${row.uuid}`)
        ),
      remove: (database, uuid) =>
        Effect.map(
          orDieSql(
            sql`
            DELETE FROM backup WHERE database_uuid = ${lookup(database)} AND uuid = ${lookup(uuid)}
            RETURNING id`.values
          ),
          (rows) => rows.length > 0
        ),
      drop: (backup, dropped) =>
        dropped.length === 0
          ? Effect.void
          : Effect.asVoid(
              orDieSql(sql`DELETE FROM backup_run WHERE backup_uuid = ${backup} AND ${sql.in("uuid", dropped)}`)
            )
    }
  })
)
