import { PgTypes } from "@effect/sql-pg"
import { type DrainProgress, LogDrainStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"

const moment = (at: string) => PgTypes.timestamptz(new Date(at))

/** Stores in PostgreSQL the position up to which the logs of each server were sent to its log drain. */
export const layerLogDrains = Layer.effect(
  LogDrainStore,
  Effect.map(SqlClient, (sql) => ({
    ofServer: (server) =>
      orDieSql(
        sql<DrainProgress>`
          SELECT type, since, positions FROM log_drain_progress WHERE server_uuid = ${lookup(server)} ORDER BY type`
      ),
    save: (server, { positions, since, type }) =>
      Effect.asVoid(
        orDieSql(sql`
          INSERT INTO log_drain_progress (server_uuid, type, since, positions)
          SELECT uuid, ${type}, ${since}, ${PgTypes.jsonb(positions)} FROM server WHERE uuid = ${lookup(server)}
          ON CONFLICT (server_uuid, type) DO UPDATE SET since = excluded.since, positions = excluded.positions`)
      ),
    claim: (server, { at, until, worker }) =>
      Effect.map(
        orDieSql(
          sql`
          INSERT INTO log_drain_claim (server_uuid, worker, until)
          SELECT uuid, ${worker}, ${moment(until)} FROM server WHERE uuid = ${lookup(server)}
          ON CONFLICT (server_uuid) DO UPDATE SET worker = excluded.worker, until = excluded.until
          WHERE log_drain_claim.worker = excluded.worker OR log_drain_claim.until <= ${moment(at)}
          RETURNING server_uuid`.values
        ),
        (rows) => rows.length > 0
      )
  }))
)
