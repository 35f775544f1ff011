import type { Level } from "@slipway/access"
import { nameKey, pageOfRows, pageWindow, placeOfCursor } from "@slipway/domain"
import {
  type AccessPair,
  EffectiveAccessStore,
  type People,
  type RepositoryRange
} from "@slipway/domain/forge/explanation"
import type { TeamId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { orDieSql } from "../../SqlErrors.ts"
import type { Reader } from "../base/rows.ts"
import { repositoryReader } from "../code/repositories.ts"
import { allUsers, type People as PeopleSource, seenUsers, userParameter, userReader } from "../identity/accounts.ts"
import { idParameter, type UnitSets, unitsOfSets } from "../identity/units.ts"

type StoredTeam = readonly [id: TeamId, name: string, owners: boolean, ...UnitSets]

/**
 * The SQL expressions for the access of a user (alias `account`) to a repository (alias `repository`): membership,
 * collaborator level and teams.
 */
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

/**
 * Returns the SQL for the first users by name, as rows of `id` and `key`. `most` is their maximum number; users up to
 * the name `behindKey` are skipped.
 *
 * Each source of users has an index by name, so that PostgreSQL stops reading a source after `most` users.
 */
const firstPeople = (sql: SqlClient, people: People, most: number, behindKey: string | undefined): Fragment => {
  const limit = sql.literal(String(most))
  const from = (table: PeopleSource, where: Fragment, repeats = false) => {
    const { from: source, where: seen } =
      people.seenBy === undefined ? allUsers(sql, "seen", table) : seenUsers(sql, people.seenBy, "seen", table)
    const rest = behindKey === undefined ? sql`true` : sql`seen.person_key > ${behindKey}::text`
    return sql`(
      SELECT ${sql.literal(repeats ? "DISTINCT" : "")} seen.person_key AS key, seen.person_id AS id FROM ${source} WHERE ${where} AND ${seen} AND ${rest}
      ORDER BY seen.person_key${sql.literal(repeats ? ", seen.person_id" : "")} LIMIT ${limit}
    )`
  }
  if (people.kind === "user") return from("account", sql`seen.id = ${userParameter(people.id)}`)
  if (people.kind === "team") return from("teamMember", sql`seen.team_id = ${idParameter(people.id)}`)
  const id = idParameter(people.id)
  const of = (column: string) =>
    sql`(SELECT repository.${sql.literal(column)} FROM repository WHERE repository.id = ${id})`
  const members = people.membersToo
    ? from("teamMember", sql`seen.organization_id = ${of("organization_id")}`, true)
    : sql`(
        SELECT member.key, member.id FROM (
          SELECT team.id FROM team WHERE team.organization_id = ${of("organization_id")} AND team.includes_all
          UNION
          SELECT team.id FROM team_repository held JOIN team ON team.id = held.team_id
          WHERE held.repository_id = ${id} AND team.organization_id = ${of("organization_id")}
        ) team
        CROSS JOIN LATERAL ${from("teamMember", sql`seen.team_id = team.id`)} member
      )`
  return sql`(
    SELECT each.key, each.id FROM (
      ${from("account", sql`seen.id = ${of("user_id")}`)}
      UNION ${from("collaborator", sql`seen.repository_id = ${id}`)}
      UNION ${members}
    ) each ORDER BY each.key LIMIT ${limit}
  )`
}

/** Returns the SQL for the first repositories by id, as rows of `id`. `most` is their maximum number. */
const firstRepositories = (
  sql: SqlClient,
  range: RepositoryRange,
  most: number,
  start: number | undefined
): Fragment => {
  const rest = start === undefined ? sql`true` : sql`place.id >= ${idParameter(start)}`
  const conditions = () => {
    if (range.kind === "repository") return sql`place.id = ${idParameter(range.id)}`
    const held = sql`place.id IN (
      SELECT held.repository_id FROM team_repository held WHERE held.team_id = ${idParameter(range.grantedTo)}
    )`
    const owned = sql`place.owner_id = ${userParameter(range.id)}`
    if (range.grantedTo === undefined) return owned
    return sql`${owned} AND ${range.openToo === true ? sql`(${held} OR NOT place.private)` : held}`
  }
  return sql`(
    SELECT place.id FROM repository place WHERE ${conditions()} AND ${rest} ORDER BY place.id
    LIMIT ${sql.literal(String(most))}
  )`
}

/** Lists from PostgreSQL the pairs of a user and a repository that an access report covers. */
export const layerEffectiveAccess = Layer.effect(
  EffectiveAccessStore,
  Effect.map(SqlClient, (sql) => {
    const columns = sql.literal(pairReader.of(""))
    const read = (rows: ReadonlyArray<ReadonlyArray<unknown>>, at: number) =>
      rows.flatMap((values) => pairReader.read(values, at) ?? [])
    return {
      // Users and repositories are paginated separately, so that a page of their pairs is read without computing the
      // others.
      list: (people, repositories, request) => {
        const window = pageWindow(request)
        const { after, limit, most, skip } = window
        // In the SQL text, so that PostgreSQL plans for the few rows of a page.
        const shown = sql.literal(String(limit))
        const numbered = () => sql`
          person AS MATERIALIZED (
            SELECT first.id, row_number() OVER (ORDER BY first.key) - 1 AS n
            FROM ${firstPeople(sql, people, most, undefined)} first
          ), place AS MATERIALIZED (
            SELECT first.id, row_number() OVER (ORDER BY first.id) - 1 AS n
            FROM ${firstRepositories(sql, repositories, most, undefined)} first
          ), size AS (
            SELECT people, least(people * places, ${most}::bigint) AS found
            FROM (SELECT count(*) AS people FROM person) people (people), (SELECT count(*) AS places FROM place) places (places)
          ), wanted AS MATERIALIZED (
            SELECT pair.n, place.id AS place, person.id AS person
            FROM size CROSS JOIN LATERAL generate_series(
              ${skip}::bigint, least(${skip}::bigint + ${limit}::bigint, size.found) - 1
            ) AS pair (n)
            JOIN place ON place.n = pair.n / size.people
            JOIN person ON person.n = pair.n % size.people
            LIMIT ${shown}
          )`
        // After a pair come the others of its repository, then those of later repositories.
        const following = ([start, key]: readonly [number, string]) => sql`
          person AS MATERIALIZED (SELECT * FROM ${firstPeople(sql, people, most, undefined)} first),
          other AS MATERIALIZED (SELECT * FROM ${firstPeople(sql, people, most, key)} first),
          place AS MATERIALIZED (SELECT * FROM ${firstRepositories(sql, repositories, most + 1, start)} first),
          pair AS (
            SELECT place.id AS place, other.id AS person, other.key FROM place, other
            WHERE place.id = ${idParameter(start)}
            UNION ALL
            SELECT place.id, person.id, person.key FROM place, person WHERE place.id > ${idParameter(start)}
          ), found AS MATERIALIZED (
            SELECT place, person, row_number() OVER (ORDER BY place, key) - 1 AS n FROM pair
            ORDER BY place, key LIMIT ${most}
          ), size AS (
            SELECT count(*) AS found FROM found
          ), wanted AS MATERIALIZED (
            SELECT * FROM found WHERE n < ${limit} LIMIT ${shown}
          )`
        const place = after === undefined ? undefined : placeOfCursor(after, ["number", "text"])
        if (after !== undefined && place === undefined) return Effect.succeed({ rows: [], total: undefined })
        return orDieSql(
          Effect.map(
            sql`
              WITH ${place === undefined ? numbered() : following(place as unknown as readonly [number, string])}
              SELECT size.found::float8, ${columns}
              FROM size
              LEFT JOIN wanted ON true
              LEFT JOIN account ON account.id = wanted.person
              LEFT JOIN repository ON repository.id = wanted.place
              ORDER BY wanted.n`.values,
            (rows) =>
              pageOfRows(window, Number(rows[0]?.[0]), read(rows, 1), ({ repository, user }) => [
                repository.id,
                nameKey(user.name)
              ])
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
