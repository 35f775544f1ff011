import { PgTypes } from "@effect/sql-pg"
import type { DeploymentStatus } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { type DeploymentLine, DeploymentLogStore, mostLines } from "@slipway/domain/deploy/runtime"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { integer, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"

const lines = reader<DeploymentLine>("deployment_line", {
  id: integer("id"),
  at: time("at"),
  stream: text("stream"),
  text: text("line")
})

/**
 * Stores the logs of deployments in PostgreSQL.
 *
 * Queries of one deployment also sort by the deployment, although its value is the same in all rows, because PostgreSQL
 * then uses the index on both columns.
 */
export const layerDeploymentLogs = Layer.effect(
  DeploymentLogStore,
  Effect.map(SqlClient, (sql) => ({
    append: (deployment, added) =>
      added.length === 0
        ? Effect.void
        : Effect.asVoid(
            orDieSql(sql`
              INSERT INTO deployment_line (deployment_uuid, at, stream, line)
              SELECT ${deployment}, (each ->> 'at')::timestamptz, each ->> 'stream', each ->> 'text'
              FROM jsonb_array_elements(${PgTypes.jsonb(added)}) each
              WHERE (SELECT count(*) FROM deployment_line WHERE deployment_uuid = ${deployment}) < ${PgTypes.int8(BigInt(mostLines))}`)
          ),
    prune: (application, keptDeployments) =>
      Effect.asVoid(
        orDieSql(sql`
          DELETE FROM deployment_line WHERE deployment_uuid IN (
            SELECT uuid FROM deployment WHERE application_uuid = ${lookup(application)}
            ORDER BY id DESC OFFSET ${keptDeployments})`)
      ),
    page: (deployment, after, limit) =>
      Effect.map(
        orDieSql(
          sql`
          SELECT ${sql.literal(lines.all)} FROM deployment_line
          WHERE deployment_uuid BETWEEN ${lookup(deployment)} AND ${lookup(deployment)} AND id > ${PgTypes.int8(BigInt(after))}
          ORDER BY deployment_uuid, id LIMIT ${limit}`.values
        ),
        lines.read
      ),
    tails: (deployments, { characters, lines: most }) =>
      deployments.length === 0
        ? Effect.succeed(new Map())
        : Effect.map(
            orDieSql(
              sql`
              SELECT deployment.uuid, ${sql.literal(lines.all)}
              FROM jsonb_array_elements_text(${PgTypes.jsonb(deployments)}) AS deployment (uuid)
              CROSS JOIN LATERAL (
                SELECT id, at, stream, line FROM (
                  SELECT id, at, stream, line, sum(length(line)) OVER (ORDER BY id DESC) AS characters FROM (
                    SELECT id, at, stream, line FROM deployment_line
                    WHERE deployment_uuid BETWEEN (deployment.uuid COLLATE "C") AND (deployment.uuid COLLATE "C")
                    ORDER BY deployment_uuid DESC, id DESC LIMIT ${most}
                  ) newest
                ) counted WHERE characters <= ${PgTypes.int8(BigInt(characters))}
              ) deployment_line ORDER BY deployment_line.id`.values
            ),
            (rows) => {
              const byDeployment = Map.groupBy(rows, ([uuid]) => uuid as DeploymentUuid)
              return new Map([...byDeployment].map(([uuid, own]) => [uuid, lines.read(own.map(([, ...line]) => line))]))
            }
          ),
    look: (deployment, after, limit) =>
      Effect.map(
        orDieSql(
          sql`
          SELECT deployment.status, deployment.reason, ${sql.literal(lines.all)} FROM deployment
          LEFT JOIN LATERAL (
            SELECT id, at, stream, line FROM deployment_line
            WHERE deployment_uuid BETWEEN deployment.uuid AND deployment.uuid AND id > ${PgTypes.int8(BigInt(after))}
            ORDER BY deployment_uuid, id LIMIT ${limit}
          ) deployment_line ON true
          WHERE deployment.uuid = ${lookup(deployment)} ORDER BY deployment_line.id`.values
        ),
        (rows) => {
          const [first] = rows
          if (first === undefined) return undefined
          const [status, reason] = first as unknown as readonly [DeploymentStatus, string | null]
          // A deployment without lines has one row, without a line.
          const written = rows.map(([, , ...line]) => line).filter(([id]) => id !== null)
          return { status, reason, lines: lines.read(written) }
        }
      )
  }))
)
