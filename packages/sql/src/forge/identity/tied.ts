import type { UserId, Viewer } from "@slipway/domain/forge/identity"
import type { SqlClient } from "effect/sql/SqlClient"
import { isAdminTeam } from "./units.ts"
import { userParameter } from "./userParameter.ts"

/** Returns the repositories that teams of a user hold one by one, where a condition on `team` and `held` is true. */
export const heldSingly = (sql: SqlClient, user: unknown, condition: string) => sql`(
  SELECT held.id
  FROM team_member mine
  JOIN team ON team.id = mine.team_id
  JOIN team_repository ON team_repository.team_id = team.id
  JOIN repository held ON held.id = team_repository.repository_id AND held.organization_id = team.organization_id
  WHERE mine.user_id = ${user}::bigint AND NOT team.owners AND ${sql.literal(condition)}
)`

/** Returns the numbers of the repositories that are opened to a user one by one, as a collaborator or by a team. */
export const openedSingly = (sql: SqlClient, user: UserId) => {
  const id = userParameter(user)
  return sql`
    SELECT collaborator.repository_id FROM collaborator WHERE collaborator.user_id = ${id}::bigint
    UNION SELECT * FROM ${heldSingly(sql, id, `(team.readable & held.units <> 0 OR ${isAdminTeam("team")})`)} single`
}

/**
 * Returns the owners that open all repositories to a user: themselves, and organizations that they own or in which a
 * team of theirs includes all. Where it isn't \`every\` one, it is those with a unit in \`readable\`.
 */
export const openedTogether = (sql: SqlClient, user: UserId) => {
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
 * Returns the numbers of the repositories on which a user holds something.
 *
 * Each part is found by an index, so that it takes as long as what the user holds is large, and not what others have.
 */
export const reached = (sql: SqlClient, user: UserId) => {
  const id = userParameter(user)
  return sql`(
    SELECT repository.id FROM repository WHERE repository.user_id = ${id}::bigint
    UNION SELECT held.id FROM team_member mine
      JOIN team ON team.id = mine.team_id
      JOIN repository held ON held.organization_id = team.organization_id
      WHERE mine.user_id = ${id}::bigint
        AND (team.owners OR (team.includes_all AND (team.readable & held.units <> 0 OR ${sql.literal(isAdminTeam("team"))})))
    UNION ${openedSingly(sql, user)}
  )`
}

/** Returns the numbers of the users who share an organization or a repository with a viewer. */
export const tiedTo = (sql: SqlClient, { userId }: Pick<Viewer, "userId">) => {
  const id = userParameter(userId)
  if (userId === undefined) return sql`(SELECT NULL::bigint)`
  const shared = reached(sql, userId)
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
