import { TimeStore, type TrackedTime, trackedTimes } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ownedTable } from "../owned/table.ts"
import { userParameter } from "./accounts.ts"
import { homesOf, matching } from "./issueSearch.ts"
import { byId, countedPage } from "./pages.ts"
import type { Reader } from "./rows.ts"

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
      // Among all issues those that somebody worked on are found by the times, which are few.
      const worked = sql`ARRAY(
        SELECT mine.issue_id FROM tracked_time mine WHERE mine.user_id = ${userParameter(userId)}::bigint
      )`
      const isOwn = "viewer" in scope && userId !== undefined
      return countedPage(
        sql,
        reader,
        {
          table: "tracked_time",
          from: sql`tracked_time seen JOIN issue ON issue.id = seen.issue_id`,
          where: sql.and([
            matching(
              sql,
              scope,
              issueId === undefined ? {} : { ids: [issueId] },
              isOwn ? homesOf(sql, worked) : undefined
            ),
            ...(isOwn ? [sql`issue.id = ANY(${worked})`] : []),
            ...(userId === undefined ? [] : [sql`seen.user_id = ${userParameter(userId)}::bigint`]),
            ...(since === undefined ? [] : [sql`seen.created_at >= ${since}::text::timestamptz`]),
            ...(before === undefined ? [] : [sql`seen.created_at < ${before}::text::timestamptz`])
          ]),
          order: byId
        },
        page
      )
    }
  }))
)
