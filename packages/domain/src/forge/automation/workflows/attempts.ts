import { runStateOf } from "./progress.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

/** Returns the job with the latest attempt for each slot (position in the run), from jobs of all attempts. */
export const jobsInAttempt = (jobs: ReadonlyArray<WorkflowJob>): ReadonlyArray<WorkflowJob> => [
  ...new Map(jobs.toSorted((one, other) => one.attempt - other.attempt).map((job) => [job.slot, job])).values()
]

const sorted = (times: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  times.flatMap((time) => time ?? []).toSorted()

/** Returns a run with the status and times that it had in an earlier attempt; `jobs` are the jobs in that attempt. */
export const runInAttempt = (run: WorkflowRun, attempt: number, jobs: ReadonlyArray<WorkflowJob>): WorkflowRun => {
  const begun = jobs.filter((job) => job.attempt === attempt)
  const [startedAt = null] = sorted(begun.map((job) => job.startedAt))
  const stoppedAt = sorted(begun.map((job) => job.stoppedAt)).at(-1) ?? null
  return { ...run, ...runStateOf(jobs), attempt, startedAt, stoppedAt }
}
