import { runStateOf } from "./progress.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

/** Returns the latest job of each slot of a run, from the jobs of all attempts so far. */
export const jobsInAttempt = (jobs: ReadonlyArray<WorkflowJob>): ReadonlyArray<WorkflowJob> => [
  ...new Map(jobs.toSorted((one, other) => one.attempt - other.attempt).map((job) => [job.slot, job])).values()
]

const sorted = (times: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  times.flatMap((time) => time ?? []).toSorted()

/** Returns a run as of an attempt, with its jobs at that time. */
export const runInAttempt = (run: WorkflowRun, attempt: number, jobs: ReadonlyArray<WorkflowJob>): WorkflowRun => {
  const begun = jobs.filter((job) => job.attempt === attempt)
  const [startedAt = null] = sorted(begun.map((job) => job.startedAt))
  const stoppedAt = sorted(begun.map((job) => job.stoppedAt)).at(-1) ?? null
  return { ...run, ...runStateOf(jobs), attempt, startedAt, stoppedAt }
}
