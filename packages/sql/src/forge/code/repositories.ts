import { Duplicate, memoize, memoizeBy, nameKey, type PageRequest } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type Owner,
  type OwnerKey,
  type Repository,
  type RepositoryFilter,
  RepositoryStore,
  type RepositoryViewer,
  type RepositoryWithGrants,
  usualPreferences
} from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { boolean, type Column, document, integer, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { countedPage } from "../base/pages.ts"
import { type Reader, reader, writer } from "../base/rows.ts"
import { seenPage, userParameter } from "../identity/accounts.ts"
import { grantsReader, joinGrants } from "../identity/grants.ts"
import { idParameter, setOfSwitches, switchesOfSet } from "../identity/units.ts"
import { listSource } from "./repositoryFilter.ts"
import { allowingRepositories, seenRepositories } from "./seenRepositories.ts"
import { readSummaries } from "./summaries.ts"

/**
 * Returns the SQL expression for an owner as a JSON document. `alias` is the alias of the table of users or
 * organizations.
 */
export const ownerDocument = (kind: Owner["kind"], alias: string): string =>
  `jsonb_build_object('kind', '${kind}', 'id', ${alias}.id, 'name', ${alias}.name, 'fullName', ${alias}.full_name,
    'visibility', ${alias}.visibility,
    'repoAdminChangeTeamAccess', ${kind === "user" ? "false" : `${alias}.repo_admin_change_team_access`})`

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
  preferences: document("preferences", usualPreferences),
  size: integer("size"),
  archivedAt: nullable(time("archived_at")),
  updatedAt: time("updated_at")
}

const createdAt = time("created_at")
const objectFormat = text<Repository["objectFormat"]>("object_format")

/** Reads repositories from column values. */
export const repositoryReader = reader<Repository>({
  id: integer<RepositoryId>("id"),
  owner,
  name: text("name"),
  ...set,
  createdAt,
  objectFormat
})

/** Reads repositories with the access of a user, which `joinGrants` has joined. */
export const repositoryWithGrantsReader: Reader<RepositoryWithGrants> = {
  width: repositoryReader.width + grantsReader.width,
  of: (alias) => `${repositoryReader.of(alias)}, ${grantsReader.of("")}`,
  read: (values, place = 0) => {
    const repository = repositoryReader.read(values, place)
    const grants = grantsReader.read(values, place + repositoryReader.width)
    return repository && grants && { repository, grants }
  }
}

const repositoryWriter = writer(set, { description_key: (repository) => nameKey(repository.description) })

const ownerColumns = (owner: OwnerKey): readonly [unknown, unknown] =>
  owner.kind === "user" ? [userParameter(owner.id), null] : [null, userParameter(owner.id)]

let objects = 0
/**
 * Returns a number that identifies an object by reference, as a part of cache keys. Objects are the site switches and
 * the values that describe a caller.
 */
const numberOf = memoize((_: object) => ++objects, 1_000)

/**
 * Returns a function that reads a page of repositories. The last 100 SQL statements are cached, because building one
 * takes a tenth of the total time.
 */
const listed = (sql: SqlClient) =>
  memoizeBy(
    ({ facts, switches, task, userId }: RepositoryViewer, filter: RepositoryFilter, page: PageRequest) =>
      `${numberOf(switches)} ${numberOf(facts)} ${JSON.stringify([userId, task, filter, page])}`,
    (viewer, filter, page) => {
      const user = viewer.userId === undefined ? "NULL::bigint" : "page_viewer.id"
      const { allowing } = filter
      const seen =
        allowing === undefined
          ? { ...seenRepositories(sql, viewer), reachedBy: undefined }
          : allowingRepositories(sql, viewer, allowing)
      const { reachedBy = seen.reachedBy } = filter
      return countedPage(
        sql,
        repositoryWithGrantsReader,
        {
          table: "repository",
          ...listSource(sql, { ...filter, reachedBy }, page, seen),
          join: sql`
            LEFT JOIN (SELECT ${userParameter(viewer.userId)}::bigint AS id) page_viewer ON true
            ${joinGrants(sql, user, { kind: "repository", alias: "page" })}`
        },
        page
      )
    },
    100
  )

