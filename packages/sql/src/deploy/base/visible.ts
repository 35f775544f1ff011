import { factsIn, toSql } from "@slipway/access"
import type { Entity } from "@slipway/domain"
import type { Capability } from "@slipway/domain/deploy/access"
import {
  everything,
  type GrantFacts,
  type HeldGrant,
  seesRootTeam,
  type Visible,
  type VisibleCollection,
  type VisibleRows
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup, type SqlCollection } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"

/** The place of a row of a team, as a select of its columns. */
export const ofTeam = (team: string): string =>
  `SELECT ${team} AS place_team, NULL AS place_project, NULL AS place_environment, NULL AS place_resource, false AS place_protected`

const ofEnvironment = (environment: string, resource: string): string => `
  SELECT project.team_id AS place_team, project.uuid AS place_project, environment.uuid AS place_environment,
    ${resource} AS place_resource, environment.is_protected AS place_protected
  FROM environment JOIN project ON project.uuid = environment.project_uuid WHERE environment.uuid = ${environment}`

/** The place of a project. */
export const ofProject = `SELECT project.team_id AS place_team, project.uuid AS place_project, NULL AS place_environment,
  NULL AS place_resource, false AS place_protected`

/** The place of a row in an environment. */
export const ofPlacement = (table: string): string => ofEnvironment(`${table}.environment_uuid`, `${table}.uuid`)

/** The place of a row on a server that has outlived its application: the team of the server, or the root team. */
export const ofServer = (table: string): string => `
  SELECT coalesce((SELECT server.team_id FROM server WHERE server.uuid = ${table}.server_uuid), 0) AS place_team,
    NULL AS place_project, NULL AS place_environment, NULL AS place_resource, false AS place_protected`

/** The place of a row of an application, also after the application is deleted. */
export const ofApplication = (table: string): string => `
  SELECT * FROM (
    SELECT project.team_id AS place_team, project.uuid AS place_project, environment.uuid AS place_environment,
      owner.uuid AS place_resource, environment.is_protected AS place_protected
    FROM application owner JOIN environment ON environment.uuid = owner.environment_uuid
    JOIN project ON project.uuid = environment.project_uuid WHERE owner.uuid = ${table}.application_uuid
  ) living
  UNION ALL
  SELECT * FROM (${ofServer(table)}) former
  WHERE NOT EXISTS (SELECT FROM application owner WHERE owner.uuid = ${table}.application_uuid)`

/** Whether the instance has teams next to the root team. */
const hasTeams = "EXISTS (SELECT FROM team WHERE team.id > 0)"

const factExpressions = (sql: SqlClient, { access }: VisibleRows) => {
  const has = (capability: Capability) => (grant: HeldGrant) => grant.capabilities.includes(capability)
  const numbers = (ids: ReadonlyArray<number>) => sql`${ids.map(String)}::text[]::bigint[]`
  const uuids = (all: ReadonlyArray<string | null>) =>
    sql`${all.flatMap((each) => (each === null ? [] : [lookup(each)]))}::text[]`
  const on = (grants: ReadonlyArray<HeldGrant>, ...types: ReadonlyArray<string>) =>
    grants.filter(({ placeType }) => types.includes(placeType))
  const inTeam = (ids: ReadonlyArray<number>) => sql`place_team = ANY(${numbers(ids)})`
  const here = (grants: ReadonlyArray<HeldGrant>) => sql`(
    coalesce(place_environment = ANY(${uuids(on(grants, "environment").map(({ placeUuid }) => placeUuid))}), false)
    OR coalesce(place_resource = ANY(${uuids(on(grants, "application", "database", "service").map(({ placeUuid }) => placeUuid))}), false))`
  const covered = (grants: ReadonlyArray<HeldGrant>) => sql`(
    ${inTeam(on(grants, "team").map(({ teamId }) => teamId))}
    OR coalesce(place_project = ANY(${uuids(on(grants, "project").map(({ placeUuid }) => placeUuid))}), false)
    OR ${here(grants)})`
  const { grants, projects, teams } = access
  return (fact: keyof GrantFacts): Fragment => {
    switch (fact) {
      case "known":
        return inTeam(teams)
      case "withinToken":
        return projects === null ? sql`true` : sql`coalesce(place_project = ANY(${uuids(projects)}), false)`
      case "operatesHere":
        return here(grants.filter(has("operate")))
      case "editsInTeam":
        return inTeam(grants.filter(has("edit")).map(({ teamId }) => teamId))
      case "isProtected":
        return sql`place_protected`
      case "instance":
        // The facts about the caller are known before the query.
        return sql`false`
      default:
        return covered(grants.filter(has(fact)))
    }
  }
}

/** Returns the condition on a row of a table that a caller sees it; `place` selects the columns of its place. */
export const seenBy = (sql: SqlClient, place: string, visible: Visible | undefined): Fragment => {
  if (visible === undefined || visible === everything) return sql`true`
  const expressionOf = factExpressions(sql, visible)
  const names = [...new Set<keyof GrantFacts>(["known", ...factsIn(visible.condition)])]
  const columns = sql.csv(names.map((name) => sql`${expressionOf(name)} AS ${sql.literal(`"${name}"`)}`))
  const holds = sql`EXISTS (
    SELECT FROM (${sql.literal(place)}) place CROSS JOIN LATERAL (SELECT ${columns}) facts
    WHERE ${sql.literal(toSql(visible.condition, "facts"))})`
  return seesRootTeam(visible) ? sql`((SELECT NOT ${sql.literal(hasTeams)}) OR ${holds})` : holds
}

/** Makes the lists of a table that contain only what a caller sees; `place` selects the columns of a row's place. */
export const visibleCollection = <Row extends Entity>(
  sql: SqlClient,
  collection: SqlCollection<Row>,
  place: string
): SqlCollection<Row> & VisibleCollection<Row> => {
  const { name, listed } = collection.table
  const filtered = (visible: VisibleRows, { after = 0, limit, skip = 0 }: Parameters<typeof collection.list>[0]) =>
    collection.select(sql`
      WHERE ${sql.literal(listed)} AND ${sql.literal(name)}.id > ${after} AND ${seenBy(sql, place, visible)}
      ORDER BY ${sql.literal(name)}.id LIMIT ${limit} OFFSET ${skip}`)
  return {
    ...collection,
    listVisible: (visible, window) => {
      if (visible === everything) return collection.list(window)
      if (!seesRootTeam(visible)) return filtered(visible, window)
      // The list of an instance with only the root team needs no condition on its rows.
      return Effect.flatMap(collection.listIf(sql.literal(`(SELECT NOT ${hasTeams})`), window), (rows) =>
        rows.length > 0 || window.limit === 0 ? Effect.succeed(rows) : filtered(visible, window)
      )
    },
    countVisible: (visible) => {
      if (visible === everything) return collection.count
      const few = sql`SELECT count(*) FROM ${sql.literal(name)} WHERE ${sql.literal(listed)} AND ${seenBy(sql, place, visible)}`
      const all = sql`SELECT coalesce(sum(amount), 0) FROM row_count WHERE kind = ${name}`
      const counted = seesRootTeam(visible)
        ? sql`SELECT (CASE WHEN ${sql.literal(hasTeams)} THEN (${few}) ELSE (${all}) END)::float8`
        : sql`SELECT (${few})::float8`
      return orDieSql(Effect.map(counted.values, ([row]) => Number(row?.[0])))
    }
  }
}
