import { nameKey } from "@slipway/domain"
import { type PlacedType, type PlacementFacts, type PlacementQuery, PlacementStore } from "@slipway/domain/deploy/apps"
import { TeamId } from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"

// A parameter that the request doesn't name is null, which equals nothing.
const named = (sought: string | undefined) => (sought === undefined ? null : lookup(sought))

/**
 * Returns the statement that reads the team, project, environment, server and destination of a placement. It locks each
 * of these rows until the transaction ends.
 *
 * `FOR KEY SHARE` is not allowed on the nullable side of an outer join, so each resource is a separate sub-select.
 */
export const factsStatement = (sql: SqlClient, query: PlacementQuery) => sql<PlacementFacts>`
  WITH
  found_project AS MATERIALIZED (
    SELECT uuid, team_id FROM project WHERE uuid = ${named(query.projectUuid)} FOR KEY SHARE
  ),
  found_environment_by_name AS MATERIALIZED (
    SELECT uuid, project_uuid, team_id, name, is_protected FROM environment
    WHERE project_uuid = ${named(query.projectUuid)}
      AND name_key = ${named(query.environmentName === undefined ? undefined : nameKey(query.environmentName))}
    FOR KEY SHARE
  ),
  found_environment_by_uuid AS MATERIALIZED (
    SELECT uuid, project_uuid, team_id, name, is_protected FROM environment WHERE uuid = ${named(query.environmentUuid)} FOR KEY SHARE
  ),
  found_server AS MATERIALIZED (
    SELECT uuid, team_id, name, ip, wildcard_domain FROM server WHERE uuid = ${named(query.serverUuid)} FOR KEY SHARE
  ),
  found_destinations AS MATERIALIZED (
    SELECT id, uuid, server_uuid, name FROM destination WHERE server_uuid = ${named(query.serverUuid)} FOR KEY SHARE
  ),
  found_destination AS MATERIALIZED (
    SELECT uuid, server_uuid, name FROM destination WHERE uuid = ${named(query.destinationUuid)} FOR KEY SHARE
  ),
  found_private_key AS MATERIALIZED (
    SELECT uuid, team_id FROM private_key WHERE uuid = ${named(query.privateKeyUuid)} FOR KEY SHARE
  ),
  found_forge_app AS MATERIALIZED (
    SELECT uuid, team_id FROM forge_app WHERE uuid = ${named(query.forgeAppUuid)} FOR KEY SHARE
  )
  SELECT
    (SELECT json_build_object('uuid', uuid, 'teamId', team_id) FROM found_project) AS "project",
    (SELECT json_build_object('uuid', uuid, 'projectUuid', project_uuid, 'teamId', team_id, 'name', name,
        'isProtected', is_protected)
      FROM found_environment_by_name) AS "environmentByName",
    (SELECT json_build_object('uuid', uuid, 'projectUuid', project_uuid, 'teamId', team_id, 'name', name,
        'isProtected', is_protected)
      FROM found_environment_by_uuid) AS "environmentByUuid",
    (SELECT json_build_object('uuid', uuid, 'teamId', team_id, 'name', name, 'ip', ip, 'wildcardDomain', wildcard_domain)
      FROM found_server) AS "server",
    (SELECT coalesce(
        json_agg(json_build_object('uuid', uuid, 'serverUuid', server_uuid, 'name', name,
        'teamId', (SELECT team_id FROM server WHERE server.uuid = server_uuid)) ORDER BY id),
        '[]'
      ) FROM found_destinations) AS "destinations",
    (SELECT json_build_object('uuid', uuid, 'serverUuid', server_uuid, 'name', name,
        'teamId', (SELECT team_id FROM server WHERE server.uuid = server_uuid))
      FROM found_destination) AS "destination",
    (SELECT json_build_object('uuid', uuid, 'teamId', team_id) FROM found_private_key) AS "privateKey",
    (SELECT json_build_object('uuid', uuid, 'teamId', team_id) FROM found_forge_app) AS "forgeApp"`

