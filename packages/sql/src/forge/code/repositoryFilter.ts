import { PgTypes } from "@effect/sql-pg"
import { nameKey, type PageRequest, pageWindow } from "@slipway/domain"
import type { RepositoryFilter, RepositoryOrder } from "@slipway/domain/forge/code"
import type { UserId } from "@slipway/domain/forge/identity"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { afterCursor, anyOf, type Order, type PageSource } from "../base/pages.ts"
import { containingItself, containsText, descriptionContains, isCommon } from "../base/trigrams.ts"
import { userParameter } from "../identity/accounts.ts"
import { directlyGrantedRepositories, grantedRepositories, ownersGrantingAll } from "../identity/relations.ts"
import { idParameter } from "../identity/units.ts"

/** Returns the SQL conditions of a filter on repositories. The repository has the alias `seen`. */
const conditionsOf = (
  sql: SqlClient,
  filter: RepositoryFilter,
  hold: typeof containsText = containsText
): ReadonlyArray<Fragment> => {
  const { descriptions = false, notOwner, owner, reachedBy, team, text = "" } = filter
  const conditions: Array<Fragment> = []
  if (owner !== undefined) conditions.push(sql`seen.owner_id = ${userParameter(owner)}`)
  if (notOwner !== undefined) conditions.push(sql`seen.owner_id <> ${userParameter(notOwner)}`)
  const { starredBy, topic } = filter
  if (topic !== undefined)
    conditions.push(sql`seen.id IN (
      SELECT repository_topic.repository_id FROM repository_topic WHERE repository_topic.name = ${lookup(nameKey(topic))}
    )`)
  if (starredBy !== undefined)
    conditions.push(
      sql`seen.id IN (SELECT star.repository_id FROM star WHERE star.user_id = ${userParameter(starredBy)})`
    )
  if (reachedBy !== undefined) conditions.push(sql`seen.id IN ${grantedRepositories(sql, reachedBy)}`)
  const { fork, forkOf } = filter
  if (forkOf !== undefined)
    conditions.push(sql`seen.id IN (SELECT fork.repository_id FROM fork WHERE fork.parent_id = ${idParameter(forkOf)})`)
  if (fork !== undefined) {
    const forked = sql`seen.id IN (SELECT fork.repository_id FROM fork WHERE fork.parent_id IS NOT NULL)`
    conditions.push(fork ? forked : sql`NOT (${forked})`)
  }
  for (const flag of ["private", "archived", "template", "mirror"] as const) {
    const wanted = filter[flag]
    if (wanted !== undefined) conditions.push(sql`seen.${sql.literal(flag)} = ${PgTypes.bool(wanted)}`)
  }
  if (text !== "") {
    const named = hold(sql, ["seen.name_key"], text)
    const about = sql`seen.id = ANY(ARRAY(
      SELECT repository_topic.repository_id FROM repository_topic WHERE repository_topic.name = ${lookup(nameKey(text))}
    ))`
    conditions.push(descriptions ? sql`(${named} OR ${descriptionContains(sql, text)} OR ${about})` : named)
  }
  if (team !== undefined) {
    const holder = sql`FROM team WHERE team.id = ${idParameter(team)}`
    conditions.push(sql`seen.owner_id = ${anyOf(sql, sql`(SELECT team.organization_id ${holder})`)}`)
    conditions.push(sql`((SELECT team.includes_all ${holder}) OR seen.id IN (
      SELECT held.repository_id FROM team_repository held WHERE held.team_id = ${idParameter(team)}
    ))`)
  }
  return conditions
}

/**
 * Returns the alternative condition of a filter, for a search text that is common and a list sorted by full name.
 * PostgreSQL then scans the index of that order.
 */
const insteadOf = (sql: SqlClient, filter: RepositoryFilter, where: Fragment) => {
  const { descriptions = false, order, text = "" } = filter
  return text === "" || descriptions || order !== "fullName"
    ? undefined
    : {
        when: isCommon(sql, "repository", text),
        where: sql.and([where, ...conditionsOf(sql, filter, containingItself)])
      }
}

const id = ["seen.id", "bigint"] as const
const orderColumns = {
  id: [id],
  fullName: [["seen.owner_key", "text"], ["seen.name_key", "text"], id],
  createdAt: [["seen.created_at", "timestamptz"], id],
  updatedAt: [["seen.updated_at", "timestamptz"], id],
  size: [["seen.size", "bigint"], id],
  stars: [["seen.stars", "bigint"], id],
  forks: [["seen.forks", "bigint"], id]
} as const satisfies Record<RepositoryOrder, Order["by"]>

/** Returns the sort order of a list of repositories. An index exists for every order. */
const orderOf = ({ descending = false, first, order = "id", team }: RepositoryFilter): Order => ({
  by: orderColumns[order],
  descending,
  lead: team === undefined ? undefined : "seen.owner_id",
  // A number and not a parameter: the condition is part of the SQL text.
  first: first !== undefined && Number.isSafeInteger(first) ? `seen.owner_id = ${Number(first)}` : undefined
})

/** The SQL source of a list: rows with the alias `seen`, and the condition on them. */
type Source = Pick<PageSource, "from" | "where">

/**
 * Returns the SQL source of the first repositories of a list that a user has been granted access to. It has as many as
 * a page and its count need.
 *
 * The repositories of each owner are scanned in the order of the list, so the cost does not grow with the number of
 * repositories.
 */
const reachedFirst = (sql: SqlClient, user: UserId, order: Order, page: PageRequest, listed: Source): Source => {
  const sorted = order.by.map(([column]) => column)
  const some = (where: Fragment) => sql`
    SELECT ${sql.literal(["seen.owner_id", ...sorted].join(", "))} FROM ${listed.from}
    WHERE ${listed.where} AND ${where} AND ${afterCursor(sql, order, page.after)}`
  const sorting = sorted.map((column) => `${column}${order.descending === true ? " DESC" : ""}`).join(", ")
  return {
    from: sql`(
      SELECT first.* FROM (${ownersGrantingAll(sql, user)}) owner CROSS JOIN LATERAL (
        ${some(sql`seen.owner_id = owner.id AND (owner.every OR owner.readable & seen.units <> 0)`)}
        ORDER BY ${sql.literal(`${sorting} LIMIT ${pageWindow(page).most}`)}
      ) first
      UNION ${some(sql`seen.id = ANY(ARRAY(${directlyGrantedRepositories(sql, user)}))`)}
    ) seen`,
    where: sql`true`
  }
}

/** Returns the SQL source of a page of repositories that a viewer can see and that match a filter. */
export const listSource = (
  sql: SqlClient,
  filter: RepositoryFilter,
  page: PageRequest,
  seen: Source
): Pick<PageSource, "from" | "where" | "instead" | "order" | "planned"> => {
  const { first, reachedBy, text = "" } = filter
  const order = orderOf(filter)
  const listed = (asked: RepositoryFilter): Source => ({
    from: seen.from,
    where: sql.and([seen.where, ...conditionsOf(sql, asked)])
  })
  if (reachedBy !== undefined && first === undefined && text === "") {
    return { order, ...reachedFirst(sql, reachedBy, order, page, listed({ ...filter, reachedBy: undefined })) }
  }
  return {
    order,
    ...listed(filter),
    instead: insteadOf(sql, filter, seen.where),
    // The best plan depends on how common a text is.
    planned: text !== ""
  }
}
