import { windowOf } from "@slipway/domain"
import type { Level } from "@slipway/domain/access"
import {
  type AccessPair,
  EffectiveAccessStore,
  type People,
  type RepositoryRange,
  type TeamId
} from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { orDieSql } from "../SqlErrors.ts"
import { seenUsers, userParameter, userReader } from "./accounts.ts"
import { repositoryReader } from "./repositories.ts"
import type { Reader } from "./rows.ts"
import { idParameter, type UnitSets, unitsOfSets } from "./units.ts"

type StoredTeam = readonly [id: TeamId, name: string, owners: boolean, ...UnitSets]

/** What is stored of the access between `account` and `repository`, which stand behind `FROM`. */
const tieColumns = `
  EXISTS (
    SELECT FROM team_member mine
    WHERE mine.user_id = account.id AND mine.organization_id = repository.organization_id
  ),
  coalesce((
    SELECT collaborator.level FROM collaborator
    WHERE collaborator.repository_id = repository.id AND collaborator.user_id = account.id
  ), 0),
  coalesce((
    SELECT jsonb_agg(
      jsonb_build_array(team.id, team.name, team.owners, team.readable, team.writable, team.administered)
      ORDER BY team.id
    )
    FROM team_member mine
    JOIN team ON team.id = mine.team_id
    LEFT JOIN team_repository held ON held.team_id = team.id AND held.repository_id = repository.id
    WHERE mine.user_id = account.id AND mine.organization_id = repository.organization_id
      AND (team.includes_all OR held.team_id IS NOT NULL)
  ), '[]')`

const pairReader: Reader<AccessPair> = {
  width: userReader.width + repositoryReader.width + 3,
  of: () => `${userReader.of("account")}, ${repositoryReader.of("repository")}, ${tieColumns}`,
  read: (values, at = 0) => {
    const user = userReader.read(values, at)
    const repository = repositoryReader.read(values, at + userReader.width)
    if (user === undefined || repository === undefined) return undefined
    const [member, collaborator, teams] = values.slice(at + userReader.width + repositoryReader.width)
    return {
      user,
      repository,
      member: member === true,
      collaborator: collaborator as Level,
      teams: (teams as ReadonlyArray<StoredTeam>).map(([id, name, owners, ...sets]) => ({
        id,
        name,
        owners,
        units: unitsOfSets(sets)
      }))
    }
  }
}

const condition = (sql: SqlClient, people: People): Fragment => {
  if (people.kind === "user") return sql`seen.id = ${userParameter(people.id)}`
  const team = sql.literal("SELECT member.user_id FROM team_member member")
  if (people.kind === "team") return sql`seen.id IN (${team} WHERE member.team_id = ${idParameter(people.id)})`
  const id = idParameter(people.id)
  const grants = people.membersToo
    ? sql`true`
    : sql`(team.includes_all OR team.id IN (
        SELECT held.team_id FROM team_repository held WHERE held.repository_id = ${id}
      ))`
  return sql`seen.id IN (
    SELECT repository.user_id FROM repository WHERE repository.id = ${id}
    UNION
    SELECT collaborator.user_id FROM collaborator WHERE collaborator.repository_id = ${id}
    UNION
    ${team}
    JOIN team ON team.id = member.team_id
    JOIN repository ON repository.organization_id = team.organization_id
    WHERE repository.id = ${id} AND ${grants}
  )`
}

const peopleOf = (sql: SqlClient, people: People): Fragment => {
  const matching = condition(sql, people)
  if (people.seenBy === undefined) return sql`account seen WHERE ${matching}`
  const { from, where } = seenUsers(sql, people.seenBy, "seen")
  return sql`${from} WHERE ${matching} AND ${where}`
}

const repositoriesIn = (sql: SqlClient, repositories: RepositoryRange): Fragment => {
  if (repositories.kind === "repository") return sql`repository place WHERE place.id = ${idParameter(repositories.id)}`
  const { grantedTo, id, openToo = false } = repositories
  const held =
    grantedTo === undefined
      ? sql`true`
      : sql`(place.id IN (
          SELECT held.repository_id FROM team_repository held WHERE held.team_id = ${idParameter(grantedTo)}
        ) OR ${openToo} AND NOT place.private)`
  return sql`repository place WHERE place.organization_id = ${userParameter(id)} AND ${held}`
}

/** Reads pairs of users and repositories from PostgreSQL. */
export const layerEffectiveAccess = Layer.effect(
  EffectiveAccessStore,
  Effect.map(SqlClient, (sql) => {
    const columns = sql.literal(pairReader.of(""))
    const read = (rows: ReadonlyArray<ReadonlyArray<unknown>>, at: number) =>
      rows.flatMap((values) => pairReader.read(values, at) ?? [])
    return {
      // People and repositories are numbered apart, so that a page of their pairs is cut without making the others.
      list: (people, repositories, page) => {
        const { limit, skip = 0 } = windowOf(page)
        return orDieSql(
          Effect.map(
            sql`
              WITH person AS MATERIALIZED (
                SELECT seen.id, row_number() OVER (ORDER BY seen.name_key) - 1 AS n FROM ${peopleOf(sql, people)}
              ), place AS MATERIALIZED (
                SELECT place.id, row_number() OVER (ORDER BY place.id) - 1 AS n FROM ${repositoriesIn(sql, repositories)}
              ), size AS (
                SELECT (SELECT count(*) FROM person) AS people, (SELECT count(*) FROM place) AS places
              ), wanted AS (
                SELECT pair.n, pair.n / size.people AS place, pair.n % size.people AS person
                FROM size, generate_series(
                  ${skip}::bigint, least(${skip}::bigint + ${limit}::bigint, size.people * size.places) - 1
                ) AS pair (n)
                WHERE size.people > 0
              )
              SELECT (size.people * size.places)::float8, ${columns}
              FROM size
              LEFT JOIN wanted ON true
              LEFT JOIN person ON person.n = wanted.person
              LEFT JOIN place ON place.n = wanted.place
              LEFT JOIN account ON account.id = person.id
              LEFT JOIN repository ON repository.id = place.id
              ORDER BY wanted.n`.values,
            (rows) => ({ rows: read(rows, 1), total: Number(rows[0]?.[0]) })
          )
        )
      },
      find: (pairs) =>
        pairs.length === 0
          ? Effect.succeed([])
          : orDieSql(
              Effect.map(
                sql`
                  SELECT ${columns}
                  FROM unnest(
                    ${pairs.map((pair) => String(pair.user))}::text[]::bigint[],
                    ${pairs.map((pair) => String(pair.repository))}::text[]::bigint[]
                  ) WITH ORDINALITY AS pair (user_id, repository_id, n)
                  JOIN account ON account.id = pair.user_id
                  JOIN repository ON repository.id = pair.repository_id
                  ORDER BY pair.n`.values,
                (rows) => read(rows, 0)
              )
            )
    }
  })
)
