import { PgTypes } from "@effect/sql-pg"
import { mostRestores, type Restore, type RestoreRun, RestoreStore } from "@slipway/domain/deploy/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { boolean, integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { dueStore } from "../apps/due.ts"
import { reader } from "../base/reader.ts"

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
    return {
      ...dueStore(sql, {
        table: "restore",
        rows: restores,
        owner: "database_uuid",
        mostAtOnce: 1,
        takeLock: 5_310_005,
        runTable: "restore_run",
        runs,
        of: "restore_uuid"
      }),
      ofDatabase: (uuid) =>
        Effect.gen(function* () {
          const found = restores.read(
            yield* orDieSql(
              sql`SELECT ${all} FROM restore WHERE database_uuid = ${lookup(uuid)} ORDER BY id DESC`.values
            )
          )
          if (found.length === 0) return []
          const last = runs.read(
            yield* orDieSql(
              sql`SELECT DISTINCT ON (restore_uuid) ${sql.literal(runs.all)} FROM restore_run
                WHERE ${sql.in(
                  "restore_uuid",
                  found.map((restore) => restore.uuid)
                )} ORDER BY restore_uuid, id DESC`.values
            )
          )
          const byRestore = new Map(last.map((run) => [run.restoreUuid, run]))
          return found.map((restore) => ({ restore, run: byRestore.get(restore.uuid) ?? null }))
        }),
      insert: (row) => {
        const insert = sql`
          INSERT INTO restore (uuid, database_uuid, source, timeout, due_at, is_asked, created_at, updated_at)
          SELECT ${row.uuid}, uuid, ${PgTypes.jsonb(row.source)}, ${PgTypes.int4(row.timeout)}, ${moment(row.dueAt)},
            ${PgTypes.bool(row.isAsked)}, ${moment(row.createdAt)}, ${moment(row.updatedAt)}
          FROM database WHERE uuid = ${row.databaseUuid}
          RETURNING ${all}`.values
        const forget = sql`
          DELETE FROM restore WHERE NOT is_asked AND lease_until IS NULL AND id IN (
            SELECT id FROM restore WHERE database_uuid = ${row.databaseUuid}
            ORDER BY id DESC OFFSET ${PgTypes.int4(mostRestores)})`
        return Effect.map(orDieSql(sql.withTransaction(Effect.tap(insert, forget))), (rows) => restores.read(rows)[0])
      }
    }
  })
)
