import { PgTypes } from "@effect/sql-pg"
import {
  type DeploymentLine,
  DeploymentLogStore,
  type DeploymentStatus,
  type DeploymentUuid,
  mostLines,
  type Release,
  ReleaseStore,
  type ServingRelease,
  type Variable,
  VariableStore
} from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../collection/collection.ts"
import { boolean, integer, json, moment, nullable, text, time } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"
import { reader, rowsOf } from "./reader.ts"

const releases = reader<Release>("release", {
  uuid: text("uuid"),
  applicationUuid: text("application_uuid"),
  deploymentUuid: text("deployment_uuid"),
  commit: text("commit_sha"),
  commitMessage: nullable(text("commit_message")),
  imageId: text("image_id"),
  imagePort: nullable(integer("image_port")),
  configuration: json("configuration"),
  generatedDomain: nullable(text("generated_domain")),
  secrets: json("secrets"),
  compose: nullable(text("compose")),
  variables: json("variables"),
  createdAt: time("created_at")
})

const servings = reader<ServingRelease>("serving", {
  applicationUuid: text("application_uuid"),
  releaseUuid: text("release_uuid"),
  deploymentUuid: text("deployment_uuid"),
  serverUuid: text("server_uuid"),
  destinationUuid: text("destination_uuid")
})

/** Keeps releases in PostgreSQL. */
export const layerReleases = Layer.effect(
  ReleaseStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(releases.all)
    const find = (column: "uuid" | "deployment_uuid", uuid: string) =>
      Effect.map(
        orDieSql(sql`SELECT ${all} FROM release WHERE ${sql.literal(column)} = ${lookup(uuid)}`.values),
        (rows) => releases.read(rows)[0]
      )
    return {
      insert: (row) =>
        orDieSql(sql`
          INSERT INTO release (uuid, application_uuid, deployment_uuid, commit_sha, commit_message, image_id, image_port, configuration,
            generated_domain, secrets, compose, variables, created_at)
          SELECT ${row.uuid}, uuid, ${row.deploymentUuid}, ${row.commit}, ${row.commitMessage}, ${row.imageId},
            ${row.imagePort === null ? null : PgTypes.int8(BigInt(row.imagePort))}, ${PgTypes.jsonb(row.configuration)},
            ${row.generatedDomain}, ${PgTypes.jsonb(row.secrets)}, ${row.compose}, ${PgTypes.jsonb(row.variables)}, ${moment(row.createdAt)}
          FROM application WHERE uuid = ${row.applicationUuid}
          ON CONFLICT (deployment_uuid) DO NOTHING`).pipe(Effect.andThen(find("deployment_uuid", row.deploymentUuid))),
      find: (uuid) => find("uuid", uuid),
      ofDeployment: (uuid) => find("deployment_uuid", uuid),
      ofApplication: (application, most) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT ${all} FROM release WHERE application_uuid = ${lookup(application)} ORDER BY id DESC LIMIT ${most}`
              .values
          ),
          releases.read
        ),
      serving: (application) =>
        Effect.map(
          orDieSql(
            sql`SELECT ${sql.literal(servings.all)} FROM serving WHERE application_uuid = ${lookup(application)}`.values
          ),
          (rows) => servings.read(rows)[0]
        ),
      servingOn: (server) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT ${sql.literal(servings.all)} FROM serving JOIN application ON application.uuid = serving.application_uuid
            WHERE serving.server_uuid = ${lookup(server)} ORDER BY application.id`.values
          ),
          servings.read
        ),
      keptOf: (deployments) =>
        Effect.map(
          orDieSql(
            sql<{ readonly uuid: DeploymentUuid }>`
            SELECT deployment_uuid AS uuid FROM release WHERE deployment_uuid = ANY(${deployments.map(lookup)}::text[])`
          ),
          (rows) => new Set(rows.map(({ uuid }) => uuid))
        ),
      servingOf: (applications) =>
        applications.length === 0
          ? Effect.succeed([])
          : Effect.map(
              orDieSql(
                sql`SELECT ${sql.literal(servings.all)} FROM serving WHERE ${sql.in("application_uuid", applications)}`
                  .values
              ),
              servings.read
            ),
      prune: (application, kept) =>
        Effect.asVoid(
          orDieSql(sql`
            DELETE FROM release WHERE application_uuid = ${lookup(application)}
            AND id NOT IN (
              SELECT id FROM release good WHERE application_uuid = ${lookup(application)}
              AND NOT EXISTS (
                SELECT FROM deployment WHERE deployment.uuid = good.deployment_uuid
                AND deployment.status IN ('failed', 'cancelled'))
              ORDER BY id DESC LIMIT ${kept})
            AND uuid NOT IN (SELECT release_uuid FROM serving WHERE application_uuid = ${lookup(application)})
            AND NOT EXISTS (
              SELECT FROM deployment WHERE deployment.application_uuid = release.application_uuid
              AND deployment.release_uuid = release.uuid
              AND deployment.status NOT IN ('finished', 'failed', 'cancelled'))`)
        ),
      serve: (application, serving) =>
        Effect.asVoid(
          orDieSql(
            serving === null
              ? sql`DELETE FROM serving WHERE application_uuid = ${lookup(application)}`
              : sql`
                  INSERT INTO serving (application_uuid, release_uuid, deployment_uuid, server_uuid, destination_uuid)
                  SELECT uuid, ${serving.releaseUuid}, ${serving.deploymentUuid}, ${serving.serverUuid},
                    ${serving.destinationUuid} FROM application
                  WHERE uuid = ${lookup(application)}
                  ON CONFLICT (application_uuid) DO UPDATE
                  SET release_uuid = EXCLUDED.release_uuid, deployment_uuid = EXCLUDED.deployment_uuid,
                    server_uuid = EXCLUDED.server_uuid, destination_uuid = EXCLUDED.destination_uuid`
          )
        )
    }
  })
)

