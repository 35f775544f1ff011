import { PgTypes } from "@effect/sql-pg"
import { type Restore, type RestoreRun, RestoreStore } from "@slipway/domain/deploy/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { boolean, integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { dueStore } from "../apps/due.ts"
import { reader } from "../base/reader.ts"
import { restoreTables } from "./restoreTables.ts"

const stored = reader<Omit<Restore, "frequency" | "isEnabled">>("restore", {
  id: integer("id"),
  uuid: text("uuid"),
  databaseUuid: text("database_uuid"),
  source: json("source"),
  timeout: integer("timeout"),
  dueAt: nullable(time("due_at")),
  isAsked: boolean("is_asked"),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

/** Restores have no schedule. */
const restores = {
  all: stored.all,
  read: (rows: Parameters<typeof stored.read>[0]): ReadonlyArray<Restore> =>
    stored.read(rows).map((row) => ({ ...row, frequency: "", isEnabled: false }))
}

const runs = reader<RestoreRun>("restore_run", {
  uuid: text("uuid"),
  restoreUuid: text("restore_uuid"),
  status: text("status"),
  message: nullable(text("message")),
  startedAt: time("started_at"),
  finishedAt: nullable(time("finished_at"))
})

/** Stores restores of backups in PostgreSQL. */
export const layerRestores = Layer.effect(
  RestoreStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(restores.all)
    const tables = {
      table: "restore",
      rows: restores,
      owner: "database_uuid",
      runTable: "restore_run",
      runs
    }
    const shared = restoreTables(sql, tables)
    return {
      ...dueStore(sql, { ...tables, mostAtOnce: 1, takeLock: 5_310_005, of: "restore_uuid" }),
      ofDatabase: shared.ofOwner,
      insert: (row) => {
        const insert = sql`
          INSERT INTO restore (uuid, database_uuid, source, timeout, due_at, is_asked, created_at, updated_at)
          SELECT ${row.uuid}, uuid, ${PgTypes.jsonb(row.source)}, ${PgTypes.int4(row.timeout)}, ${moment(row.dueAt)},
            ${PgTypes.bool(row.isAsked)}, ${moment(row.createdAt)}, ${moment(row.updatedAt)}
          FROM database WHERE uuid = ${row.databaseUuid}
          RETURNING ${all}`.values
        return Effect.map(
          orDieSql(sql.withTransaction(Effect.tap(insert, shared.forget(row.databaseUuid)))),
          (rows) => restores.read(rows)[0]
        )
      }
    }
  })
)
