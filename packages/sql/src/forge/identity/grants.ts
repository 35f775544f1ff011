import { Level } from "@slipway/access"
import { memoizeBy } from "@slipway/domain"
import type { RepositoryGrants } from "@slipway/domain/forge/code"
import type { OrganizationMembership, Viewer } from "@slipway/domain/forge/identity"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Reader } from "../base/rows.ts"
import { userParameter } from "./accounts.ts"
import { everySet, isAdminTeam, unitsOfSets } from "./units.ts"

/**
 * Joins the membership of a user in an organization. Both are SQL expressions. `team` adds whether the user is in that
 * team.
 */
export const joinMembership = (sql: SqlClient, user: string, organization: string, team = "NULL::bigint"): Fragment =>
  sql.literal(`
    LEFT JOIN LATERAL (
      SELECT
        count(*) > 0 AS member,
        coalesce(bool_or(team.owners), false) AS owner,
        coalesce(bool_or(team.creates), false) AS creates,
        coalesce(bool_or(team.id = ${team}), false) AS in_team
      FROM team_member JOIN team ON team.id = team_member.team_id
      WHERE team_member.user_id = ${user} AND team_member.organization_id = ${organization}
    ) membership ON true`)

/** Reads the membership that `joinMembership` joined. */
export const membershipReader: Reader<OrganizationMembership & { readonly inTeam: boolean }> = {
  width: 4,
  of: () => "membership.member, membership.owner, membership.creates, membership.in_team",
  read: (values, at = 0) => ({
    member: values[at] === true,
    owner: values[at + 1] === true,
    mayCreateRepositories: values[at + 2] === true,
    inTeam: values[at + 3] === true
  })
}

/** The target of the joined grants: a repository by its alias, or an organization by the SQL expression for its id. */
type GrantsSubject =
  | { readonly kind: "repository"; readonly alias: string }
  | { readonly kind: "owner"; readonly organization: string }

/**
 * Joins the grants of a user to a repository or an organization. `user` is the SQL expression for the id of the user.
 *
 * For an organization, the grants of all its teams count, even if a team has access to only some repositories.
 */
export const joinGrants = (sql: SqlClient, user: string, on: GrantsSubject): Fragment => {
  const [holds, organization, teamGrants, collaborator] =
    on.kind === "owner"
      ? ["NOT team.owners", on.organization, "", "NULL::integer"]
      : [
          "NOT team.owners AND (team.includes_all OR held.team_id IS NOT NULL)",
          `${on.alias}.organization_id`,
          `LEFT JOIN team_repository held ON held.team_id = team.id AND held.repository_id = ${on.alias}.id`,
          `(
            SELECT collaborator.level FROM collaborator
            WHERE collaborator.repository_id = ${on.alias}.id AND collaborator.user_id = ${user}
          )`
        ]
  return sql.literal(`
    LEFT JOIN LATERAL (
      SELECT
        count(*) > 0 AS member,
        coalesce(bool_or(team.owners), false) AS owner,
        coalesce(bool_or(${isAdminTeam("team")}) FILTER (WHERE ${holds}), false) AS team_admin,
        coalesce(bit_or(team.readable) FILTER (WHERE ${holds}), 0) AS readable,
        coalesce(bit_or(team.writable) FILTER (WHERE ${holds}), 0) AS writable,
        coalesce(bit_or(team.administered) FILTER (WHERE ${holds}), 0) AS administered,
        ${collaborator} AS collaborator
      FROM team_member
      JOIN team ON team.id = team_member.team_id
      ${teamGrants}
      WHERE team_member.user_id = ${user} AND team_member.organization_id = ${organization}
    ) grants ON true`)
}

type Values = ReadonlyArray<unknown>

const setAt = (values: Values, at: number): number => ((values[at] ?? 0) as number) & (everySet - 1)
const levelAt = (values: Values, at: number): Level => (values[at] ?? Level.none) as Level
const bitAt = (values: Values, at: number): number => (values[at] === true ? 1 : 0)

/** Returns a number that identifies a combination of grants in the column values, starting at a position. */
const numberOfGrants = (values: Values, at: number): number => {
  const rest = bitAt(values, at) + 2 * bitAt(values, at + 1) + 4 * bitAt(values, at + 2) + 8 * levelAt(values, at + 6)
  return (
    ((rest * everySet + setAt(values, at + 3)) * everySet + setAt(values, at + 4)) * everySet + setAt(values, at + 5)
  )
}

/**
 * Reads the grants from column values, starting at a position.
 *
 * Equal grants are returned as the same object, because the rows of a list have few different grants.
 */
const grantsAt = memoizeBy(
  numberOfGrants,
  (values, at): RepositoryGrants => ({
    membership: { member: values[at] === true, owner: values[at + 1] === true },
    teamAdmin: values[at + 2] === true,
    teams: unitsOfSets([setAt(values, at + 3), setAt(values, at + 4), setAt(values, at + 5)]),
    collaborator: levelAt(values, at + 6)
  }),
  1_000
)

/** Reads the grants that `joinGrants` joined. */
export const grantsReader: Reader<RepositoryGrants> = {
  width: 7,
  of: () =>
    ["member", "owner", "team_admin", "readable", "writable", "administered", "collaborator"]
      .map((column) => `grants.${column}`)
      .join(", "),
  read: (values, at = 0) => grantsAt(values, at)
}

/**
 * Returns two SQL sets for `IN`: the organizations that a viewer is a member of, and those that the viewer owns.
 *
 * The sets do not depend on the tested row, so PostgreSQL builds each of them once.
 */
export const memberships = (sql: SqlClient, viewer: Pick<Viewer, "userId">) => {
  const user = userParameter(viewer.userId)
  return {
    member: sql`(SELECT mine.organization_id FROM team_member mine WHERE mine.user_id = ${user}::bigint)`,
    owner: sql`(SELECT mine.organization_id FROM team_member mine WHERE mine.user_id = ${user}::bigint AND mine.owners)`,
    teams: sql`(SELECT mine.team_id FROM team_member mine WHERE mine.user_id = ${user}::bigint)`
  }
}
