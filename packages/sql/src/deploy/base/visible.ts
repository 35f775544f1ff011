import { PgTypes } from "@effect/sql-pg"
import { factsIn, toSql } from "@slipway/access"
import type { Entity } from "@slipway/domain"
import type { Capability } from "@slipway/domain/deploy/access"
import {
  everything,
  type GrantFacts,
  type HeldGrant,
  rootTeam,
  seesRootTeam,
  type Visible,
  type VisibleCollection,
  type VisibleRows
} from "@slipway/domain/deploy/identity"
import type { KeyUsers } from "@slipway/domain/deploy/infrastructure"
import { Effect, Result } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup, type SqlCollection } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"

/** The SQL that finds the place of a row: the team, project, environment or resource that it belongs to. */
export interface PlaceOf {
  /** A `SELECT` statement that returns the place of a row. */
  readonly columns: string
  /**
   * Returns a condition that is true for all rows of some teams, and that can use an index. `isTeam` returns the
   * condition that a column contains one of these teams.
   */
  readonly within: (sql: SqlClient, isTeam: (column: string) => Fragment, hasRoot: boolean) => Fragment
  /** Returns the number of rows that a caller sees, if counters know it; by default, the rows are counted. */
  readonly count?: (sql: SqlClient, visible: VisibleRows) => Fragment
}

/** Returns the SQL for rows that belong to a team. `team` is the column with the id of the team. */
export const ofTeam = (team: string): PlaceOf => ({
  columns: `SELECT ${team} AS place_team, NULL AS place_project, NULL AS place_environment, NULL AS place_resource, false AS place_protected`,
  within: (_, isTeam) => isTeam(team)
})

const ofEnvironment = (environment: string, resource: string): string => `
  SELECT environment.team_id AS place_team, environment.project_uuid AS place_project,
    environment.uuid AS place_environment, ${resource} AS place_resource, environment.is_protected AS place_protected
  FROM environment WHERE environment.uuid = ${environment}`

/** The SQL that finds the place of a project: its team. */
export const ofProject: PlaceOf = {
  columns: `SELECT project.team_id AS place_team, project.uuid AS place_project, NULL AS place_environment,
  NULL AS place_resource, false AS place_protected`,
  within: (_, isTeam) => isTeam("project.team_id")
}

const environmentsIn = (sql: SqlClient, isTeam: (column: string) => Fragment): Fragment =>
  sql`SELECT located.uuid FROM environment located JOIN project above ON above.uuid = located.project_uuid
    WHERE ${isTeam("above.team_id")}`

/** The SQL that finds the place of an environment: itself. */
export const ofEnvironmentItself: PlaceOf = {
  columns: `SELECT environment.team_id AS place_team, environment.project_uuid AS place_project,
  environment.uuid AS place_environment, NULL AS place_resource, environment.is_protected AS place_protected`,
  within: (sql, isTeam) => sql`environment.project_uuid IN (
    SELECT above.uuid FROM project above WHERE ${isTeam("above.team_id")})`
}

/** Returns the SQL for rows that belong to an environment. */
export const ofPlacement = (table: string): PlaceOf => ({
  columns: ofEnvironment(`${table}.environment_uuid`, `${table}.uuid`),
  within: (sql, isTeam) => sql`${sql.literal(table)}.environment_uuid IN (${environmentsIn(sql, isTeam)})`
})

const onServer = (table: string): string => `
  SELECT coalesce((SELECT server.team_id FROM server WHERE server.uuid = ${table}.server_uuid), 0) AS place_team,
    NULL AS place_project, NULL AS place_environment, NULL AS place_resource, false AS place_protected`

const serversIn = (sql: SqlClient, isTeam: (column: string) => Fragment): Fragment =>
  sql`SELECT host.uuid FROM server host WHERE ${isTeam("host.team_id")}`

/**
 * Returns the SQL for rows that may outlive their application. The place of the row is the team of its server; if the
 * server is removed too, the root team.
 */
export const ofServer = (table: string): PlaceOf => ({
  columns: onServer(table),
  // Rows of removed servers belong to the root team.
  within: (sql, isTeam, hasRoot) =>
    hasRoot ? sql`true` : sql`${sql.literal(table)}.server_uuid IN (${serversIn(sql, isTeam)})`
})

/**
 * Returns the SQL for rows that belong to an application, such as deployments. It also works after the application was
 * deleted.
 */
