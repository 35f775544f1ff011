import type { UserId, Viewer } from "@slipway/domain/forge/identity"
import type { SqlClient } from "effect/sql/SqlClient"
import { isAdminTeam } from "./units.ts"
import { userParameter } from "./userParameter.ts"

/**
 * Returns the SQL query for the repositories that are individually granted to the teams of a user. `condition` may use
 * the aliases `team` and `held`, which is the grant.
 */
export const individualRepositories = (sql: SqlClient, user: unknown, condition: string) => sql`(
  SELECT held.id
  FROM team_member mine
  JOIN team ON team.id = mine.team_id
  JOIN team_repository ON team_repository.team_id = team.id
  JOIN repository held ON held.id = team_repository.repository_id AND held.organization_id = team.organization_id
  WHERE mine.user_id = ${user}::bigint AND NOT team.owners AND ${sql.literal(condition)}
)`

/**
 * Returns the SQL query for the ids of the repositories that are granted to a user directly, as a collaborator or by a
 * team.
 */
export const directlyGrantedRepositories = (sql: SqlClient, user: UserId) => {
  const id = userParameter(user)
  return sql`
    SELECT collaborator.repository_id FROM collaborator WHERE collaborator.user_id = ${id}::bigint
    UNION SELECT * FROM ${individualRepositories(sql, id, `(team.readable & held.units <> 0 OR ${isAdminTeam("team")})`)} single`
}

/**
 * Returns the SQL query for the owners that grant a user all of their repositories: the user, and organizations where
 * the user is an owner or in an all-repositories team.
 *
 * If the column `every` is false, only repositories that have enabled a unit of the set `readable` are granted.
 */
export const ownersGrantingAll = (sql: SqlClient, user: UserId) => {
  const id = userParameter(user)
  return sql`
    SELECT ${id}::bigint AS id, true AS every, 0 AS readable
    UNION ALL
    SELECT team.organization_id, bool_or(team.owners OR ${sql.literal(isAdminTeam("team"))}), bit_or(team.readable)
    FROM team_member mine JOIN team ON team.id = mine.team_id
    WHERE mine.user_id = ${id}::bigint AND (team.owners OR team.includes_all)
    GROUP BY team.organization_id`
}

/**
 * Returns the SQL query for the ids of all repositories that are granted to a user in any way.
 *
 * Each part uses an index, so the cost grows only with the number of grants of the user.
 */
export const grantedRepositories = (sql: SqlClient, user: UserId) => {
  const id = userParameter(user)
  return sql`(
    SELECT repository.id FROM repository WHERE repository.user_id = ${id}::bigint
    UNION SELECT held.id FROM team_member mine
      JOIN team ON team.id = mine.team_id
      JOIN repository held ON held.organization_id = team.organization_id
      WHERE mine.user_id = ${id}::bigint
        AND (team.owners OR (team.includes_all AND (team.readable & held.units <> 0 OR ${sql.literal(isAdminTeam("team"))})))
    UNION ${directlyGrantedRepositories(sql, user)}
  )`
}

/** Returns the SQL set, for `IN`, of the ids of the users who share an organization or a repository with a viewer. */
export const usersSharingMembership = (sql: SqlClient, { userId }: Pick<Viewer, "userId">) => {
  const id = userParameter(userId)
  if (userId === undefined) return sql`(SELECT NULL::bigint)`
  const shared = grantedRepositories(sql, userId)
  return sql`(
    SELECT other.user_id FROM team_member mine
      JOIN team_member other ON other.organization_id = mine.organization_id
      WHERE mine.user_id = ${id}::bigint
    UNION SELECT repository.user_id FROM repository WHERE repository.user_id IS NOT NULL AND repository.id IN ${shared}
    UNION SELECT collaborator.user_id FROM collaborator WHERE collaborator.repository_id IN ${shared}
    UNION SELECT team_member.user_id FROM repository held
      JOIN team ON team.organization_id = held.organization_id
      JOIN team_member ON team_member.team_id = team.id
      WHERE held.id IN ${shared} AND (team.owners OR (
        (team.includes_all OR EXISTS (
          SELECT FROM team_repository WHERE team_repository.team_id = team.id AND team_repository.repository_id = held.id
        )) AND (team.readable & held.units <> 0 OR ${sql.literal(isAdminTeam("team"))})
      ))
  )`
}
