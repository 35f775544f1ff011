import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkConclusion, WorkflowRun } from "./WorkflowRun.ts"

/** The conclusions of jobs, each of which decides before those behind it. */
const deciding: ReadonlyArray<WorkConclusion> = ["failure", "cancelled", "success", "skipped"]

const first = (times: ReadonlyArray<string>): string | null => times.toSorted()[0] ?? null
const last = (times: ReadonlyArray<string>): string | null => times.toSorted().at(-1) ?? null

/** Returns a run as it was in an earlier attempt, by the jobs of that; nothing where there was no such attempt. */
export const attemptOf = (
  run: WorkflowRun,
  attempt: number,
  jobs: ReadonlyArray<WorkflowJob>
): WorkflowRun | undefined => {
  if (jobs.length === 0) return undefined
  const startedAt = first(jobs.flatMap((job) => job.startedAt ?? []))
  const stoppedAt = last(jobs.flatMap((job) => job.stoppedAt ?? []))
  const conclusion = deciding.find((each) => jobs.some((job) => job.conclusion === each)) ?? "cancelled"
  return { ...run, attempt, status: "done", conclusion, startedAt, stoppedAt }
}