export const ofApplication = (table: string): PlaceOf => ({
  columns: `
  SELECT * FROM (
    SELECT environment.team_id AS place_team, environment.project_uuid AS place_project,
      environment.uuid AS place_environment, owner.uuid AS place_resource, environment.is_protected AS place_protected
    FROM application owner JOIN environment ON environment.uuid = owner.environment_uuid
    WHERE owner.uuid = ${table}.application_uuid
  ) living
  UNION ALL
  SELECT * FROM (${onServer(table)}) former
  WHERE NOT EXISTS (SELECT FROM application owner WHERE owner.uuid = ${table}.application_uuid)`,
  within: (sql, isTeam, hasRoot) => {
    if (hasRoot) return sql`true`
    const name = sql.literal(table)
    return sql`${name}.id IN (
      SELECT run.id FROM ${name} run WHERE run.application_uuid IN (
        SELECT living.uuid FROM application living WHERE living.environment_uuid IN (${environmentsIn(sql, isTeam)}))
      UNION SELECT run.id FROM ${name} run WHERE run.server_uuid IN (${serversIn(sql, isTeam)}))`
  }
})

/** The SQL condition that the instance has teams other than the root team. */
const hasTeams = "EXISTS (SELECT FROM team WHERE team.id > 0)"

// A parameter of another type would be converted at execution, which the planner estimates to cost more.
const bigints = (ids: ReadonlyArray<number>) => Result.getOrThrow(PgTypes.array(ids.map(BigInt), PgTypes.OID.int8))

/**
 * Returns a parameter with a value that PostgreSQL knows only at execution: it keeps the plan of a statement, which
 * would cost more than the statement if it was made again for each value.
 */
const atExecution = (sql: SqlClient, parameter: Fragment, type: "bigint" | "bigint[]" | "text[]"): Fragment =>
  // Without the second cast, `ANY` reads the rows of the subquery.
  sql`(SELECT ${parameter})::${sql.literal(type)}`

