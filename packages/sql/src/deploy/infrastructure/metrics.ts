import { PgTypes } from "@effect/sql-pg"
import {
  type MetricPoint,
  MetricStore,
  type MetricWindow,
  type ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"

interface PointRow {
  readonly container: string | null
  readonly second: number
  readonly cpu_percent: number | null
  readonly memory_used: number
  readonly memory_total: number
  readonly disk_used: number | null
  readonly disk_total: number | null
  readonly received: number
  readonly sent: number
}

const pointOf = (row: PointRow): MetricPoint => ({
  container: row.container,
  at: new Date(row.second * 1_000).toISOString(),
  cpuPercent: row.cpu_percent,
  memoryUsed: row.memory_used,
  memoryTotal: row.memory_total,
  diskUsed: row.disk_used,
  diskTotal: row.disk_total,
  received: row.received,
  sent: row.sent
})

const moment = (at: string) => PgTypes.timestamptz(new Date(at))

/** Stores samples of servers and containers in PostgreSQL. */
export const layerMetrics = Layer.effect(
  MetricStore,
  Effect.map(SqlClient, (sql) => {
    const points = (which: Fragment, { seconds, since }: MetricWindow) => {
      const length = PgTypes.float8(seconds)
      return orDieSql(
        Effect.map(
          sql<PointRow>`
            SELECT container, floor(extract(epoch FROM at)::float8 / ${length}) * ${length} AS second,
              avg(cpu_percent) AS cpu_percent, avg(memory_used) AS memory_used, max(memory_total) AS memory_total,
              avg(disk_used) AS disk_used, max(disk_total) AS disk_total, max(received) AS received, max(sent) AS sent
            FROM metric_sample WHERE ${which} AND at >= ${moment(since)}
            GROUP BY container, second ORDER BY second, container`,
          (rows) => rows.map(pointOf)
        )
      )
    }
    return {
      add: (samples) =>
        samples.length === 0
          ? Effect.void
          : Effect.asVoid(
              orDieSql(sql`
                INSERT INTO metric_sample
                SELECT given.* FROM jsonb_to_recordset(${PgTypes.jsonb(
                  samples.map((each) => ({
                    server_uuid: each.serverUuid,
                    application_uuid: each.applicationUuid,
                    container: each.container,
                    at: each.at,
                    cpu_percent: each.cpuPercent,
                    memory_used: each.memoryUsed,
                    memory_total: each.memoryTotal,
                    disk_used: each.diskUsed,
                    disk_total: each.diskTotal,
                    received: each.received,
                    sent: each.sent
                  }))
                )}) AS given (
                  server_uuid text, application_uuid text, container text, at timestamptz, cpu_percent float8,
                  memory_used float8, memory_total float8, disk_used float8, disk_total float8, received float8,
                  sent float8
                )
                JOIN server ON server.uuid = given.server_uuid COLLATE "C"`)
            ),
      ofServer: (server, window) => points(sql`server_uuid = ${lookup(server)} AND container IS NULL`, window),
      ofApplication: (application, window) => points(sql`application_uuid = ${lookup(application)}`, window),
      newestOf: (servers) =>
        orDieSql(
          Effect.map(
            sql<PointRow & { readonly uuid: ServerUuid }>`
              SELECT sought.uuid, newest.* FROM unnest(${servers.map(lookup)}::text[]) AS sought (uuid)
              CROSS JOIN LATERAL (
                SELECT container, extract(epoch FROM at)::float8 AS second, cpu_percent, memory_used, memory_total,
                  disk_used, disk_total, received, sent
                FROM metric_sample WHERE server_uuid = sought.uuid COLLATE "C" AND container IS NULL
                ORDER BY at DESC LIMIT 1
              ) newest`,
            (rows) => new Map(rows.map((row) => [row.uuid, pointOf(row)]))
          )
        ),
      forget: (server, before) =>
        Effect.asVoid(
          orDieSql(sql`DELETE FROM metric_sample WHERE server_uuid = ${lookup(server)} AND at < ${moment(before)}`)
        )
    }
  })
)