/** Stores repositories in PostgreSQL. */
export const layerRepositories = Layer.effect(
  RepositoryStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(repositoryReader.of("repository"))
    const { columns, parameters } = repositoryWriter(sql)
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

    /** Reserves an owner's name, replacing a redirect to a repository. */
    const take = (owner: number, name: string, id: Fragment) => sql`
      INSERT INTO repository_name (owner_id, name_key, repository_id, current)
      VALUES (${idParameter(owner)}, ${nameKey(name)}, ${id}, true)
      ON CONFLICT (owner_id, name_key) DO UPDATE SET repository_id = excluded.repository_id, current = true
      WHERE NOT repository_name.current OR repository_name.repository_id = excluded.repository_id
      RETURNING repository_id`

    return {
      insert: ({ createdAt: created, name, objectFormat: format, owner, ...row }) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              const [user, organization] = ownerColumns(owner)
              const [inserted] = yield* sql`
                INSERT INTO repository (user_id, organization_id, name, name_key, created_at, object_format, ${columns})
                VALUES (
                  ${user}, ${organization}, ${name}, ${nameKey(name)}, ${createdAt.write?.(created)}, ${format},
                  ${parameters(row)}
                )
                RETURNING ${all}`.values
              const repository = inserted && repositoryReader.read(inserted)
              if (repository === undefined) return yield* Effect.die(new Error("an inserted repository is missing"))
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
              return repository && { repository, renamed: values?.[repositoryReader.width] === false }
            }
          )
        ),
      // After waiting for another transaction, a locking statement may mix current rows with its older snapshot.
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
      transfer: (id, owner) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              const [row] = yield* sql`
                SELECT name FROM repository WHERE id = ${idParameter(id)} FOR NO KEY UPDATE`.values
              if (row === undefined) return false
              const taken = yield* take(owner.id, row[0] as string, sql`${idParameter(id)}`).values
              if (taken.length === 0) return yield* nameTaken
              const [user, organization] = ownerColumns(owner)
              yield* sql`
                WITH left_behind AS (
                  UPDATE repository_name SET current = false
                  WHERE repository_id = ${idParameter(id)} AND current AND owner_id <> ${idParameter(owner.id)}
                ), let_go AS (
                  DELETE FROM team_repository WHERE repository_id = ${idParameter(id)}
                ), given AS (
                  DELETE FROM collaborator WHERE repository_id = ${idParameter(id)} AND (
                    user_id = ${user}::bigint
                    OR user_id IN (SELECT blocked FROM block WHERE blocker = ${idParameter(owner.id)})
                  )
                ), labelled AS (
                  DELETE FROM issue_label USING issue, label
                  WHERE issue.repository_id = ${idParameter(id)} AND issue_label.issue_id = issue.id
                    AND label.id = issue_label.label_id AND label.organization_id IS NOT NULL
                )
                UPDATE repository SET user_id = ${user}::bigint, organization_id = ${organization}::bigint
                WHERE id = ${idParameter(id)}`
              return true
            })
          )
        ),
      remove: (id) =>
        orDieSql(Effect.map(sql`DELETE FROM repository WHERE id = ${idParameter(id)} RETURNING id`.values, some)),
      removeOwnedBy: (owner) =>
        orDieSql(
          Effect.map(
            sql`DELETE FROM repository WHERE owner_id = ${userParameter(owner)} RETURNING id::float8`.values,
            (rows) => rows.map(([id]) => id as RepositoryId).toSorted((one, other) => one - other)
          )
        ),
      countOwned: (owner) =>
        orDieSql(
          Effect.map(
            sql`SELECT count(*)::float8 FROM repository WHERE owner_id = ${userParameter(owner)}`.values,
            ([values]) => Number(values?.[0])
          )
        ),
      lastIdOf: (owner) =>
        orDieSql(
          Effect.map(
            sql`SELECT max(id)::float8 FROM repository WHERE owner_id = ${userParameter(owner)}`.values,
            ([values]) => (values?.[0] ?? undefined) as RepositoryId | undefined
          )
        ),
      idsOf: (owner, upTo, limit) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT float8(id) FROM repository WHERE owner_id = ${userParameter(owner)} AND id <= ${idParameter(upTo)}
              ORDER BY id LIMIT ${limit}`.values,
            (rows) => rows.map(([id]) => id as RepositoryId)
          )
        ),
      ownsAny: (owner) =>
        orDieSql(
          Effect.map(sql`SELECT 1 FROM repository WHERE owner_id = ${userParameter(owner)} LIMIT 1`.values, some)
        ),
      list: listed(sql),
      grantsOf: (user, id) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${sql.literal(repositoryWithGrantsReader.of("repository"))}
              FROM (SELECT ${userParameter(user)}::bigint AS id) AS holder
              JOIN repository ON repository.id = ${idParameter(id)}
              ${joinGrants(sql, "holder.id", { kind: "repository", alias: "repository" })}`.values,
            ([values]) => (values === undefined ? undefined : repositoryWithGrantsReader.read(values))
          )
        ),
      heldOn: (user, ids) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${sql.literal(repositoryWithGrantsReader.of("repository"))}
              FROM (SELECT ${userParameter(user)}::bigint AS id) AS holder
              JOIN repository ON repository.id = ANY(${[...new Set(ids)].map(String)}::bigint[])
              ${joinGrants(sql, user === undefined ? "NULL::bigint" : "holder.id", { kind: "repository", alias: "repository" })}`
              .values,
            (rows) =>
              new Map(
                rows.flatMap((values) => {
                  const held = repositoryWithGrantsReader.read(values)
                  return held === undefined ? [] : [[held.repository.id, held] as const]
                })
              )
          )
        ),
      summaries: readSummaries(sql),
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
      removeCollaborations: (owner, user) =>
        Effect.asVoid(
          orDieSql(sql`
            DELETE FROM collaborator USING repository
            WHERE collaborator.user_id = ${userParameter(user)} AND repository.id = collaborator.repository_id
              AND repository.owner_id = ${userParameter(owner)}`)
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
      collaborators: (viewer, repository, page, hiddenToo = false) =>
        seenPage(
          sql,
          viewer,
          {
            people: "collaborator",
            where: sql`seen.repository_id = ${idParameter(repository)}`,
            hiddenToo
          },
          page
        )
    }
  })
)
