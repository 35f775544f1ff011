import { nameKey } from "@slipway/domain"
import { type PlacementFacts, type PlacementQuery, PlacementStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"

// A parameter that the request doesn't name is null, which equals nothing.
const named = (sought: string | undefined) => (sought === undefined ? null : lookup(sought))

/**
 * The statement that reads the facts of a placement, and locks each of them until the transaction ends.
 *
 * `FOR KEY SHARE` is not allowed on the nullable side of an outer join, so each resource is a separate sub-select.
 */
export const factsStatement = (sql: SqlClient, query: PlacementQuery) => sql<PlacementFacts>`
  WITH
  found_project AS MATERIALIZED (
    SELECT uuid FROM project WHERE uuid = ${named(query.projectUuid)} FOR KEY SHARE
  ),
  found_environment_by_name AS MATERIALIZED (
    SELECT uuid, project_uuid, name FROM environment
    WHERE project_uuid = ${named(query.projectUuid)}
      AND name_key = ${named(query.environmentName === undefined ? undefined : nameKey(query.environmentName))}
    FOR KEY SHARE
  ),
  found_environment_by_uuid AS MATERIALIZED (
    SELECT uuid, project_uuid, name FROM environment WHERE uuid = ${named(query.environmentUuid)} FOR KEY SHARE
  ),
  found_server AS MATERIALIZED (
    SELECT uuid, name, ip, wildcard_domain FROM server WHERE uuid = ${named(query.serverUuid)} FOR KEY SHARE
  ),
  found_destinations AS MATERIALIZED (
    SELECT id, uuid, server_uuid, name FROM destination WHERE server_uuid = ${named(query.serverUuid)} FOR KEY SHARE
  ),
  found_destination AS MATERIALIZED (
    SELECT uuid, server_uuid, name FROM destination WHERE uuid = ${named(query.destinationUuid)} FOR KEY SHARE
  ),
  found_private_key AS MATERIALIZED (
    SELECT uuid FROM private_key WHERE uuid = ${named(query.privateKeyUuid)} FOR KEY SHARE
  ),
  found_forge_app AS MATERIALIZED (
    SELECT uuid FROM forge_app WHERE uuid = ${named(query.forgeAppUuid)} FOR KEY SHARE
  )
  SELECT
    (SELECT json_build_object('uuid', uuid) FROM found_project) AS "project",
    (SELECT json_build_object('uuid', uuid, 'projectUuid', project_uuid, 'name', name)
      FROM found_environment_by_name) AS "environmentByName",
    (SELECT json_build_object('uuid', uuid, 'projectUuid', project_uuid, 'name', name)
      FROM found_environment_by_uuid) AS "environmentByUuid",
    (SELECT json_build_object('uuid', uuid, 'name', name, 'ip', ip, 'wildcardDomain', wildcard_domain)
      FROM found_server) AS "server",
    (SELECT coalesce(
        json_agg(json_build_object('uuid', uuid, 'serverUuid', server_uuid, 'name', name) ORDER BY id),
        '[]'
      ) FROM found_destinations) AS "destinations",
    (SELECT json_build_object('uuid', uuid, 'serverUuid', server_uuid, 'name', name)
      FROM found_destination) AS "destination",
    (SELECT json_build_object('uuid', uuid) FROM found_private_key) AS "privateKey",
    (SELECT json_build_object('uuid', uuid) FROM found_forge_app) AS "forgeApp"`

const numbered = ["application", "destination", "environment", "forge_app", "private_key", "server"]

/** The statement that reads the ids of resources by their uuids, each type by its index. */
const numbersStatement = (sql: SqlClient, uuids: ReadonlyArray<string>) => sql<{
  readonly uuid: string
  readonly id: string
}>`
  SELECT uuid, id FROM (${sql.literal(numbered.map((table) => `SELECT uuid, id FROM ${table}`).join(" UNION ALL "))}) thing
  WHERE ${sql.in("uuid", uuids.map(lookup))}`

/** Reads the facts of a placement from PostgreSQL. */
export const layerPlacement = Layer.effect(
  PlacementStore,
  Effect.map(SqlClient, (sql) => ({
    facts: (query) =>
      orDieSql(
        // INVARIANT: a select without a table answers one row.
        Effect.map(factsStatement(sql, query), ([facts]) => facts as PlacementFacts)
      ),
    numbers: (uuids) =>
      Effect.map(
        orDieSql(numbersStatement(sql, uuids)),
        (rows) => new Map(rows.map(({ id, uuid }) => [uuid, Number(id)]))
      )
  }))
)
