import { toSql } from "@slipway/access"
import { Duplicate, nameKey, type PageRequest } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  listedTeams,
  type NewTeam,
  type OrganizationId,
  type Team,
  type TeamId,
  type TeamInOrganization,
  TeamStore,
  type UserId,
  type Viewer
} from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { boolean, type Column, integer, text } from "../../collection/columns.ts"
import { onUnique, orDieSql } from "../../SqlErrors.ts"
import { byName, countedPage } from "../base/pages.ts"
import { idArray } from "../base/parameters.ts"
import { type Reader, reader } from "../base/rows.ts"
import { seenPage, userParameter } from "./accounts.ts"
import { memberships } from "./grants.ts"
import { organizationReader } from "./organizations.ts"
import { idParameter, setsOf, type UnitSets, unitsOfSets } from "./units.ts"

const units: Column<Team["units"]> = {
  _tag: "Column",
  name: "units",
  expression: (team) => `ARRAY[${team}.readable, ${team}.writable, ${team}.administered]`,
  write: undefined,
  read: (stored) => unitsOfSets(stored as UnitSets)
}

/** Reads teams from column values. */
export const teamReader = reader<Team>({
  id: integer<TeamId>("id"),
  organizationId: integer<OrganizationId>("organization_id"),
  owners: boolean("owners"),
  name: text("name"),
  description: text("description"),
  units: { ...units, read: (stored) => (stored === null ? {} : units.read(stored)) },
  includesAllRepositories: boolean("includes_all"),
  mayCreateRepositories: boolean("creates"),
  visibility: text<Team["visibility"]>("visibility")
})

const teamInOrganizationReader: Reader<TeamInOrganization> = {
  width: teamReader.width + organizationReader.width,
  of: (alias) => `${teamReader.of(alias)}, ${organizationReader.of("page_organization")}`,
  read: (values, place = 0) => {
    const team = teamReader.read(values, place)
    const organization = organizationReader.read(values, place + teamReader.width)
    return team && organization && { team, organization }
  }
}

/**
 * Returns the SQL source of teams, with the alias `seen`, and the condition that a viewer can see them.
 *
 * `of` limits the source to the teams of one user. Then the rows are memberships, which have copies of the sort key and
 * of the columns that decide on visibility.
 */
const seenTeams = (sql: SqlClient, viewer: Viewer, of?: UserId) => {
  const { member, owner, teams } = memberships(sql, viewer)
  const all = sql`
    SELECT team.*, organization.visibility AS organization_visibility
    FROM team JOIN organization ON organization.id = team.organization_id`
  const own = sql`
    SELECT team_id AS id, organization_id, organization_key, organization_visibility, team_key AS name_key,
      team_visibility AS visibility
    FROM team_member WHERE user_id = ${userParameter(of)}::bigint`
  const [inTeam, inOrganization] =
    of !== undefined && viewer.userId === of
      ? [sql`true`, sql`true`]
      : [sql`each.id IN ${teams}`, sql`each.organization_id IN ${member}`]
  return {
    from: sql`(
      SELECT each.*, each.visibility AS "teamVisibility", each.organization_visibility AS "organizationVisibility",
        ${inTeam} AS "teamMember", ${inOrganization} AS "organizationMember",
        each.organization_id IN ${owner} AS "organizationOwner"
      FROM (${of === undefined ? all : own}) each
    ) seen`,
    where: sql.literal(toSql(listedTeams(viewer), "seen"))
  }
}

const columns = `name, name_key, description, description_key, readable, writable, administered, includes_all, creates,
  visibility`

const parametersOf = (team: Omit<NewTeam, "organizationId" | "owners">): ReadonlyArray<unknown> => [
  team.name,
  nameKey(team.name),
  team.description,
  nameKey(team.description),
  ...setsOf(team.units),
  team.includesAllRepositories,
  team.mayCreateRepositories,
  team.visibility
]