const factExpressions = (sql: SqlClient, { access }: VisibleRows) => {
  const has = (capability: Capability) => (grant: HeldGrant) => grant.capabilities.includes(capability)
  const numbers = (ids: ReadonlyArray<number>) => atExecution(sql, sql`${bigints(ids)}::bigint[]`, "bigint[]")
  const uuids = (all: ReadonlyArray<string | null>) =>
    atExecution(sql, sql`${all.flatMap((each) => (each === null ? [] : [lookup(each)]))}::text[]`, "text[]")
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

const visibleRow = (sql: SqlClient, place: PlaceOf, visible: VisibleRows): Fragment => {
  const expressionOf = factExpressions(sql, visible)
  const names = [...new Set<keyof GrantFacts>(["known", ...factsIn(visible.condition)])]
  const columns = sql.csv(names.map((name) => sql`${expressionOf(name)} AS ${sql.literal(`"${name}"`)}`))
  return sql`EXISTS (
    SELECT FROM (${sql.literal(place.columns)}) place CROSS JOIN LATERAL (SELECT ${columns}) facts
    WHERE ${sql.literal(toSql(visible.condition, "facts"))})`
}

/**
 * Returns the SQL condition that a row belongs to a team of the caller and that the caller can see it. It can use an
 * index by team.
 */
const visibleRowOfTeams = (sql: SqlClient, place: PlaceOf, visible: VisibleRows): Fragment => {
  const { teams } = visible.access
  const [only] = teams
  // One team, as of every token, keeps the order of an index by team and id.
  const isTeam = (column: string): Fragment =>
    teams.length === 1
      ? sql`${sql.literal(column)} = ${atExecution(sql, sql`${PgTypes.int8(BigInt(only ?? 0))}::bigint`, "bigint")}`
      : sql`${sql.literal(column)} = ANY(${atExecution(sql, sql`${bigints(teams)}::bigint[]`, "bigint[]")})`
  return sql`(${place.within(sql, isTeam, teams.includes(rootTeam))} AND ${visibleRow(sql, place, visible)})`
}

/**
 * The place of a row of an application, in a table with a counter for each application.
 *
 * The number of rows is the sum of the counters of the applications that the caller sees, and the number of rows of
 * deleted applications, which are removed some time later.
 */
export const ofCountedApplication = (table: string): PlaceOf => ({
  ...ofApplication(table),
  count: (sql, visible) => {
    const name = sql.literal(table)
    const counted = sql`SELECT * FROM scope_count counted WHERE counted.kind = ${table}`
    return sql`(
      SELECT coalesce(sum(counted.amount), 0) FROM application JOIN (${counted}) counted ON counted.scope = application.uuid
      WHERE ${visibleRowOfTeams(sql, ofPlacement("application"), visible)}
    ) + (
      SELECT count(*) FROM ${name} WHERE ${name}.application_uuid IN (
        SELECT counted.scope FROM (${counted}) counted
        WHERE counted.amount <> 0 AND NOT EXISTS (SELECT FROM application owner WHERE owner.uuid = counted.scope))
      AND ${visibleRowOfTeams(sql, ofServer(table), visible)})`
  }
})

/** Returns the SQL condition that a caller can see a row of a table. */
export const seenBy = (sql: SqlClient, place: PlaceOf, visible: Visible | undefined): Fragment => {
  if (visible === undefined || visible === everything) return sql`true`
  return seesRootTeam(visible)
    ? sql`((SELECT NOT ${sql.literal(hasTeams)}) OR ${visibleRow(sql, place, visible)})`
    : visibleRowOfTeams(sql, place, visible)
}

/** Makes the lists of the rows of a table that use a private key. */
export const keyUsers = <Row extends Entity>(
  sql: SqlClient,
  collection: SqlCollection<Row>,
  place: PlaceOf
): KeyUsers<Row> => {
  const { name } = collection.table
  const hasKey = (key: string, visible: Visible | undefined) =>
    sql`WHERE private_key_uuid = ${lookup(key)} AND ${seenBy(sql, place, visible)}`
  return {
    withKey: (key, { after = 0, limit, skip = 0 }, visible) =>
      collection.select(sql`
        ${hasKey(key, visible)} AND ${sql.literal(name)}.id > ${after}
        ORDER BY ${sql.literal(name)}.id LIMIT ${limit} OFFSET ${skip}`),
    countWithKey: (key, visible) =>
      orDieSql(
        Effect.map(sql`SELECT count(*)::float8 FROM ${sql.literal(name)} ${hasKey(key, visible)}`.values, ([counted]) =>
          Number(counted?.[0])
        )
      )
  }
}

/** Adds methods to a collection that list and count only the rows that a caller can see. */
export const visibleCollection = <Row extends Entity>(
  sql: SqlClient,
  collection: SqlCollection<Row>,
  place: PlaceOf
): SqlCollection<Row> & VisibleCollection<Row> => {
  const { name, listed } = collection.table
  // This only chooses the statement that is sent first: each statement is correct with and without other teams.
  let hadTeams = false
  const unlessTeams = orDieSql(
    Effect.map(
      sql`
        SELECT (CASE WHEN NOT ${sql.literal(hasTeams)} THEN (
          SELECT coalesce(sum(amount), 0) FROM row_count WHERE kind = ${name}
        ) END)::float8`.values,
      ([row]) => row?.[0] as number | null
    )
  )
  const filtered = (visible: VisibleRows, { after = 0, limit, skip = 0 }: Parameters<typeof collection.list>[0]) =>
    collection.select(sql`
      WHERE ${sql.literal(listed)} AND ${sql.literal(name)}.id > ${after} AND ${visibleRowOfTeams(sql, place, visible)}
      ORDER BY ${sql.literal(name)}.id LIMIT ${limit} OFFSET ${skip}`)
  return {
    ...collection,
    listVisible: (visible, window) => {
      if (visible === everything) return collection.list(window)
      if (hadTeams || !seesRootTeam(visible)) return filtered(visible, window)
      // The list of an instance with only the root team needs no condition on its rows.
      return Effect.flatMap(collection.listIf(sql.literal(`(SELECT NOT ${hasTeams})`), window), (rows) =>
        rows.length > 0 || window.limit === 0 ? Effect.succeed(rows) : filtered(visible, window)
      )
    },
    pageVisible: (visible, window) => {
      if (visible === everything) return collection.pageIf(sql`true`, window)
      const few = Effect.suspend(() => Effect.map(filtered(visible, window), (rows) => ({ rows, total: undefined })))
      if (hadTeams || !seesRootTeam(visible)) return few
      return Effect.flatMap(collection.pageIf(sql.literal(`(SELECT NOT ${hasTeams})`), window), (page) =>
        page.rows.length > 0 || window.limit === 0 ? Effect.succeed(page) : few
      )
    },
    countVisible: (visible) => {
      if (visible === everything) return collection.count
      // Building the statement takes longer than executing the other one.
      const few = Effect.suspend(() => {
        const counted =
          place.count === undefined
            ? sql`SELECT count(*) FROM ${sql.literal(name)}
          WHERE ${sql.literal(listed)} AND ${visibleRowOfTeams(sql, place, visible)}`
            : sql`SELECT ${place.count(sql, visible)}`
        return orDieSql(Effect.map(sql`SELECT (${counted})::float8`.values, ([row]) => Number(row?.[0])))
      })
      if (!seesRootTeam(visible)) return few
      return Effect.suspend(() =>
        hadTeams
          ? few
          : Effect.flatMap(unlessTeams, (all) => {
              if (all !== null) return Effect.succeed(all)
              hadTeams = true
              return few
            })
      )
    }
  }
}
