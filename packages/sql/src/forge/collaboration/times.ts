import { TimeStore, type TrackedTime, trackedTimes } from "@slipway/domain/forge/collaboration"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ownedTable } from "../../owned/table.ts"
import { countedPage } from "../base/pages.ts"
import type { Reader } from "../base/rows.ts"
import { matchesFilter } from "../code/issueSearch.ts"
import { joinReadingIssues } from "../code/seenRepositories.ts"
import { userParameter } from "../identity/accounts.ts"
import { idParameter } from "../identity/units.ts"

const table = ownedTable(trackedTimes)

const reader: Reader<TrackedTime> = {
  width: table.width,
  of: table.expressions,
  // BOUNDARY: the rows of the table are those of its declaration.
  read: (values, place = 0) =>
    values[place] === null ? undefined : (table.read(values, place) as unknown as TrackedTime)
}

/** Lists tracked times in PostgreSQL. */
export const layerTimes = Layer.effect(
  TimeStore,
  Effect.map(SqlClient, (sql) => ({
    list: (scope, { before, issueId, since, userId }, page) => {
      const seen =
        "viewer" in scope ? joinReadingIssues(sql, scope.viewer, "issue.repository_id", "issue.pull") : undefined
      return countedPage(
        sql,
        reader,
        {
          table: "tracked_time",
          id: "worked.id",
          from: sql`tracked_time worked JOIN issue ON issue.id = worked.issue_id ${seen?.join ?? sql``}`,
          where: sql.and([
            seen?.reads ?? matchesFilter(sql, scope, {}),
            ...(issueId === undefined ? [] : [sql`worked.issue_id = ${idParameter(issueId)}::bigint`]),
            ...(userId === undefined ? [] : [sql`worked.user_id = ${userParameter(userId)}::bigint`]),
            ...(since === undefined ? [] : [sql`worked.created_at >= ${since}::text::timestamptz`]),
            ...(before === undefined ? [] : [sql`worked.created_at < ${before}::text::timestamptz`])
          ]),
          order: { by: [["worked.id", "bigint"]] }
        },
        page
      )
    }
  }))
)
