import { nameKey } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { RepositoryViewer } from "@slipway/domain/forge/code"
import type { IssueFilter, IssueOrder, IssueScope } from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import type { Order, PageSource } from "../base/pages.ts"
import { idArray } from "../base/parameters.ts"
import { allCommon } from "../base/trigrams.ts"
import { userParameter } from "../identity/accounts.ts"
import { idParameter } from "../identity/units.ts"
import { joinReadingIssues, readableRepositories, readsIssues, repositoriesWithFacts } from "./seenRepositories.ts"

const texts = (sql: SqlClient, values: ReadonlyArray<string>): Fragment =>
  sql`${values.flatMap((value) => lookup(value) ?? [])}::text[]`

/** Returns the SQL query for the given users who have written a merged pull request of a repository. */
export const mergedAuthors = (sql: SqlClient, repository: RepositoryId, users: ReadonlyArray<UserId>) => sql`
  SELECT who.id::float8 FROM unnest(${idArray(sql, users)}) who (id)
  WHERE EXISTS (
    SELECT FROM issue JOIN pull_request ON pull_request.issue_id = issue.id
    WHERE issue.repository_id = ${idParameter(repository)} AND issue.author_id = who.id
      AND pull_request.merged AND pull_request.merger_id IS NOT NULL
  )`

/**
 * Returns the SQL condition that an issue, with the alias `issue`, is in a scope, such as a repository or an owner.
 *
 * `among` is a set of repository ids. If it is given, only issues of these repositories are in the scope.
 */
const inScope = (sql: SqlClient, scope: IssueScope, among?: Fragment): Fragment => {
  if ("viewer" in scope) {
    return sql`CASE WHEN issue.pull
      THEN issue.repository_id IN ${readableRepositories(sql, scope.viewer, "repo.pulls", among)}
      ELSE issue.repository_id IN ${readableRepositories(sql, scope.viewer, "repo.issues", among)} END`
  }
  const kinds = [...(scope.issues ? [false] : []), ...(scope.pulls ? [true] : [])]
  const kind = kinds.length === 2 ? sql`true` : kinds.length === 0 ? sql`false` : sql`issue.pull = ${kinds[0]}`
  return sql`issue.repository_id = ${idParameter(scope.repositoryId)} AND ${kind}`
}

const labelled = (
  sql: SqlClient,
  scope: IssueScope,
  names: ReadonlyArray<string>,
  how: "all" | "any" = "any"
): Fragment => {
  const home = "viewer" in scope ? undefined : idParameter(scope.repositoryId)
  const own = sql`(label.repository_id = ${home}::bigint
    OR label.organization_id = (SELECT repository.organization_id FROM repository WHERE repository.id = ${home}::bigint))`
  const keys = [...new Set(names.map(nameKey))]
  const every =
    how === "all"
      ? sql`GROUP BY issue_label.issue_id HAVING count(DISTINCT label.name_key) = ${keys.length}::int`
      : sql``
  return sql`issue.id IN (
    SELECT issue_label.issue_id FROM label JOIN issue_label ON issue_label.label_id = label.id
    WHERE label.name_key = ANY(${texts(sql, keys)}) AND ${home === undefined ? sql`true` : own} ${every}
  )`
}

const queryOf = (sql: SqlClient, text: string): Fragment => sql`websearch_to_tsquery('simple', ${lookup(text)}::text)`

/** Returns the SQL condition that an issue contains the words of a text. It uses the full-text index. */
const containsWords = (sql: SqlClient, text: string): Fragment => sql`issue.id = ANY(ARRAY(
  SELECT issue_words.issue_id FROM issue_words WHERE issue_words.words @@ ${queryOf(sql, text)}
))`

/** Returns the same SQL condition as `containsWords`, but evaluates it for each issue instead of using the index. */
const hasWords = (sql: SqlClient, text: string): Fragment => sql`(
  SELECT issue_words.words @@ ${queryOf(sql, text)} FROM issue_words WHERE issue_words.issue_id = issue.id
)`

/**
 * The minimum share of issues that contain a common word. A scan in the sort order then finds enough matching issues
 * early.
 */
const commonFrom = 0.05

/**
 * Returns the SQL condition that all words of a query are common. Its value is the same for all rows. Excluded words
 * count as common.
 */
const areCommon = (sql: SqlClient, text: string): Fragment => sql`(
  querytree(${queryOf(sql, text)}) = 'T' OR ${allCommon(sql, {
    table: "issue_words",
    column: "words",
    parts: sql`tsvector_to_array(to_tsvector('simple', ${lookup(text)}::text))`,
    from: commonFrom
  })}
)`

const time = (sql: SqlClient, text: string): Fragment => sql`${text}::text::timestamptz`

