import { PgTypes } from "@effect/sql-pg"
import { type Release, ReleaseStore, type ServingState } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"

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

const servings = reader<ServingState>("serving", {
  applicationUuid: text("application_uuid"),
  releaseUuid: text("release_uuid"),
  deploymentUuid: text("deployment_uuid"),
  serverUuid: text("server_uuid"),
  destinationUuid: text("destination_uuid"),
  degraded: nullable(text("degraded")),
  unhealthy: nullable(text("unhealthy"))
})

/** Stores releases in PostgreSQL. */
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
      prune: (application, keptReleases) =>
        Effect.asVoid(
          orDieSql(sql`
            DELETE FROM release WHERE application_uuid = ${lookup(application)}
            AND id NOT IN (
              SELECT id FROM release good WHERE application_uuid = ${lookup(application)}
              AND NOT EXISTS (
                SELECT FROM deployment WHERE deployment.uuid = good.deployment_uuid
                AND deployment.status IN ('failed', 'cancelled'))
              ORDER BY id DESC LIMIT ${keptReleases})
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
                    server_uuid = EXCLUDED.server_uuid, destination_uuid = EXCLUDED.destination_uuid, degraded = NULL,
                    unhealthy = NULL`
          )
        ),
      degrade: ({ applicationUuid, deploymentUuid }, because) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE serving SET degraded = ${because}
            WHERE application_uuid = ${lookup(applicationUuid)} AND deployment_uuid = ${lookup(deploymentUuid)}`)
        ),
      setUnhealthy: ({ applicationUuid, deploymentUuid }, because) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE serving SET unhealthy = ${because}
            WHERE application_uuid = ${lookup(applicationUuid)} AND deployment_uuid = ${lookup(deploymentUuid)}`)
        )
    }
  })
)