const variables = reader<Variable>("variable", {
  id: integer("id"),
  uuid: text("uuid"),
  applicationUuid: text("application_uuid"),
  key: text("key"),
  value: text("value"),
  isLiteral: boolean("is_literal"),
  isMultiline: boolean("is_multiline"),
  isShownOnce: boolean("is_shown_once"),
  isPreview: boolean("is_preview"),
  isBuildtime: boolean("is_buildtime"),
  isRuntime: boolean("is_runtime"),
  comment: nullable(text("comment")),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

/** Keeps variables in PostgreSQL. */
export const layerVariables = Layer.effect(
  VariableStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(variables.all)
    return {
      ofApplication: (application) =>
        Effect.map(
          orDieSql(sql`SELECT ${all} FROM variable WHERE application_uuid = ${lookup(application)} ORDER BY id`.values),
          variables.read
        ),
      insertMany: (rows) =>
        rows.length === 0
          ? Effect.succeed([])
          : Effect.map(
              orDieSql(
                sql`
                INSERT INTO variable (uuid, application_uuid, key, value, is_literal, is_multiline, is_shown_once,
                  is_preview, is_buildtime, is_runtime, comment, created_at, updated_at)
                SELECT row ->> 'uuid', application.uuid, row ->> 'key', row ->> 'value', (row -> 'isLiteral')::boolean,
                  (row -> 'isMultiline')::boolean, (row -> 'isShownOnce')::boolean, (row -> 'isPreview')::boolean,
                  (row -> 'isBuildtime')::boolean, (row -> 'isRuntime')::boolean, row ->> 'comment',
                  (row ->> 'createdAt')::timestamptz, (row ->> 'updatedAt')::timestamptz
                FROM ${rowsOf(sql, rows)} JOIN application ON application.uuid = row ->> 'applicationUuid'
                ORDER BY place
                ON CONFLICT DO NOTHING RETURNING ${all}`.values
              ),
              variables.read
            ),
      replaceMany: (rows) =>
        rows.length === 0
          ? Effect.void
          : Effect.asVoid(
              orDieSql(sql`
                UPDATE variable SET value = row ->> 'value', is_literal = (row -> 'isLiteral')::boolean,
                  is_multiline = (row -> 'isMultiline')::boolean, is_shown_once = (row -> 'isShownOnce')::boolean,
                  is_buildtime = (row -> 'isBuildtime')::boolean, is_runtime = (row -> 'isRuntime')::boolean,
                  comment = row ->> 'comment', updated_at = (row ->> 'updatedAt')::timestamptz
                FROM ${rowsOf(sql, rows)} WHERE variable.uuid = row ->> 'uuid'`)
            ),
      remove: (application, uuid) =>
        Effect.map(
          orDieSql(
            sql`DELETE FROM variable WHERE application_uuid = ${lookup(application)} AND uuid = ${lookup(uuid)} RETURNING id`
              .values
          ),
          (rows) => rows.length > 0
        )
    }
  })
)

const lines = reader<DeploymentLine>("deployment_line", {
  id: integer("id"),
  at: time("at"),
  stream: text("stream"),
  text: text("line")
})

/**
 * Keeps the logs of deployments in PostgreSQL.
 *
 * Lines are sorted by their deployment too, which isn't said to be one value: only their own index has that order.
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
    prune: (application, kept) =>
      Effect.asVoid(
        orDieSql(sql`
          DELETE FROM deployment_line WHERE deployment_uuid IN (
            SELECT uuid FROM deployment WHERE application_uuid = ${lookup(application)}
            ORDER BY id DESC OFFSET ${kept})`)
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
    tails: (deployments, limit) =>
      deployments.length === 0
        ? Effect.succeed(new Map())
        : Effect.map(
            orDieSql(
              sql`
              SELECT deployment.uuid, ${sql.literal(lines.all)}
              FROM jsonb_array_elements_text(${PgTypes.jsonb(deployments)}) AS deployment (uuid)
              CROSS JOIN LATERAL (
                SELECT id, at, stream, line FROM deployment_line
                WHERE deployment_uuid BETWEEN (deployment.uuid COLLATE "C") AND (deployment.uuid COLLATE "C")
                ORDER BY deployment_uuid DESC, id DESC LIMIT ${limit}
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
