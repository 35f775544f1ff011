import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type CodeFilter,
  CodeIndexStore,
  type CodeScope,
  type FoundCode,
  type IndexRun,
  type ObjectId
} from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { moment } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { countedPage, type Order } from "../base/pages.ts"
import type { Reader } from "../base/rows.ts"
import { allCommon } from "../base/trigrams.ts"
import { idParameter } from "../identity/units.ts"
import { placeJoin } from "./issueSearch.ts"
import { joinReading } from "./seenRepositories.ts"

const found: Reader<FoundCode> = {
  width: 9,
  of: (alias) => `${alias}.path, ${alias}.blob, float8(${alias}.size), ${alias}.language, float8(home.id), place.owner,
    place.name, home.default_branch, of_index.incomplete`,
  read: (values, at = 0) => {
    const [path, blob, size, language, id, owner, name, defaultBranch, incomplete] = values.slice(at)
    if (path === null) return undefined
    // BOUNDARY: the columns have these types.
    return { path, blob, size, language, incomplete, repository: { id, owner, name, defaultBranch } } as FoundCode
  }
}

const order: Order = {
  by: [
    ["file.repository_id", "bigint"],
    ["file.path", "text"]
  ]
}

/** Returns the words of a query as PostgreSQL's `tsquery`, each as the beginning of a word. */
const queryOf = (words: ReadonlyArray<string>): string =>
  words.map((word) => `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}':*`).join(" & ")

/** The minimum share of files that contain a common word. A scan in the sort order finds its files early. */
const commonFrom = 0.2

const sourceOf = (sql: SqlClient, scope: CodeScope): { readonly from: Fragment; readonly where: Fragment } => {
  if ("repositoryId" in scope) {
    return { from: sql`code_file file`, where: sql`file.repository_id = ${idParameter(scope.repositoryId)}::bigint` }
  }
  const { join, reads } = joinReading(sql, scope.viewer, "file.repository_id")
  return { from: sql`code_file file ${join}`, where: reads("repo.code").sql }
}

const conditionsOf = (sql: SqlClient, { language, path }: CodeFilter): ReadonlyArray<Fragment> => [
  ...(language === undefined ? [] : [sql`lower(file.language) = ${lookup(language.toLowerCase())}::text`]),
  ...(path === undefined ? [] : [sql`strpos(file.path, ${lookup(path)}::text) > 0`])
]

const some = (rows: ReadonlyArray<ReadonlyArray<unknown>>): boolean => rows.length > 0

/** Stores the index of code search in PostgreSQL. */
export const layerCodeIndex = Layer.effect(
  CodeIndexStore,
  Effect.map(SqlClient, (sql) => ({
    begin: (repositoryId, at) =>
      orDieSql(
        Effect.map(
          sql`
            INSERT INTO code_index (repository_id, run, begun_at)
            SELECT id, 1, ${moment(at)} FROM repository WHERE id = ${idParameter(repositoryId)} FOR KEY SHARE
            ON CONFLICT (repository_id) DO UPDATE SET run = code_index.run + 1, begun_at = excluded.begun_at
            RETURNING run::float8, "commit", incomplete`.values,
          ([row]): IndexRun | undefined => {
            if (row === undefined) return undefined
            const [run, commit, incomplete] = row as unknown as readonly [number, ObjectId | null, boolean]
            return { repositoryId, at, run, commit, incomplete }
          }
        )
      ),
    files: (repositoryId) =>
      orDieSql(
        Effect.map(
          sql`SELECT path, blob FROM code_file WHERE repository_id = ${idParameter(repositoryId)} ORDER BY path`.values,
          (rows) => new Map(rows.map(([path, blob]) => [path as string, blob as ObjectId]))
        )
      ),
    change: ({ repositoryId, run }, { put, remove }) =>
      orDieSql(
        Effect.map(
          sql`
            WITH held AS (
              UPDATE code_index SET "commit" = NULL
              WHERE repository_id = ${idParameter(repositoryId)} AND run = ${run}::integer RETURNING repository_id
            ), removed AS (
              DELETE FROM code_file USING held
              WHERE code_file.repository_id = held.repository_id AND code_file.path = ANY(${[...remove]}::text[])
            ), stored AS (
              INSERT INTO code_file (repository_id, path, blob, size, language, words)
              SELECT held.repository_id, file.path, file.blob, file.size::bigint, file.language,
                array_to_tsvector(string_to_array(file.words, ' '))
              FROM held, unnest(
                ${put.map(({ path }) => path)}::text[], ${put.map(({ blob }) => blob)}::text[],
                ${put.map(({ size }) => String(size))}::text[], ${put.map(({ language }) => language)}::text[],
                ${put.map(({ words }) => words.join(" "))}::text[]
              ) AS file (path, blob, size, language, words)
              ON CONFLICT (repository_id, path) DO UPDATE SET
                blob = excluded.blob, size = excluded.size, language = excluded.language, words = excluded.words
            )
            SELECT repository_id FROM held`.values,
          some
        )
      ),
    finish: ({ at, repositoryId, run }, { commit, incomplete }) =>
      orDieSql(
        Effect.map(
          sql`
            UPDATE code_index SET "commit" = ${commit}::text, incomplete = ${incomplete}, indexed_at = ${moment(at)}
            WHERE repository_id = ${idParameter(repositoryId)} AND run = ${run}::integer RETURNING repository_id`
            .values,
          some
        )
      ),
    due: (at, since, limit) =>
      orDieSql(
        Effect.map(
          sql`
            INSERT INTO code_index (repository_id, run, begun_at)
            SELECT repository.id, 0, ${moment(at)} FROM repository
            LEFT JOIN code_index present ON present.repository_id = repository.id
            WHERE NOT repository.empty AND (present.repository_id IS NULL OR (
              (present.indexed_at IS NULL OR present.indexed_at < repository.updated_at)
              AND present.begun_at < ${moment(since)}
            ))
            ORDER BY repository.id LIMIT ${limit} FOR KEY SHARE OF repository
            ON CONFLICT (repository_id) DO UPDATE SET begun_at = excluded.begun_at
            RETURNING repository_id::float8`.values,
          (rows) => rows.map(([id]) => id as RepositoryId).toSorted((one, other) => one - other)
        )
      ),
    clear: (limit) =>
      orDieSql(
        Effect.map(
          sql`
            DELETE FROM code_index WHERE repository_id IN (SELECT repository_id FROM code_index LIMIT ${limit})
            RETURNING repository_id`.values,
          (rows) => rows.length
        )
      ),
    search: (scope, filter, page) => {
      const { from, where } = sourceOf(sql, scope)
      const query = sql`${queryOf(filter.words)}::text::tsquery`
      const conditions = [where, ...conditionsOf(sql, filter)]
      return countedPage(
        sql,
        found,
        {
          table: "code_file",
          id: "file.id",
          from,
          where: sql.and([...conditions, sql`file.words @@ ${query}`]),
          instead: {
            when: allCommon(sql, {
              table: "code_file",
              column: "words",
              parts: sql`${[...filter.words]}::text[]`,
              from: commonFrom
            }),
            // The index of words does not apply to this form, so that the scan is in the sort order.
            where: sql.and([...conditions, sql`(file.words @@ ${query}) IS TRUE`])
          },
          order,
          join: sql`${placeJoin(sql, "page")} LEFT JOIN code_index of_index ON of_index.repository_id = page.repository_id`,
          // The best plan depends on how many files match.
          planned: true
        },
        page
      )
    }
  }))
)
