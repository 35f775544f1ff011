import { compile } from "@slipway/access"
import { millisecondsOf, type SortKey } from "@slipway/domain"
import { reachedRepositories, repositoryRowFacts } from "@slipway/domain/forge/code"
import {
  type CountedMilestone,
  issues,
  type Milestone,
  MilestoneStore,
  milestones,
  type PlacedMilestone
} from "@slipway/domain/forge/collaboration"
import { Effect, Layer } from "effect"
import type { Snapshot } from "../../Database.ts"
import type { Table } from "../../Table.ts"
import { cut, sortedByPlace } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { Tables } from "../base/tables.ts"

const isReached = compile(reachedRepositories)

/** Adds the numbers of open and closed issues and pull requests to a milestone. */
export const countedMilestone = (tables: Tables["Service"], snapshot: Snapshot, row: Milestone): CountedMilestone => {
  const count = (name: string) =>
    tables.owned.get(issues.name)?.counters.get(name)?.count(snapshot, String(row.id)) ?? 0
  return {
    ...row,
    issuesOpen: count("issuesOpen"),
    issuesClosed: count("issuesClosed"),
    pullsOpen: count("pullsOpen"),
    pullsClosed: count("pullsClosed")
  }
}

// Milestones without a due date come last.
const placeOf = ({ milestone: { dueAt, id } }: PlacedMilestone): SortKey => [
  dueAt === null ? Number.MAX_SAFE_INTEGER : millisecondsOf(dueAt),
  id
]

/** Lists the milestones of several repositories in memory. */
export const milestoneStore = Layer.effect(
  MilestoneStore,
  Effect.map(Tables, (tables) => ({
    reached: (viewer, reachedBy, { state }, page) =>
      tables.database.read((snapshot) => {
        const { canReadUnit, present, withGrants } = queriesIn(tables, snapshot)
        const [readsIssues, readsPulls] = [canReadUnit(viewer, "repo.issues"), canReadUnit(viewer, "repo.pulls")]
        // BOUNDARY: a declaration says of its table what its rows are.
        const rows = tables.owned.get(milestones.name)?.rows as unknown as Table<Milestone>
        const found = rows
          .list(snapshot, { limit: Number.POSITIVE_INFINITY })
          .flatMap((row): ReadonlyArray<PlacedMilestone> => {
            const held = tables.repository.get(snapshot, row.repositoryId)
            if (held === undefined || (state !== undefined && row.state !== state)) return []
            if (!isReached(repositoryRowFacts({ userId: reachedBy }, withGrants(held, reachedBy)))) return []
            const reads = { issues: readsIssues(held.id), pulls: readsPulls(held.id) }
            if (!reads.issues && !reads.pulls) return []
            const { id, name, owner } = present(held)
            return [
              { milestone: countedMilestone(tables, snapshot, row), repository: { id, name, owner: owner.name }, reads }
            ]
          })
        return cut(sortedByPlace(found, placeOf), page, placeOf)
      })
  }))
)
