import type { WorkflowJob, WorkflowRun, WorkStatus } from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { recordConsequence } from "../../base/events/queueHookEvents.ts"

/**
 * The action in webhook payloads for each run status. Webhooks do not distinguish waiting for other jobs from waiting
 * for a runner.
 */
export const runActions = {
  blocked: "requested",
  waiting: "requested",
  running: "in_progress",
  done: "completed"
} as const satisfies Record<WorkStatus, string>

type ReportedRun = Pick<WorkflowRun, "attempt" | "status">

/**
 * Returns whether webhooks report a change of a run: a new run, a new attempt, or a status with another webhook action.
 */
export const hasChangedState = (before: ReportedRun | undefined, after: ReportedRun): boolean =>
  before === undefined || before.attempt !== after.attempt || runActions[before.status] !== runActions[after.status]

/**
 * Returns a job as stored in events. Private data is removed: matrix values, outputs, and steps of a job without a
 * runner.
 */
const noted = (job: WorkflowJob): WorkflowJob => ({
  ...job,
  matrix: {},
  outputs: {},
  steps: job.runnerId === null ? [] : job.steps
})

/** Queues webhook events for the progress of jobs and of their run, in the running transaction. */
export const queueProgressHooks = Effect.fnUntraced(function* (
  repository: Repository,
  before: ReportedRun | undefined,
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>
) {
  const moved = hasChangedState(before, run)
  if (!moved && jobs.length === 0) return
  yield* recordConsequence(
    "workflow.progress",
    repository,
    null,
    { run: run.id },
    { work: { run, moved, jobs: jobs.map(noted) } }
  )
})