const numbered = ["application", "destination", "environment", "forge_app", "private_key", "server"]

/** Returns the statement that reads the ids of resources by uuid. Each resource type is looked up by its index. */
const numbersStatement = (sql: SqlClient, uuids: ReadonlyArray<string>) => sql<{
  readonly uuid: string
  readonly id: string
}>`
  SELECT uuid, id FROM (${sql.literal(numbered.map((table) => `SELECT uuid, id FROM ${table}`).join(" UNION ALL "))}) thing
  WHERE ${sql.in("uuid", uuids.map(lookup))}`

const teamRows = [
  ["forge_app", "forgeApp"],
  ["gitlab_app", "gitlabApp"],
  ["private_key", "key"],
  ["registry", "registry"],
  ["s3_storage", "s3Storage"],
  ["server", "server"],
  ["tag", "tag"]
] as const

/**
 * Returns the statement that reads the types and places of resources by uuid. Each resource type is looked up by its
 * index.
 */
const placesStatement = (sql: SqlClient, uuids: ReadonlyArray<string>) => {
  const isOne = sql`= ANY(${uuids.map(lookup)}::text[])`
  const inEnvironment = (table: string, type: Fragment) => sql`
    SELECT thing.uuid, ${type} AS type, environment.team_id, environment.project_uuid AS project,
      environment.uuid AS environment, thing.uuid AS resource, environment.is_protected
    FROM ${sql.literal(table)} thing JOIN environment ON environment.uuid = thing.environment_uuid
    WHERE thing.uuid ${isOne}`
  const ofTeam = ([table, type]: readonly [string, string]) => sql`
    SELECT uuid, ${type}::text, team_id, NULL, NULL, NULL, false FROM ${sql.literal(table)} WHERE uuid ${isOne}`
  const all = [
    inEnvironment("application", sql`CASE WHEN thing.variant = 'service' THEN 'service' ELSE 'application' END`),
    inEnvironment("database", sql`'database'`),
    sql`
      SELECT uuid, 'environment', team_id, project_uuid, uuid, NULL, is_protected
      FROM environment WHERE uuid ${isOne}`,
    sql`SELECT uuid, 'project', team_id, uuid, NULL, NULL, false FROM project WHERE uuid ${isOne}`,
    sql`
      SELECT destination.uuid, 'destination', team_id, NULL, NULL, NULL, false
      FROM destination JOIN server ON server.uuid = server_uuid WHERE destination.uuid ${isOne}`,
    ...teamRows.map(ofTeam)
  ]
  return sql<{
    readonly uuid: string
    readonly type: PlacedType
    readonly team_id: string
    readonly project: string | null
    readonly environment: string | null
    readonly resource: string | null
    readonly is_protected: boolean
  }>`${sql.join(" UNION ALL ", false)(all)}`
}

/** Reads placements from PostgreSQL: the team, project, environment, server and destination that a request names. */
export const layerPlacement = Layer.effect(
  PlacementStore,
  Effect.map(SqlClient, (sql) => ({
    facts: (query) =>
      orDieSql(
        // INVARIANT: a select without a table answers one row.
        Effect.map(factsStatement(sql, query), ([facts]) => facts as PlacementFacts)
      ),
    places: (uuids) =>
      uuids.length === 0
        ? Effect.succeed(new Map())
        : Effect.map(
            orDieSql(placesStatement(sql, uuids)),
            (rows) =>
              new Map(
                rows.map(({ environment, is_protected: isProtected, project, resource, team_id, type, uuid }) => [
                  uuid,
                  {
                    type,
                    place: {
                      teamId: TeamId.make(Number(team_id)),
                      project: project ?? undefined,
                      environment: environment ?? undefined,
                      resource: resource ?? undefined,
                      isProtected
                    }
                  }
                ])
              )
          ),
    numbers: (uuids) =>
      Effect.map(
        orDieSql(numbersStatement(sql, uuids)),
        (rows) => new Map(rows.map(({ id, uuid }) => [uuid, Number(id)]))
      )
  }))
)
