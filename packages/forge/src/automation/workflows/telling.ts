import type { WorkflowJob, WorkflowRun, WorkStatus } from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { tellFound } from "../../base/events/news.ts"

/** How far a run is as webhooks tell it, which don't tell whether it waits for jobs or for runners. */
export const runActions = {
  blocked: "requested",
  waiting: "requested",
  running: "in_progress",
  done: "completed"
} as const satisfies Record<WorkStatus, string>

type Told = Pick<WorkflowRun, "attempt" | "status">

/** Tells whether a run went on so that webhooks tell it: one that is new, or begun again, did. */
export const hasMoved = (before: Told | undefined, after: Told): boolean =>
  before === undefined || before.attempt !== after.attempt || runActions[before.status] !== runActions[after.status]

/** Returns a job without what nobody is told of it: its steps count from when a runner has it, and what it hands to others is theirs. */
const noted = (job: WorkflowJob): WorkflowJob => ({
  ...job,
  matrix: {},
  outputs: {},
  steps: job.runnerId === null ? [] : job.steps
})

/** Notes for webhooks that jobs went on, and their run where it did, in the running transaction. */
export const tellProgress = Effect.fnUntraced(function* (
  repository: Repository,
  before: Told | undefined,
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>
) {
  const moved = hasMoved(before, run)
  if (!moved && jobs.length === 0) return
  yield* tellFound(
    "workflow.progress",
    repository,
    null,
    { run: run.id },
    { work: { run, moved, jobs: jobs.map(noted) } }
  )
})
