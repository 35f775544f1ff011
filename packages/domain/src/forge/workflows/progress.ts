import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkConclusion, WorkStatus } from "./WorkflowRun.ts"

/** What of a job decides how it and its run go on. */
export type JobState = Pick<WorkflowJob, "conclusion" | "id" | "key" | "needs" | "persistent" | "status">

/** What becomes of a job that waited for others. */
export interface JobChange {
  readonly id: WorkflowJob["id"]
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
}

/**
 * Returns how work ended that has several parts, all of which ended.
 *
 * @example
 * conclusionOf(["success", "skipped"]) // => "success"
 * conclusionOf(["cancelled", "failure"]) // => "failure"
 * conclusionOf(["skipped"]) // => "skipped"
 */
export const conclusionOf = (parts: ReadonlyArray<WorkConclusion | null>): WorkConclusion => {
  if (parts.includes("failure")) return "failure"
  if (parts.includes("cancelled")) return "cancelled"
  return parts.every((part) => part === "skipped") ? "skipped" : "success"
}

/** Returns how all jobs of each key ended together; nothing for one of which some have not. */
export const resultsOf = (jobs: ReadonlyArray<JobState>): ReadonlyMap<string, WorkConclusion | undefined> => {
  const byKey = Map.groupBy(jobs, ({ key }) => key)
  return new Map(
    [...byKey].map(([key, needed]) => [
      key,
      needed.every(({ status }) => status === "done")
        ? conclusionOf(needed.map(({ conclusion }) => conclusion))
        : undefined
    ])
  )
}

/**
 * Returns what becomes of the jobs that wait for others, now that some of those may have ended.
 *
 * One whose needs all succeeded waits for a runner; one of whose needs did not is skipped, unless its condition is looked at anyway.
 */
export const released = (jobs: ReadonlyArray<JobState>): ReadonlyArray<JobChange> => {
  const present = new Map(jobs.map((job) => [job.id, job]))
  const changes = new Map<JobState["id"], JobChange>()
  for (let isMore = true; isMore; ) {
    isMore = false
    const all = [...present.values()]
    const ended = resultsOf(all)
    for (const job of all) {
      if (job.status !== "blocked") continue
      const results = job.needs.map((key) => ended.get(key))
      if (results.includes(undefined)) continue
      const goesOn = job.persistent || results.every((result) => result === "success")
      const change = goesOn
        ? { id: job.id, status: "waiting" as const, conclusion: null }
        : { id: job.id, status: "done" as const, conclusion: "skipped" as const }
      present.set(job.id, { ...job, ...change })
      changes.set(job.id, change)
      // Who waits for one that is skipped is next.
      isMore ||= !goesOn
    }
  }
  return [...changes.values()]
}

/** Returns how far a run is whose jobs are as they are. */
export const runStateOf = (
  jobs: ReadonlyArray<Pick<JobState, "conclusion" | "status">>
): { readonly status: WorkStatus; readonly conclusion: WorkConclusion | null } => {
  const has = (status: WorkStatus) => jobs.some((job) => job.status === status)
  if (jobs.every(({ status }) => status === "done")) {
    return { status: "done", conclusion: conclusionOf(jobs.map(({ conclusion }) => conclusion)) }
  }
  const isBegun = has("running") || jobs.some(({ conclusion }) => conclusion !== null && conclusion !== "skipped")
  if (isBegun) return { status: "running", conclusion: null }
  return { status: has("waiting") ? "waiting" : "blocked", conclusion: null }
}