/** Stores teams in PostgreSQL. */
export const layerTeams = Layer.effect(
  TeamStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(teamReader.of("team"))
    const written = sql.literal(columns)
    const parameters = (team: Parameters<typeof parametersOf>[0]) =>
      sql.csv(parametersOf(team).map((value) => sql`${value}`))
    const taken = () => new Duplicate({ of: "team.name" })
    const one = (where: Fragment) =>
      orDieSql(
        Effect.map(sql`SELECT ${all} FROM team WHERE ${where}`.values, ([values]) =>
          values === undefined ? undefined : teamReader.read(values)
        )
      )
    const some = (rows: ReadonlyArray<unknown>) => rows.length > 0
    const page = (viewer: Viewer, where: Fragment, request: PageRequest) => {
      const seen = seenTeams(sql, viewer)
      return countedPage(
        sql,
        teamReader,
        { table: "team", from: seen.from, where: sql`${where} AND ${seen.where}`, order: byName },
        request
      )
    }
    const addToTeams = (teams: ReadonlyArray<TeamId>, repository: RepositoryId) =>
      orDieSql(
        Effect.map(
          sql`
            WITH found AS (
              SELECT team.id AS team_id, repository.id AS repository_id FROM team, repository
              WHERE team.id = ANY(${teams.map(String)}::bigint[]) AND repository.id = ${idParameter(repository)}
                AND repository.organization_id = team.organization_id
            ), added AS (
              INSERT INTO team_repository (team_id, repository_id) SELECT * FROM found ON CONFLICT DO NOTHING
            )
            SELECT team_id::float8 FROM found`.values,
          (rows) => rows.map(([id]) => id as TeamId)
        )
      )
    return {
      insert: (team) =>
        orDieSql(
          sql`
            INSERT INTO team (organization_id, owners, ${written})
            VALUES (${userParameter(team.organizationId)}, ${team.owners}, ${parameters(team)})
            ON CONFLICT ON CONSTRAINT team_name_once DO NOTHING
            RETURNING ${all}`.values
        ).pipe(
          Effect.flatMap(([values]) => {
            const inserted = values === undefined ? undefined : teamReader.read(values)
            return inserted === undefined ? Effect.fail(taken()) : Effect.succeed(inserted)
          })
        ),
      find: (id) => one(sql`id = ${idParameter(id)}`),
      findMany: (ids) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${sql.literal(teamReader.of("team"))} FROM team
              WHERE id = ANY(${[...new Set(ids)].map(String)}::bigint[])`.values,
            (rows) =>
              new Map(
                rows.flatMap((values) => {
                  const found = teamReader.read(values)
                  return found === undefined ? [] : [[found.id, found] as const]
                })
              )
          )
        ),
      named: (organization, name) =>
        one(sql`organization_id = ${userParameter(organization)} AND name_key = ${lookup(nameKey(name))}`),
      replace: (team) =>
        orDieSql(
          sql
            .withTransaction(
              sql`UPDATE team SET (${written}) = ROW (${parameters(team)}) WHERE id = ${idParameter(team.id)} RETURNING id`
                .values
            )
            .pipe(onUnique("team_name_once", taken), Effect.map(some))
        ),
      remove: (id) =>
        orDieSql(
          Effect.map(
            sql`
              WITH concealed AS (
                DELETE FROM public_membership USING team_member gone
                WHERE gone.team_id = ${idParameter(id)}
                  AND public_membership.organization_id = gone.organization_id
                  AND public_membership.user_id = gone.user_id
                  AND NOT EXISTS (
                    SELECT FROM team_member other
                    WHERE other.user_id = gone.user_id AND other.organization_id = gone.organization_id
                      AND other.team_id <> gone.team_id
                  )
              )
              DELETE FROM team WHERE id = ${idParameter(id)} RETURNING id`.values,
            some
          )
        ),
      list: (viewer, organization, { descriptions = false, ids, name, names, text = "" }, request) => {
        const key = lookup(nameKey(text))
        const matching = descriptions
          ? sql`(strpos(seen.name_key, ${key}) > 0 OR strpos(seen.description_key, ${key}) > 0)`
          : sql`strpos(seen.name_key, ${key}) > 0`
        return page(
          viewer,
          sql.and([
            sql`seen.organization_id = ${userParameter(organization)}`,
            ...(name === undefined ? [] : [sql`seen.name_key = ${lookup(nameKey(name))}`]),
            ...(ids === undefined ? [] : [sql`seen.id = ANY(${ids.map(String)}::text[]::bigint[])`]),
            ...(names === undefined
              ? []
              : [sql`seen.name_key = ANY(${names.map((each) => lookup(nameKey(each)))}::text[])`]),
            ...(text === "" ? [] : [matching])
          ]),
          request
        )
      },
      ofUser: (viewer, user, request) => {
        const seen = seenTeams(sql, viewer, user)
        return countedPage(
          sql,
          teamInOrganizationReader,
          {
            table: "team",
            ...seen,
            order: {
              by: [
                ["seen.organization_key", "text"],
                ["seen.organization_id", "bigint"],
                ["seen.name_key", "text"]
              ]
            },
            join: sql`LEFT JOIN organization page_organization ON page_organization.id = page.organization_id`
          },
          request
        )
      },
      addMember: (team, user) =>
        orDieSql(
          Effect.map(
            sql`
              WITH found AS (
                SELECT team.id AS team_id, team.organization_id, account.id AS user_id FROM team, account
                WHERE team.id = ${idParameter(team)} AND account.id = ${userParameter(user)}
              ), added AS (
                INSERT INTO team_member (team_id, organization_id, user_id) SELECT * FROM found ON CONFLICT DO NOTHING
              )
              SELECT team_id FROM found`.values,
            some
          )
        ),
      removeMember: (team, user) =>
        orDieSql(
          Effect.map(
            sql`
              WITH gone AS (
                DELETE FROM team_member WHERE team_id = ${idParameter(team)} AND user_id = ${userParameter(user)}
                RETURNING team_id, organization_id, user_id
              ), concealed AS (
                DELETE FROM public_membership USING gone
                WHERE public_membership.organization_id = gone.organization_id
                  AND public_membership.user_id = gone.user_id
                  AND NOT EXISTS (
                    SELECT FROM team_member other
                    WHERE other.user_id = gone.user_id AND other.organization_id = gone.organization_id
                      AND other.team_id <> gone.team_id
                  )
              )
              SELECT team_id FROM gone`.values,
            some
          )
        ),
      hasMember: (team, user) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT 1 FROM team_member
              WHERE team_id = ${idParameter(team)} AND user_id = ${userParameter(user)}`.values,
            some
          )
        ),
      members: (viewer, team, request, hiddenToo = false) =>
        seenPage(
          sql,
          viewer,
          {
            people: "teamMember",
            where: sql`seen.team_id = ${idParameter(team)}`,
            hiddenToo
          },
          request
        ),
      memberIds: (teams, limit) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT DISTINCT user_id::float8 AS id FROM team_member
              WHERE team_id = ANY(${idArray(sql, teams)}) ORDER BY id LIMIT ${limit}`.values,
            (rows) => rows.map(([id]) => id as UserId)
          )
        ),
      addRepository: (team, repository) => Effect.map(addToTeams([team], repository), some),
      addToTeams,
      removeRepository: (team, repository) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM team_repository
              WHERE team_id = ${idParameter(team)} AND repository_id = ${idParameter(repository)}
              RETURNING team_id`.values,
            some
          )
        ),
      holds: (team, repository) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT 1 FROM team JOIN repository ON repository.organization_id = team.organization_id
              WHERE team.id = ${idParameter(team)} AND repository.id = ${idParameter(repository)} AND (
                team.includes_all OR EXISTS (
                  SELECT FROM team_repository held
                  WHERE held.team_id = team.id AND held.repository_id = repository.id
                )
              )`.values,
            some
          )
        ),
      ofRepository: (viewer, repository, request) =>
        page(
          viewer,
          sql`seen.organization_id = (
              SELECT repository.organization_id FROM repository WHERE repository.id = ${idParameter(repository)}
            ) AND (seen.includes_all OR seen.id IN (
              SELECT held.team_id FROM team_repository held WHERE held.repository_id = ${idParameter(repository)}
            ))`,
          request
        )
    }
  })
)
