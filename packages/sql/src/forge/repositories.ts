import { Duplicate, nameKey } from "@slipway/domain"
import { toSql } from "@slipway/domain/access"
import {
  type HeldRepository,
  type Owner,
  type OwnerKey,
  type Repository,
  type RepositoryId,
  RepositoryStore,
  type RepositoryViewer,
  repositorySightOf
} from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../collection/collection.ts"
import { boolean, type Column, integer, text, time } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"
import { seenPage, userParameter } from "./accounts.ts"
import { holdingReader, joinHolding, memberships } from "./held.ts"
import { countedPage } from "./pages.ts"
import { type Reader, reader } from "./rows.ts"
import { idParameter, isAdminTeam, setOfSwitches, switchesOfSet } from "./units.ts"

/** Returns the expression for an owner as a document, from the alias of whichever table has it. */
export const ownerDocument = (kind: Owner["kind"], alias: string): string =>
  `jsonb_build_object('kind', '${kind}', 'id', ${alias}.id, 'name', ${alias}.name, 'fullName', ${alias}.full_name,
    'visibility', ${alias}.visibility)`

const owner: Column<Owner> = {
  _tag: "Column",
  name: "owner",
  expression: (repository) => `coalesce(
    (SELECT ${ownerDocument("user", "holder")} FROM account holder WHERE holder.id = ${repository}.user_id),
    (SELECT ${ownerDocument("organization", "holder")} FROM organization holder
      WHERE holder.id = ${repository}.organization_id)
  )`,
  write: undefined,
  read: (stored) => stored as Owner
}

const units: Column<Repository["units"]> = {
  _tag: "Column",
  name: "units",
  expression: undefined,
  write: setOfSwitches,
  read: (stored) => switchesOfSet(stored as number)
}

const set = {
  description: text("description"),
  website: text("website"),
  private: boolean("private"),
  archived: boolean("archived"),
  mirror: boolean("mirror"),
  template: boolean("template"),
  empty: boolean("empty"),
  defaultBranch: text("default_branch"),
  units,
  size: integer("size"),
  updatedAt: time("updated_at")
}

const createdAt = time("created_at")

/** Reads repositories. */
export const repositoryReader = reader<Repository>({
  id: integer<RepositoryId>("id"),
  owner,
  name: text("name"),
  ...set,
  createdAt
})

/** Reads repositories with what `joinHolding` joined to them. */
export const heldReader: Reader<HeldRepository> = {
  width: repositoryReader.width + holdingReader.width,
  of: (alias) => `${repositoryReader.of(alias)}, ${holdingReader.of("")}`,
  read: (values, place = 0) => {
    const repository = repositoryReader.read(values, place)
    const holding = holdingReader.read(values, place + repositoryReader.width)
    return repository && holding && { repository, holding }
  }
}

const setColumns = Object.values(set)
  .map((column) => column.name)
  .join(", ")

const setParameters = (repository: Pick<Repository, keyof typeof set>): ReadonlyArray<unknown> =>
  // BOUNDARY: each column is given the fact it is declared for.
  Object.entries(set).map(([name, column]) =>
    (column.write as (value: unknown) => unknown)(repository[name as keyof typeof set])
  )

/** Returns the repositories on which teams of a user open a unit that is on, at a level or above, as a set for `IN`. */
const openedByTeams = (sql: SqlClient, user: unknown, units: "readable" | "writable" | "administered") => {
  const opened = sql.literal(`NOT team.owners AND team.${units} & opened.units <> 0`)
  return sql`(
    SELECT opened.id
    FROM team_member mine
    JOIN team ON team.id = mine.team_id
    JOIN team_repository held ON held.team_id = team.id
    JOIN repository opened ON opened.id = held.repository_id AND opened.organization_id = team.organization_id
    WHERE mine.user_id = ${user}::bigint AND NOT team.includes_all AND ${opened}
    UNION ALL
    SELECT opened.id
    FROM team_member mine
    JOIN team ON team.id = mine.team_id
    JOIN repository opened ON opened.organization_id = team.organization_id
    WHERE mine.user_id = ${user}::bigint AND team.includes_all AND ${opened}
  )`
}

const administeredByTeams = (sql: SqlClient, user: unknown) => sql`(
  SELECT held.repository_id
  FROM team_member mine
  JOIN team ON team.id = mine.team_id
  JOIN team_repository held ON held.team_id = team.id
  JOIN repository opened ON opened.id = held.repository_id AND opened.organization_id = team.organization_id
  WHERE mine.user_id = ${user}::bigint AND NOT team.owners AND ${sql.literal(isAdminTeam("team"))}
)`

const administeredWhole = (sql: SqlClient, user: unknown) => sql`(
  SELECT mine.organization_id
  FROM team_member mine
  JOIN team ON team.id = mine.team_id
  WHERE mine.user_id = ${user}::bigint AND NOT team.owners AND team.includes_all
    AND ${sql.literal(isAdminTeam("team"))}
)`

