import { Effect } from "effect"
import { defineJob } from "../base/jobs/JobHandlers.ts"
import { settleTurns } from "./workflows/settleTurns.ts"
import { type StartEvent, startRuns } from "./workflows/startRuns.ts"

/** The handlers of background jobs for actions workflows. */
export const workflowJobs = [
  defineJob(
    "StartRuns",
    ({ repositoryId }) => `starting workflows of repository ${repositoryId}`,
    // BOUNDARY: the row holds what `startLater` stored.
    ({ event, repositoryId }) => Effect.orDie(startRuns(repositoryId, event as StartEvent))
  ),
  defineJob(
    "SettleTurns",
    ({ repositoryId }) => `releasing the next run of a concurrency group of repository ${repositoryId}`,
    ({ group, repositoryId }) => settleTurns(repositoryId, group)
  )
] as const
