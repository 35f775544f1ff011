import { type Unit, unitFacts, unitKeys } from "@slipway/domain/forge/access"
import {
  needsGrant,
  type RepositoryAction,
  type RepositoryActionFacts,
  type RepositoryViewer,
  type RepositoryVisibilityFacts,
  readableUnit,
  repositoriesAllowing,
  type UnitVisibilityFacts,
  visibleRepositories
} from "@slipway/domain/forge/code"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { conditionOn, factOf, inRow, inSet, type RowFact, type RowFacts } from "../base/conditions.ts"
import { userParameter } from "../identity/accounts.ts"
import { individualRepositories } from "../identity/relations.ts"
import { bitOf, idParameter, isAdminTeam } from "../identity/units.ts"

const levelSets = { 1: "readable", 2: "writable", 3: "administered" } as const

/**
 * Returns the SQL source of repositories, with the alias `seen`, and the columns that decide on access to them and to
 * their units (such as issues or code).
 *
 * The viewer's grants in an organization, including those of all-repositories teams, are joined to organizations,
 * because there are few. Grants on single repositories are tested by membership in sets, which do not depend on the
 * row: PostgreSQL builds each set at most once, and only when a row needs it. `source` replaces the table of
 * repositories.
 */
export const repositoriesWithFacts = (
  sql: SqlClient,
  viewer: RepositoryViewer,
  source: Fragment = sql`repository seen`
) => {
  const user = userParameter(viewer.userId)
  const whole = "NOT team.owners AND team.includes_all"
  const place = (column: string) => inRow(sql.literal(`coalesce(place.${column}, false)`))
  const opened = (level: number) => levelSets[level as keyof typeof levelSets]
  const facts: RowFacts<RepositoryVisibilityFacts> = {
    private: inRow(sql`seen.private`),
    ownerVisibility: inRow(sql`seen.owner_visibility`),
    repositoryOwner: inRow(sql`coalesce(seen.user_id = ${user}::bigint, false)`),
    taskLevel: (level) =>
      inRow(
        viewer.task === undefined || viewer.task.level < level
          ? sql`false`
          : sql`seen.id = ${idParameter(viewer.task.repositoryId)}::bigint`
      ),
    organizationMember: place("member"),
    organizationOwner: place("owner"),
    teamAdmin: inSet(sql`(
      coalesce(place.admin, false) OR seen.id IN ${individualRepositories(sql, user, isAdminTeam("team"))}
    )`),
    teamAny: (level) =>
      inSet(sql`(
        coalesce(place.${sql.literal(opened(level))} & seen.units <> 0, false)
        OR seen.id IN ${individualRepositories(sql, user, `team.${opened(level)} & held.units <> 0`)}
      )`),
    collaborator: (level) =>
      inSet(sql`seen.id IN (
        SELECT collaborator.repository_id FROM collaborator
        WHERE collaborator.user_id = ${user}::bigint AND collaborator.level >= ${level}::integer
      )`)
  }
  const teamFact = (bit: number) => (level: number) =>
    inSet(sql`(
      coalesce(place.${sql.literal(opened(level))} & ${sql.literal(String(bit))} <> 0, false)
      OR seen.id IN ${individualRepositories(sql, user, `team.${opened(level)} & ${bit} <> 0`)}
    )`)
  // Most lists don't need the facts of units.
  const withUnits = (): RowFacts<UnitVisibilityFacts> => ({
    ...facts,
    ...(Object.fromEntries(
      unitKeys.flatMap(
        (unit): ReadonlyArray<readonly [string, unknown]> => [
          [unitFacts[unit].team, teamFact(bitOf(unit))],
          [unitFacts[unit].on, inRow(sql.literal(`seen.units & ${bitOf(unit)} <> 0`))]
        ]
      )
      // BOUNDARY: every unit has been gone through.
    ) as unknown as RowFacts<Omit<UnitVisibilityFacts, keyof RepositoryVisibilityFacts>>)
  })
  return {
    from: sql`
      ${source}
      LEFT JOIN (
          SELECT
            team_member.organization_id,
            true AS member,
            bool_or(team.owners) AS owner,
            bool_or(${sql.literal(`${whole} AND ${isAdminTeam("team")}`)}) AS admin,
            ${sql.literal(
              Object.values(levelSets)
                .map((units) => `bit_or(team.${units}) FILTER (WHERE ${whole}) AS ${units}`)
                .join(", ")
            )}
          FROM team_member JOIN team ON team.id = team_member.team_id
          WHERE team_member.user_id = ${user}::bigint
          GROUP BY team_member.organization_id
      ) place ON place.organization_id = seen.organization_id`,
    facts,
    withUnits,
    forActions: (): RowFacts<RepositoryActionFacts> => ({
      ...withUnits(),
      archived: inRow(sql`seen.archived`),
      mirror: inRow(sql`seen.mirror`),
      blocked: inSet(sql`seen.owner_id IN (SELECT block.blocker FROM block WHERE block.blocked = ${user}::bigint)`)
    })
  }
}