/** Returns the SQL conditions of a filter. The issue has the alias `issue`. */
const filtered = (
  sql: SqlClient,
  scope: IssueScope,
  filter: IssueFilter,
  holds: typeof containsWords
): ReadonlyArray<Fragment> => {
  // Among all issues the matching ones are found first. Otherwise PostgreSQL would scan all issues instead of checking
  // the permission per match, since its plan counts the cost of that rule for each match.
  const among = (ids: Fragment): Fragment =>
    "viewer" in scope ? sql`issue.id = ANY(ARRAY(${ids}))` : sql`issue.id IN (${ids})`
  const asked = <A>(value: A | undefined, condition: (value: A) => Fragment): ReadonlyArray<Fragment> =>
    value === undefined ? [] : [condition(value)]
  return [
    ...asked(filter.pull, (pull) => sql`issue.pull = ${pull}`),
    ...asked(filter.state, (state) => sql`issue.state = ${state}`),
    ...asked(filter.text, (text) => holds(sql, text)),
    ...asked(filter.labels, (names) => labelled(sql, scope, names)),
    ...asked(filter.allLabels, (names) => labelled(sql, scope, names, "all")),
    ...asked(filter.withoutLabels, (names) => sql`NOT ${labelled(sql, scope, names)}`),
    ...asked(
      filter.milestones,
      (milestones) => sql`issue.milestone_id IN (
        SELECT milestone.id FROM milestone
        WHERE milestone.title_key = ANY(${texts(sql, milestones.map(nameKey))}) OR milestone.id::text = ANY(${texts(sql, milestones)})
      )`
    ),
    ...asked(filter.since, (at) => sql`issue.updated_at >= ${time(sql, at)}`),
    ...asked(filter.before, (at) => sql`issue.updated_at < ${time(sql, at)}`),
    ...asked(filter.authorId, (id) => sql`issue.author_id = ${userParameter(id)}::bigint`),
    ...asked(filter.assigneeId, (id) =>
      among(sql`SELECT assignee.issue_id FROM assignee WHERE assignee.user_id = ${userParameter(id)}::bigint`)
    ),
    ...asked(filter.mentionedId, (id) =>
      among(sql`SELECT mention.issue_id FROM mention WHERE mention.user_id = ${userParameter(id)}::bigint`)
    ),
    ...asked(filter.reviewerId, (id) =>
      among(sql`
          SELECT review.issue_id FROM review
          WHERE review.reviewer_id = ${userParameter(id)}::bigint AND review.state IN ('approved', 'rejected', 'commented')`)
    ),
    ...asked(filter.askedId, (id) =>
      among(sql`
          SELECT review.issue_id FROM review
          WHERE review.reviewer_id = ${userParameter(id)}::bigint AND review.state = 'requested'
          UNION ALL
          SELECT review.issue_id FROM team_member JOIN review ON review.team_id = team_member.team_id
          WHERE team_member.user_id = ${userParameter(id)}::bigint AND review.state = 'requested'`)
    ),
    ...asked(
      filter.ownerId,
      (id) =>
        sql`issue.repository_id IN (SELECT repository.id FROM repository WHERE repository.owner_id = ${userParameter(id)}::bigint)`
    ),
    ...asked(
      filter.teamId,
      (id) => sql`issue.repository_id IN (
        SELECT held.id FROM team JOIN repository held ON held.organization_id = team.organization_id
        WHERE team.id = ${idParameter(id)}::bigint AND (team.includes_all OR EXISTS (
          SELECT FROM team_repository WHERE team_repository.team_id = team.id AND team_repository.repository_id = held.id
        ))
      )`
    ),
    ...asked(filter.pinned, (pinned) => sql`(issue.pin_order > 0) = ${pinned}`),
    ...asked(filter.ids, (ids) => sql`issue.id = ANY(${idArray(sql, ids)})`),
    ...asked(
      filter.neededBy,
      (id) => sql`issue.id IN (
        SELECT dependency.depends_on_id FROM dependency WHERE dependency.issue_id = ${idParameter(id)}::bigint
      )`
    ),
    ...asked(
      filter.waitingFor,
      (id) => sql`issue.id IN (
        SELECT dependency.issue_id FROM dependency WHERE dependency.depends_on_id = ${idParameter(id)}::bigint
      )`
    )
  ]
}

/** Returns the SQL condition on the alias `issue`: the issue is in the scope (`inScope`) and matches the filter. */
export const matchesFilter = (sql: SqlClient, scope: IssueScope, filter: IssueFilter): Fragment => {
  const homes =
    filter.ids &&
    sql`
    SELECT DISTINCT meant.repository_id FROM issue meant WHERE meant.id = ANY(${idArray(sql, filter.ids)})`
  return sql.and([inScope(sql, scope, homes), ...filtered(sql, scope, filter, containsWords)])
}

