import { ActivityStore } from "@slipway/domain/forge/collaboration"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { orDieSql } from "../../SqlErrors.ts"
import { idParameter } from "../identity/units.ts"

/** Counts the activity in repositories (such as merged pull requests and new issues) in PostgreSQL. */
export const layerActivity = Layer.effect(
  ActivityStore,
  Effect.map(SqlClient, (sql) => ({
    countsOf: (repository, since) => {
      const at = sql`${since}::text::timestamptz`
      const id = sql`${idParameter(repository)}::bigint`
      return orDieSql(
        Effect.map(
          // Each of these changes updates the issue, so the index of updates finds the rows.
          sql`
            SELECT
              count(*) FILTER (WHERE NOT issue.pull AND issue.created_at >= ${at})::float8,
              count(*) FILTER (WHERE NOT issue.pull AND issue.closed_at >= ${at})::float8,
              count(*) FILTER (WHERE issue.pull AND issue.created_at >= ${at})::float8,
              count(*) FILTER (WHERE pull_request.merged_at >= ${at})::float8,
              count(*) FILTER (WHERE issue.pull AND issue.closed_at >= ${at} AND pull_request.merged_at IS NULL)::float8,
              (SELECT count(*)::float8 FROM release WHERE release.repository_id = ${id} AND release.published_at >= ${at})
            FROM issue LEFT JOIN pull_request ON pull_request.issue_id = issue.id
            WHERE issue.repository_id = ${id} AND issue.updated_at >= ${at}`.values,
          ([row = []]) => {
            const [issuesOpened, issuesClosed, pullsOpened, pullsMerged, pullsClosed, releases] = row.map(Number)
            return {
              issuesOpened: issuesOpened ?? 0,
              issuesClosed: issuesClosed ?? 0,
              pullsOpened: pullsOpened ?? 0,
              pullsMerged: pullsMerged ?? 0,
              pullsClosed: pullsClosed ?? 0,
              releases: releases ?? 0
            }
          }
        )
      )
    }
  }))
)
