import { type ActivityPeriod, activityPeriods } from "@slipway/domain/forge/collaboration"
import { Schema } from "effect"
import { endpoints, read } from "../base/endpoints.ts"
import { Moment } from "../base/schemas.ts"

// BOUNDARY: the keys are those of the periods, which `Object.keys` forgets.
const periods = Object.keys(activityPeriods) as ReadonlyArray<ActivityPeriod>

/** The statistics of a repository's recent activity; null for units (issues, code…) that the caller may not read. */
export const RepositoryActivity = Schema.Struct({
  period: Schema.Literals(periods),
  since: Moment,
  issues: Schema.NullOr(Schema.Struct({ opened: Schema.Int, closed: Schema.Int })),
  pull_requests: Schema.NullOr(
    Schema.Struct({
      opened: Schema.Int,
      merged: Schema.Int,
      closed: Schema.Int.annotate({ description: "Without the merged ones." })
    })
  ),
  releases: Schema.NullOr(Schema.Int),
  commits: Schema.NullOr(Schema.Int.annotate({ description: "Of the default branch." }))
}).annotate({ identifier: "RepositoryActivity" })

/** The endpoints of activity statistics of repositories. */
export const activityEndpoints = endpoints("activity", "Numbers of the activity in repositories.", {
  "repository.activity.read": read(RepositoryActivity, {
    query: {
      period: Schema.optionalKey(Schema.Literals(periods).annotate({ description: "The last 7 days by default." }))
    }
  })
})