const given = (sql: SqlClient, user: unknown, level: 1 | 2 | 3) => sql`(
  SELECT collaborator.repository_id FROM collaborator
  WHERE collaborator.user_id = ${user}::bigint AND collaborator.level >= ${sql.literal(String(level))}
)`

/**
 * Returns repositories, called `seen`, with the facts that decide who sees them, and the condition that they are seen.
 *
 * What the viewer holds is tested against sets that don't depend on the row: PostgreSQL makes each at most once for all
 * rows, and only when a row asks for it. Columns that nothing asks for cost nothing.
 */
const seenRepositories = (sql: SqlClient, viewer: RepositoryViewer) => {
  const { member, owner } = memberships(sql, viewer)
  const user = userParameter(viewer.userId)
  const column = "repository.id"
  const is = sql.literal(column)
  return {
    from: sql`(
      SELECT repository.*,
        coalesce(holder.visibility, organization.visibility) AS "ownerVisibility",
        coalesce(repository.user_id = ${user}::bigint, false) AS "repositoryOwner",
        0 AS "taskLevel",
        repository.owner_id IN ${member} AS "organizationMember",
        repository.owner_id IN ${owner} AS "organizationOwner",
        ${is} IN ${administeredByTeams(sql, user)} OR repository.owner_id IN ${administeredWhole(sql, user)} AS "teamAdmin",
        CASE
          WHEN ${is} IN ${openedByTeams(sql, user, "administered")} THEN 3
          WHEN ${is} IN ${openedByTeams(sql, user, "writable")} THEN 2
          WHEN ${is} IN ${openedByTeams(sql, user, "readable")} THEN 1
          ELSE 0
        END AS "teamAny",
        CASE
          WHEN ${is} IN ${given(sql, user, 3)} THEN 3
          WHEN ${is} IN ${given(sql, user, 2)} THEN 2
          WHEN ${is} IN ${given(sql, user, 1)} THEN 1
          ELSE 0
        END AS "collaborator"
      FROM repository
      LEFT JOIN account holder ON holder.id = repository.user_id
      LEFT JOIN organization ON organization.id = repository.organization_id
    ) seen`,
    where: sql.literal(toSql(repositorySightOf(viewer), "seen"))
  }
}

const ownerColumns = (owner: OwnerKey): readonly [unknown, unknown] =>
  owner.kind === "user" ? [userParameter(owner.id), null] : [null, userParameter(owner.id)]

