import type { RepositoryId } from "@slipway/domain/forge/base"
import { mostTopics, type RepositorySummary } from "@slipway/domain/forge/code"
import { originName } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { timeText } from "../../collection/timeText.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { organizationReader } from "../identity/organizations.ts"

/**
 * Returns the SQL expression for a counter that a separate table stores for each repository. It is 0 if the table has
 * no row.
 */
const storedCounter = (column: string, table: string, of = "repository_id"): string =>
  `coalesce((SELECT counted.${column} FROM ${table} counted WHERE counted.${of} = repository.id), 0)::float8`

const columns = [
  "repository.id::float8",
  "coalesce(opened.open_issues, 0)::float8",
  "coalesce(opened.open_pulls, 0)::float8",
  storedCounter("stars", "star_repository_id_count"),
  storedCounter("watchers", "watch_repository_id_count"),
  storedCounter("forks", "fork_parent_id_count", "parent_id"),
  storedCounter("releases", "release_repository_id_count"),
  "(SELECT fork.parent_id FROM fork WHERE fork.repository_id = repository.id)::float8",
  "EXISTS (SELECT FROM transfer WHERE transfer.repository_id = repository.id)",
  // By id too, as in the repository's index: otherwise PostgreSQL may scan all names.
  `ARRAY(
    SELECT topic.name FROM repository_topic topic WHERE topic.repository_id = repository.id
    ORDER BY topic.name, topic.id LIMIT ${mostTopics}
  )`,
  "profile.avatar",
  "profile.language",
  "profile.licenses",
  "followed.url",
  "followed.interval::float8",
  "followed.one_time",
  "followed.synced_at",
  organizationReader.of("organization")
].join(", ")

const joins = `
  LEFT JOIN organization ON organization.id = repository.organization_id
  LEFT JOIN issue_repository_id_count opened ON opened.repository_id = repository.id
  LEFT JOIN repository_profile profile ON profile.repository_id = repository.id
  LEFT JOIN mirror followed ON followed.repository_id = repository.id AND followed.name = '${originName}'
    AND followed.direction = 'pull'`

// BOUNDARY: the columns above have these types.
const read = (values: ReadonlyArray<unknown>): RepositorySummary =>
  ({
    organization: organizationReader.read(values, 17),
    openIssues: values[1],
    openPulls: values[2],
    stars: values[3],
    watchers: values[4],
    forks: values[5],
    releases: values[6],
    parentId: values[7],
    offered: values[8],
    topics: values[9],
    avatar: values[10],
    language: values[11] ?? "",
    licenses: values[12] ?? [],
    follows:
      values[13] === null
        ? undefined
        : {
            url: values[13],
            interval: values[14],
            oneTime: values[15],
            syncedAt: values[16] === null ? null : timeText(values[16] as Date)
          }
  }) as RepositorySummary

/**
 * Returns a function that reads the summaries of several repositories (owning organization, counters, fork parent, mirror) in one statement.
 */
export const readSummaries = (sql: SqlClient) => {
  const select = sql.literal(`SELECT ${columns} FROM repository ${joins} WHERE repository.id = ANY`)
  return (ids: ReadonlyArray<RepositoryId>) =>
    ids.length === 0
      ? Effect.succeed(new Map<RepositoryId, RepositorySummary>())
      : orDieSql(
          Effect.map(
            sql`${select}(${ids.map(String)}::text[]::bigint[])`.values,
            (rows) => new Map(rows.map((values) => [values[0] as RepositoryId, read(values)]))
          )
        )
}