/** Returns the SQL source of repositories, with the alias `seen`, and the condition that a viewer can see them. */
export const seenRepositories = (sql: SqlClient, viewer: RepositoryViewer, source?: Fragment) => {
  const { facts, from } = repositoriesWithFacts(sql, viewer, source)
  return { from, where: conditionOn(sql, visibleRepositories(viewer), facts) }
}

/**
 * Returns the SQL source of repositories, with the alias `seen`, and the condition that a viewer may perform an action.
 * `reachedBy` is the viewer if the action needs an individual permission, so that the list reads only such repositories.
 */
export const allowingRepositories = (sql: SqlClient, viewer: RepositoryViewer, action: RepositoryAction) => {
  const { forActions, from } = repositoriesWithFacts(sql, viewer)
  const condition = repositoriesAllowing(viewer, action)
  const reachedBy = viewer.task === undefined && needsGrant(condition) ? viewer.userId : undefined
  return { from, where: conditionOn(sql, condition, forActions()), reachedBy }
}

/**
 * Returns the result of `seenRepositories`, and a function for the SQL condition that the viewer can read a unit (such
 * as issues or code) of a repository.
 */
export const seenRepositoriesReading = (sql: SqlClient, viewer: RepositoryViewer, source?: Fragment) => {
  const { facts, from, withUnits } = repositoriesWithFacts(sql, viewer, source)
  return {
    from,
    where: conditionOn(sql, visibleRepositories(viewer), facts),
    reads: (unit: Unit) => conditionOn(sql, readableUnit(viewer, unit), withUnits())
  }
}

/**
 * Joins the repository of each row, and the columns that decide on access to its units. `repository` is the SQL
 * expression for its id.
 */
const joinRepositories = (sql: SqlClient, viewer: RepositoryViewer, repository: string) => {
  const { from, withUnits } = repositoriesWithFacts(sql, viewer)
  return { join: sql`JOIN (${from}) ON seen.id = ${sql.literal(repository)}`, facts: withUnits() }
}

/**
 * Joins the repository of each row. Returns a function for the SQL condition that the viewer can read a unit (such as
 * issues or code) of it.
 *
 * `repository` is the SQL expression for the id of the repository.
 */
export const joinReading = (sql: SqlClient, viewer: RepositoryViewer, repository: string) => {
  const { facts, join } = joinRepositories(sql, viewer, repository)
  return { join, reads: (unit: Unit) => factOf(sql, readableUnit(viewer, unit), facts) }
}

/**
 * Returns the SQL condition that a viewer can read an issue. If the SQL expression `pull` is true, the condition is for
 * a pull request.
 */
export const readsIssues = (
  sql: SqlClient,
  viewer: RepositoryViewer,
  facts: RowFacts<UnitVisibilityFacts>,
  pull: string
): RowFact => {
  const [pulls, issues] = [
    factOf(sql, readableUnit(viewer, "repo.pulls"), facts),
    factOf(sql, readableUnit(viewer, "repo.issues"), facts)
  ]
  return {
    sql: sql`CASE WHEN ${sql.literal(pull)} THEN ${pulls.sql} ELSE ${issues.sql} END`,
    cost: pulls.cost + issues.cost
  }
}

/**
 * Joins the repository of each row. Returns the SQL condition that the viewer can read an issue, or a pull request if
 * the SQL expression `pull` is true.
 *
 * `OFFSET 0` keeps the condition out of the join: with other columns of the row in it, PostgreSQL could not memoize the
 * join.
 */
export const joinReadingIssues = (sql: SqlClient, viewer: RepositoryViewer, repository: string, pull: string) => {
  const { facts, join } = joinRepositories(sql, viewer, repository)
  const { cost, sql: rule } = readsIssues(sql, viewer, facts, pull)
  return cost > 0
    ? { join, reads: rule }
    : { join: sql`${join} CROSS JOIN LATERAL (SELECT ${rule} AS reads OFFSET 0) rule`, reads: sql`rule.reads` }
}

/**
 * Returns the SQL set, for `IN`, of the ids of the repositories in which a viewer can read a unit (such as issues or
 * code).
 *
 * `among` is a set of ids that limits the check. Without it, all repositories are checked.
 */
export const readableRepositories = (
  sql: SqlClient,
  viewer: RepositoryViewer,
  unit: Unit,
  among?: Fragment
): Fragment => {
  const { from, withUnits } = repositoriesWithFacts(sql, viewer)
  const meant = among === undefined ? sql`true` : sql`seen.id = ANY(ARRAY(${among}))`
  return sql`(SELECT seen.id FROM ${from} WHERE ${meant} AND ${conditionOn(sql, readableUnit(viewer, unit), withUnits())})`
}