const byId = ["issue.id", "bigint"] as const
const byUpdate = ["issue.updated_at", "timestamptz"] as const
const byComments = [
  "coalesce((SELECT counted.comments FROM comment_issue_id_count counted WHERE counted.issue_id = issue.id), 0)::bigint",
  "bigint"
] as const
// In milliseconds; issues without a due date come last in both directions.
const byDue = (never: number) =>
  [`coalesce((extract(epoch FROM issue.due_at) * 1000)::bigint, ${never})`, "bigint"] as const

const orders: Readonly<Record<IssueOrder, Order>> = {
  newest: { by: [byId], descending: true },
  oldest: { by: [byId] },
  recentupdate: { by: [byUpdate, byId], descending: true },
  leastupdate: { by: [byUpdate, byId] },
  mostcomment: { by: [byComments, byId], descending: true },
  leastcomment: { by: [byComments, byId] },
  nearduedate: { by: [byDue(Number.MAX_SAFE_INTEGER), byId] },
  farduedate: { by: [byDue(Number.MIN_SAFE_INTEGER), byId], descending: true },
  pinned: { by: [["issue.pin_order", "bigint"], byId] }
}

/**
 * Returns the SQL source of issues, with the alias `issue`, and the condition that a viewer can read them.
 *
 * If the filter needs only columns of `listed_issue`, the source is this table. It also has copies of the repository
 * columns that decide on access.
 */
const readIssues = (sql: SqlClient, viewer: RepositoryViewer, filter: IssueFilter, order: IssueOrder) => {
  const asked = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if ((order === "newest" || order === "oldest") && asked.every((name) => name === "pull" || name === "state")) {
    const { from, withUnits } = repositoriesWithFacts(
      sql,
      viewer,
      sql`(
        SELECT issue_id, repository_id AS id, pull, state, private, owner_visibility, owner_user_id AS user_id,
          owner_organization_id AS organization_id, units
        FROM listed_issue
      ) seen`
    )
    const reads = readsIssues(sql, viewer, withUnits(), "seen.pull").sql
    return {
      from: sql`(SELECT seen.issue_id AS id, seen.pull, seen.state FROM ${from} WHERE ${reads}) issue`,
      reads: sql`true`
    }
  }
  const { join, reads } = joinReadingIssues(sql, viewer, "issue.repository_id", "issue.pull")
  return { from: sql`issue ${join}`, reads }
}

/**
 * Returns the SQL source of a page of issues that are in a scope and match a filter.
 *
 * PostgreSQL scans issues in their sort order, and checks access to the repository of each. So the cost grows with the
 * number of unreadable issues before the page, and not with the number of repositories.
 */
export const searchSource = (
  sql: SqlClient,
  scope: IssueScope,
  filter: IssueFilter,
  order: IssueOrder
): Pick<PageSource, "from" | "where" | "instead" | "order" | "id" | "planned"> => {
  const { first, labels, ownerId, teamId, text, withoutLabels } = filter
  const seen = "viewer" in scope ? readIssues(sql, scope.viewer, filter, order) : undefined
  const where = (holds: typeof containsWords) =>
    sql.and([seen?.reads ?? inScope(sql, scope), ...filtered(sql, scope, filter, holds)])
  return {
    id: "issue.id",
    from: seen?.from ?? sql`issue`,
    where: where(containsWords),
    instead: text === undefined ? undefined : { when: areCommon(sql, text), where: where(hasWords) },
    order: {
      ...orders[order],
      // A number and not a parameter: the condition is part of the SQL text.
      first: Number.isSafeInteger(first) ? `issue.repository_id = ${Number(first)}` : undefined
    },
    // The best plan depends on how many issues match.
    planned: seen !== undefined && [labels, withoutLabels, ownerId, teamId].some((each) => each !== undefined)
  }
}

/**
 * Joins the names of the repository and of its owner to issues. The joined row has the alias `place`.
 *
 * If all issues are in one repository, `of`, the names are read once.
 */
export const placeJoin = (sql: SqlClient, alias: string, of?: RepositoryId): Fragment => {
  const place = "SELECT home.name, coalesce(holder.name, owner.name) AS owner"
  const owner = `
    LEFT JOIN account holder ON holder.id = home.user_id
    LEFT JOIN organization owner ON owner.id = home.organization_id`
  return of === undefined
    ? sql.literal(`
        LEFT JOIN repository home ON home.id = ${alias}.repository_id ${owner} CROSS JOIN LATERAL (${place}) place`)
    : sql`
        LEFT JOIN (
          ${sql.literal(`${place} FROM repository home ${owner}`)} WHERE home.id = ${idParameter(of)}::bigint OFFSET 0
        ) place ON true`
}
