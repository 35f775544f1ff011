import { type Issue, issues, TimeStore, type TrackedTime, trackedTimes } from "@slipway/domain/forge/collaboration"
import { Effect, Layer } from "effect"
import type { Table } from "../../Table.ts"
import { byId, cut } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { Tables } from "../base/tables.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

/** Lists tracked times in memory. */
export const timeStore = Layer.effect(
  TimeStore,
  Effect.map(Tables, (tables) => {
    // BOUNDARY: a declaration says of its table what its rows are.
    const rowsOf = <Row extends { readonly id: number }>(name: string) =>
      tables.owned.get(name)?.rows as unknown as Table<Row>
    const times = rowsOf<TrackedTime>(trackedTimes.name)
    const issueTable = rowsOf<Issue>(issues.name)
    return {
      list: (scope, { before, issueId, since, userId }, page) =>
        tables.database.read((snapshot) => {
          const { canReadUnit } = queriesIn(tables, snapshot)
          const [ofIssues, ofPulls] =
            "viewer" in scope
              ? [canReadUnit(scope.viewer, "repo.issues"), canReadUnit(scope.viewer, "repo.pulls")]
              : [
                  (id: number) => scope.issues && id === scope.repositoryId,
                  (id: number) => scope.pulls && id === scope.repositoryId
                ]
          const isRead = ({ pull, repositoryId }: Issue) => (pull ? ofPulls : ofIssues)(repositoryId)
          const found = times.list(snapshot, everything).filter((time) => {
            const issue = issueTable.get(snapshot, time.issueId)
            return (
              issue !== undefined &&
              isRead(issue) &&
              (issueId === undefined || time.issueId === issueId) &&
              (userId === undefined || time.userId === userId) &&
              (since === undefined || time.createdAt >= since) &&
              (before === undefined || time.createdAt < before)
            )
          })
          return cut(found, page, byId)
        })
    }
  })
)
