import { Activity } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { activityEndpoints } from "../../../api/forge/collaboration/activity.ts"
import { handle } from "../entry/handle.ts"

/** The handlers for the endpoints of activity statistics of repositories. */
export const layerActivity = handle(activityEndpoints, {
  "repository.activity.read": ({ proof, query }) =>
    Effect.map(Activity.read(proof, query.period ?? "weekly"), ({ pulls, ...counts }) => ({
      ...counts,
      pull_requests: pulls
    }))
})
