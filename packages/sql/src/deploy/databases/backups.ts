import { PgTypes } from "@effect/sql-pg"
import {
  type Backup,
  type BackupInput,
  type BackupRun,
  BackupStore,
  mostFailed,
  mostSuccessful
} from "@slipway/domain/deploy/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { boolean, float, integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
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
  keepsDays: integer("keeps_days"),
  keepsGigabytes: float("keeps_gigabytes"),
  s3StorageUuid: nullable(text("s3_storage_uuid")),
  savesToS3: boolean("saves_to_s3"),
  isOnlyInS3: boolean("is_only_in_s3"),
  s3Keeps: integer("s3_keeps"),
  s3KeepsDays: integer("s3_keeps_days"),
  s3KeepsGigabytes: float("s3_keeps_gigabytes"),
  databases: json("databases"),
  dumpsAll: boolean("dumps_all"),
  timeout: integer("timeout"),
  dueAt: nullable(time("due_at")),
  isAsked: boolean("is_asked"),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

const settingColumns =
  "frequency, is_enabled, keeps, timeout, keeps_days, keeps_gigabytes, s3_storage_uuid, saves_to_s3, is_only_in_s3, s3_keeps, s3_keeps_days, s3_keeps_gigabytes, databases, dumps_all"

const settingsOf = (row: BackupInput): ReadonlyArray<unknown> => [
  row.frequency,
  PgTypes.bool(row.isEnabled),
  PgTypes.int4(row.keeps),
  PgTypes.int4(row.timeout),
  PgTypes.int4(row.keepsDays),
  PgTypes.float8(row.keepsGigabytes),
  row.s3StorageUuid,
  PgTypes.bool(row.savesToS3),
  PgTypes.bool(row.isOnlyInS3),
  PgTypes.int4(row.s3Keeps),
  PgTypes.int4(row.s3KeepsDays),
  PgTypes.float8(row.s3KeepsGigabytes),
  PgTypes.jsonb(row.databases),
  PgTypes.bool(row.dumpsAll)
]

const jsonOrNull = (value: object | null) => (value === null ? null : PgTypes.jsonb(value))

const runs = reader<BackupRun>("backup_run", {
  uuid: text("uuid"),
  backupUuid: text("backup_uuid"),
  status: text("status"),
  message: nullable(text("message")),
  size: nullable(integer("size")),
  dumpsAll: boolean("dumps_all"),
  databases: json("databases"),
  image: nullable(text("image")),
  isLocal: nullable(boolean("is_local")),
  object: nullable(json("object")),
  startedAt: time("started_at"),
  finishedAt: nullable(time("finished_at"))
})

/** Stores backup schedules of databases in PostgreSQL. */
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
            ORDER BY id DESC OFFSET ${PgTypes.int4(status === "failed" ? mostFailed : mostSuccessful)})`,
        begun: ({ databases, dumpsAll, image, object }) => ({
          columns: sql`, dumps_all, databases, image, object`,
          values: sql`, ${PgTypes.bool(dumpsAll)}, ${PgTypes.jsonb(databases)}, ${image}, ${jsonOrNull(object)}`
        }),
        ended: ({ isLocal, object, size }) => sql`, size = ${size === null ? null : PgTypes.int8(BigInt(size))},
          is_local = ${isLocal === null ? null : PgTypes.bool(isLocal)}, object = ${jsonOrNull(object)}`
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
            INSERT INTO backup (uuid, database_uuid, ${sql.literal(settingColumns)}, due_at, is_asked,
              created_at, updated_at)
            SELECT ${row.uuid}, uuid, ${sql.csv(settingsOf(row).map((value) => sql`${value}`))},
              ${moment(row.dueAt)}, ${PgTypes.bool(row.isAsked)}, ${moment(row.createdAt)}, ${moment(row.updatedAt)}
            FROM database WHERE uuid = ${row.databaseUuid}
            RETURNING ${all}`.values
          ),
          (rows) => backups.read(rows)[0]
        ),
      replace: (row) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE backup SET (${sql.literal(settingColumns)}) =
                ROW (${sql.csv(settingsOf(row).map((value) => sql`${value}`))}),
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
      cleared: (backup, side, cleared) => {
        if (cleared.length === 0) return Effect.void
        const those = sql`backup_uuid = ${backup} AND status <> 'running' AND ${sql.in("uuid", cleared)}`
        const [noFile, set] =
          side === "local"
            ? [sql`object IS NULL`, sql`is_local = false`]
            : [sql`is_local IS NOT TRUE`, sql`object = NULL`]
        const both = Effect.andThen(
          sql`DELETE FROM backup_run WHERE ${those} AND status = 'success' AND ${noFile}`,
          sql`UPDATE backup_run SET ${set} WHERE ${those}`
        )
        return Effect.asVoid(orDieSql(sql.withTransaction(both)))
      },
      drop: (backup, dropped) =>
        dropped.length === 0
          ? Effect.void
          : Effect.asVoid(
              orDieSql(sql`DELETE FROM backup_run WHERE backup_uuid = ${backup} AND ${sql.in("uuid", dropped)}`)
            )
    }
  })
)