/** Keeps repositories in PostgreSQL. */
export const layerRepositories = Layer.effect(
  RepositoryStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(repositoryReader.of("repository"))
    const columns = sql.literal(setColumns)
    const parameters = (row: Parameters<typeof setParameters>[0]) =>
      sql.csv(setParameters(row).map((value) => sql`${value}`))
    const select = (id: RepositoryId) =>
      Effect.map(sql`SELECT ${all} FROM repository WHERE id = ${idParameter(id)}`.values, ([values]) =>
        values === undefined ? undefined : repositoryReader.read(values)
      )
    const lockRow = (id: RepositoryId) =>
      Effect.map(
        sql`SELECT owner_id::float8 FROM repository WHERE id = ${idParameter(id)} FOR NO KEY UPDATE`.values,
        ([row]) => row?.[0] as number | undefined
      )
    const nameTaken = new Duplicate({ of: "repository.name" })
    const some = (rows: ReadonlyArray<unknown>) => rows.length > 0

    /** Enters a name of an owner in the register, in the place of one that only leads to a repository. */
    const take = (owner: number, name: string, id: Fragment) => sql`
      INSERT INTO repository_name (owner_id, name_key, repository_id, current)
      VALUES (${idParameter(owner)}, ${nameKey(name)}, ${id}, true)
      ON CONFLICT (owner_id, name_key) DO UPDATE SET repository_id = excluded.repository_id, current = true
      WHERE NOT repository_name.current OR repository_name.repository_id = excluded.repository_id
      RETURNING repository_id`

    return {
      insert: ({ createdAt: created, name, owner, ...row }) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              const [user, organization] = ownerColumns(owner)
              const [inserted] = yield* sql`
                INSERT INTO repository (user_id, organization_id, name, name_key, created_at, ${columns})
                VALUES (
                  ${user}, ${organization}, ${name}, ${nameKey(name)}, ${createdAt.write?.(created)}, ${parameters(row)}
                )
                RETURNING ${all}`.values
              const repository = inserted && repositoryReader.read(inserted)
              if (repository === undefined)
                return yield* Effect.die(new Error("a repository that was inserted is not there"))
              const taken = yield* take(owner.id, name, sql`${idParameter(repository.id)}`).values
              return taken.length === 0 ? yield* nameTaken : repository
            })
          )
        ),
      find: (id) => orDieSql(select(id)),
      named: (owner, name) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${all}, owner_name.current AND repository_name.current
              FROM owner_name
              JOIN repository_name ON repository_name.owner_id = coalesce(owner_name.user_id, owner_name.organization_id)
                AND repository_name.name_key = ${lookup(nameKey(name))}
              JOIN repository ON repository.id = repository_name.repository_id
              WHERE owner_name.name_key = ${lookup(nameKey(owner))}`.values,
            ([values]) => {
              const repository = values === undefined ? undefined : repositoryReader.read(values)
              return repository && { repository, moved: values?.[repositoryReader.width] === false }
            }
          )
        ),
      // Having waited for another transaction, the statement that locks may mix its row with what it saw before.
      lock: (id) =>
        orDieSql(Effect.flatMap(lockRow(id), (owner) => (owner === undefined ? Effect.undefined : select(id)))),
      replace: (repository) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE repository SET (${columns}) = ROW (${parameters(repository)})
              WHERE id = ${idParameter(repository.id)} RETURNING id`.values,
            some
          )
        ),
      rename: (id, name) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              const owner = yield* lockRow(id)
              if (owner === undefined) return false
              const taken = yield* take(owner, name, sql`${idParameter(id)}`).values
              if (taken.length === 0) return yield* nameTaken
              yield* sql`
                WITH left_behind AS (
                  UPDATE repository_name SET current = false
                  WHERE repository_id = ${idParameter(id)} AND current
                    AND (owner_id, name_key) <> (${idParameter(owner)}, ${nameKey(name)})
                )
                UPDATE repository SET name = ${name}, name_key = ${nameKey(name)} WHERE id = ${idParameter(id)}`
              return true
            })
          )
        ),
      remove: (id) =>
        orDieSql(Effect.map(sql`DELETE FROM repository WHERE id = ${idParameter(id)} RETURNING id`.values, some)),
      ownsAny: (owner) =>
        orDieSql(
          Effect.map(sql`SELECT 1 FROM repository WHERE owner_id = ${userParameter(owner)} LIMIT 1`.values, some)
        ),
      list: (viewer, { owner, team, text = "" }, page) => {
        const { from, where } = seenRepositories(sql, viewer)
        const conditions = [where]
        if (owner !== undefined) conditions.push(sql`seen.owner_id = ${userParameter(owner)}`)
        if (text !== "") conditions.push(sql`strpos(seen.name_key, ${lookup(nameKey(text))}) > 0`)
        if (team !== undefined) {
          conditions.push(sql`seen.id IN (
            SELECT repository.id FROM team JOIN repository ON repository.organization_id = team.organization_id
            WHERE team.id = ${idParameter(team)} AND (team.includes_all OR EXISTS (
              SELECT FROM team_repository held WHERE held.team_id = team.id AND held.repository_id = repository.id
            ))
          )`)
        }
        const user = viewer.userId === undefined ? "NULL::bigint" : "page_viewer.id"
        return countedPage(
          sql,
          heldReader,
          {
            table: "repository",
            from,
            where: sql.and(conditions),
            order: "seen.id",
            join: sql`
              LEFT JOIN (SELECT ${userParameter(viewer.userId)}::bigint AS id) page_viewer ON true
              ${joinHolding(sql, user, { kind: "repository", alias: "page" })}`
          },
          page
        )
      },
      heldBy: (user, id) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${sql.literal(heldReader.of("repository"))}
              FROM (SELECT ${userParameter(user)}::bigint AS id) AS holder
              JOIN repository ON repository.id = ${idParameter(id)}
              ${joinHolding(sql, "holder.id", { kind: "repository", alias: "repository" })}`.values,
            ([values]) => (values === undefined ? undefined : heldReader.read(values))
          )
        ),
      setCollaborator: (repository, { level, userId }) =>
        orDieSql(
          Effect.map(
            sql`
              INSERT INTO collaborator (repository_id, user_id, level)
              SELECT repository.id, account.id, ${level}::integer FROM repository, account
              WHERE repository.id = ${idParameter(repository)} AND account.id = ${userParameter(userId)}
              ON CONFLICT (repository_id, user_id) DO UPDATE SET level = excluded.level
              RETURNING user_id`.values,
            some
          )
        ),
      removeCollaborator: (repository, user) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM collaborator
              WHERE repository_id = ${idParameter(repository)} AND user_id = ${userParameter(user)}
              RETURNING user_id`.values,
            some
          )
        ),
      collaborator: (repository, user) =>
        orDieSql(
          Effect.map(
            sql<{ readonly level: 1 | 2 | 3 }>`
              SELECT level FROM collaborator
              WHERE repository_id = ${idParameter(repository)} AND user_id = ${userParameter(user)}`,
            ([row]) => row?.level
          )
        ),
      collaborators: (viewer, repository, page) =>
        seenPage(
          sql,
          viewer,
          {
            join: sql`JOIN collaborator ON collaborator.user_id = seen.id`,
            where: sql`collaborator.repository_id = ${idParameter(repository)}`,
            order: "seen.name_key"
          },
          page
        )
    }
  })
)
