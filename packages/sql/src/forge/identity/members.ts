import { MemberStore } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { orDieSql } from "../../SqlErrors.ts"
import { readAll } from "../base/rows.ts"
import { byPersonName, seenPage, userParameter } from "./accounts.ts"
import { teamReader } from "./teams.ts"

/** Reads the members of organizations from PostgreSQL. */
export const layerMembers = Layer.effect(
  MemberStore,
  Effect.map(SqlClient, (sql) => ({
    find: (organization, user) =>
      orDieSql(
        Effect.map(
          sql`
            SELECT ${sql.literal(teamReader.of("team"))}, EXISTS (
              SELECT FROM public_membership
              WHERE public_membership.organization_id = ${userParameter(organization)}
                AND public_membership.user_id = ${userParameter(user)}
            )
            FROM team_member JOIN team ON team.id = team_member.team_id
            WHERE team_member.user_id = ${userParameter(user)}
              AND team_member.organization_id = ${userParameter(organization)}
            ORDER BY team.id`.values,
          (rows) =>
            rows.length === 0
              ? undefined
              : { teams: readAll(teamReader)(rows), public: rows[0]?.[teamReader.width] === true }
        )
      ),
    list: (viewer, organization, { hiddenToo, publicOnes }, page) =>
      seenPage(
        sql,
        viewer,
        {
          people: publicOnes ? "publicMember" : "teamMember",
          where: sql`seen.organization_id = ${userParameter(organization)}`,
          // A member may be in more than one team.
          repeats: !publicOnes,
          order: publicOnes ? byPersonName : { by: [...byPersonName.by, ["seen.person_id", "bigint"]] },
          hiddenToo
        },
        page
      ),
    setPublic: (organization, user, isPublic) =>
      orDieSql(
        Effect.map(
          isPublic
            ? sql`
                WITH membership AS (
                  SELECT DISTINCT organization_id, user_id FROM team_member
                  WHERE user_id = ${userParameter(user)} AND organization_id = ${userParameter(organization)}
                ), known AS (
                  INSERT INTO public_membership (organization_id, user_id) SELECT * FROM membership
                  ON CONFLICT DO NOTHING
                )
                SELECT user_id FROM membership`.values
            : sql`
                WITH concealed AS (
                  DELETE FROM public_membership
                  WHERE user_id = ${userParameter(user)} AND organization_id = ${userParameter(organization)}
                )
                SELECT DISTINCT user_id FROM team_member
                WHERE user_id = ${userParameter(user)} AND organization_id = ${userParameter(organization)}`.values,
          (rows) => rows.length > 0
        )
      ),
    remove: (organization, user) =>
      orDieSql(
        Effect.map(
          sql`
            WITH concealed AS (
              DELETE FROM public_membership
              WHERE user_id = ${userParameter(user)} AND organization_id = ${userParameter(organization)}
            )
            DELETE FROM team_member
            WHERE user_id = ${userParameter(user)} AND organization_id = ${userParameter(organization)}
            RETURNING team_id`.values,
          (rows) => rows.length > 0
        )
      ),
    countOwners: (organization) =>
      orDieSql(
        Effect.map(
          sql`
            SELECT count(*)::float8 FROM team JOIN team_member ON team_member.team_id = team.id
            WHERE team.organization_id = ${userParameter(organization)} AND team.owners`.values,
          ([row]) => Number(row?.[0])
        )
      )
  }))
)
