import { PgTypes } from "@effect/sql-pg"
import { type Cleanup, CleanupStore, mostCleanups } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"

const cleanups = reader<Cleanup>("cleanup", {
  uuid: text("uuid"),
  serverUuid: text("server_uuid"),
  status: text("status"),
  message: nullable(text("message")),
  createdAt: time("created_at"),
  updatedAt: time("updated_at"),
  finishedAt: nullable(time("finished_at"))
})

const moment = (at: string | null) => (at === null ? null : PgTypes.timestamptz(new Date(at)))

/** Stores cleanups of servers in PostgreSQL. */
export const layerCleanups = Layer.effect(
  CleanupStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(cleanups.all)
    return {
      ofServer: (server) =>
        Effect.map(
          orDieSql(sql`SELECT ${all} FROM cleanup WHERE server_uuid = ${lookup(server)} ORDER BY id DESC`.values),
          cleanups.read
        ),
      newest: Effect.map(
        orDieSql(
          sql`
          SELECT ${all} FROM server, LATERAL (
            SELECT * FROM cleanup WHERE server_uuid = server.uuid ORDER BY id DESC LIMIT 1) cleanup
          ORDER BY server.id`.values
        ),
        cleanups.read
      ),
      insert: (row) =>
        Effect.asVoid(
          orDieSql(sql`
            WITH added AS (
              INSERT INTO cleanup (uuid, server_uuid, status, message, created_at, updated_at, finished_at)
              SELECT ${row.uuid}, uuid, ${row.status}, ${row.message}, ${moment(row.createdAt)},
                ${moment(row.updatedAt)}, ${moment(row.finishedAt)}
              FROM server WHERE uuid = ${row.serverUuid})
            DELETE FROM cleanup WHERE id IN (
              SELECT id FROM cleanup WHERE server_uuid = ${row.serverUuid}
              ORDER BY id DESC OFFSET ${PgTypes.int4(mostCleanups - 1)})`)
        ),
      replace: (row) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE cleanup SET status = ${row.status}, message = ${row.message},
              updated_at = ${moment(row.updatedAt)}, finished_at = ${moment(row.finishedAt)}
            WHERE uuid = ${row.uuid}`)
        )
    }
  })
)
