import { readableUnit } from "@slipway/domain/forge/code"
import {
  type CountedMilestone,
  type Milestone,
  MilestoneStore,
  milestones,
  type PlacedMilestone
} from "@slipway/domain/forge/collaboration"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ownedTable } from "../../owned/table.ts"
import { conditionOn } from "../base/conditions.ts"
import { countedPage } from "../base/pages.ts"
import type { Reader } from "../base/rows.ts"
import { placeJoin } from "../code/issueSearch.ts"
import { repositoriesWithFacts } from "../code/seenRepositories.ts"
import { grantedRepositories } from "../identity/relations.ts"

const table = ownedTable(milestones)

/**
 * Returns the SQL that joins a milestone and its numbers of open and closed issues. `id` is the SQL expression for its
 * id.
 */
export const milestoneJoin = (alias: string, id: string): string => `
  LEFT JOIN milestone ${alias} ON ${alias}.id = ${id}
  LEFT JOIN issue_milestone_id_count ${alias}_count ON ${alias}_count.milestone_id = ${alias}.id`

const counts = ["issues_open", "issues_closed", "pulls_open", "pulls_closed"]

/**
 * Reads a milestone with its numbers of issues. The numbers have the alias of the milestone with the suffix `_count`.
 */
export const milestoneReader: Reader<CountedMilestone> = {
  width: table.width + counts.length,
  of: (alias) => `${table.expressions(alias)},
  ${counts.map((count) => `coalesce(${alias}_count.${count}, 0)::float8`).join(", ")}`,
  read: (values, at = 0) =>
    values[at] === null
      ? undefined
      : {
          // BOUNDARY: the rows of the table are those of its declaration.
          ...(table.read(values, at) as unknown as Milestone),
          issuesOpen: Number(values[at + table.width]),
          issuesClosed: Number(values[at + table.width + 1]),
          pullsOpen: Number(values[at + table.width + 2]),
          pullsClosed: Number(values[at + table.width + 3])
        }
}

const placedReader: Reader<PlacedMilestone> = {
  width: milestoneReader.width + 4,
  of: (alias) => `${milestoneReader.of(alias)}, place.owner, place.name, rights.issues, rights.pulls`,
  read: (values, at = 0) => {
    const milestone = milestoneReader.read(values, at)
    if (milestone === undefined) return undefined
    const [owner, name, issues, pulls] = values.slice(at + milestoneReader.width)
    return {
      milestone,
      repository: { id: milestone.repositoryId, owner: String(owner), name: String(name) },
      reads: { issues: issues === true, pulls: pulls === true }
    }
  }
}

/** Lists the milestones of several repositories in PostgreSQL. */
export const layerMilestones = Layer.effect(
  MilestoneStore,
  Effect.map(SqlClient, (sql) => ({
    reached: (viewer, reachedBy, { state }, page) => {
      const { from, withUnits } = repositoriesWithFacts(sql, viewer)
      const facts = withUnits()
      const reads = (unit: "repo.issues" | "repo.pulls") => conditionOn(sql, readableUnit(viewer, unit), facts)
      const rights = sql`
        SELECT ${reads("repo.issues")} AS issues, ${reads("repo.pulls")} AS pulls FROM ${from}`
      return countedPage(
        sql,
        placedReader,
        {
          table: "milestone",
          id: "milestone.id",
          from: sql`milestone CROSS JOIN LATERAL (${rights} WHERE seen.id = milestone.repository_id) rights`,
          where: sql.and([
            sql`milestone.repository_id IN ${grantedRepositories(sql, reachedBy)}`,
            sql`(rights.issues OR rights.pulls)`,
            ...(state === undefined ? [] : [sql`milestone.state = ${state}`])
          ]),
          order: {
            // In milliseconds; milestones without a due date come last.
            by: [
              [`coalesce((extract(epoch FROM milestone.due_at) * 1000)::bigint, ${Number.MAX_SAFE_INTEGER})`, "bigint"],
              ["milestone.id", "bigint"]
            ]
          },
          join: sql`
            LEFT JOIN issue_milestone_id_count page_count ON page_count.milestone_id = page.id
            ${placeJoin(sql, "page")}
            LEFT JOIN LATERAL (${rights} WHERE seen.id = page.repository_id) rights ON true`
        },
        page
      )
    }
  }))
)
