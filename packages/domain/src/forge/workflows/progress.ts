import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkConclusion, WorkStatus } from "./WorkflowRun.ts"

/** What of a job decides how it and its run go on. */
export type JobState = Pick<
  WorkflowJob,
  | "attempt"
  | "conclusion"
  | "failFast"
  | "group"
  | "id"
  | "key"
  | "maxParallel"
  | "needs"
  | "persistent"
  | "slot"
  | "status"
  | "tolerant"
>

/** What becomes of a job that waited for others, or that another one ends. */
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

/** Returns how others take it that a job ended. */
const resultOf = ({ conclusion, tolerant }: Pick<JobState, "conclusion" | "tolerant">): WorkConclusion | null =>
  tolerant && conclusion === "failure" ? "success" : conclusion

/** Returns how all jobs of each key ended together; nothing for one of which some have not. */
export const resultsOf = (jobs: ReadonlyArray<JobState>): ReadonlyMap<string, WorkConclusion | undefined> => {
  const byKey = Map.groupBy(jobs, ({ key }) => key)
  return new Map(
    [...byKey].map(([key, needed]) => [
      key,
      needed.every(({ status }) => status === "done") ? conclusionOf(needed.map(resultOf)) : undefined
    ])
  )
}

/** Whether one job ends another, which is of the same matrix, because it failed in the attempt of that. */
const ends = (failed: JobState, other: JobState): boolean =>
  failed.failFast &&
  failed.key === other.key &&
  failed.attempt === other.attempt &&
  failed.status === "done" &&
  resultOf(failed) === "failure"

/** Whether another job of the matrix of one may begin. */
const hasRoom = ({ key, maxParallel }: JobState, jobs: ReadonlyArray<JobState>): boolean => {
  if (maxParallel === null) return true
  return jobs.filter((job) => job.key === key && ["waiting", "running"].includes(job.status)).length < maxParallel
}

/** What becomes of jobs, and which of them ask for their turn in a group. */
export interface Released<J> {
  readonly changes: ReadonlyArray<JobChange>
  readonly asking: ReadonlyArray<J>
}

/**
 * Returns what becomes of jobs, now that some may have ended.
 *
 * One whose needs all succeeded waits for a runner, as soon as its matrix has room; one of whose needs did not is skipped, unless its
 * condition is looked at anyway. One of a matrix that fails cancels the others. One of a group begins when it has its turn: `taken` has the
 * places of those that do.
 */
export const released = <J extends JobState>(
  jobs: ReadonlyArray<J>,
  taken: ReadonlySet<number | null> = new Set()
): Released<J> => {
  const present = new Map<JobState["id"], JobState>(jobs.map((job) => [job.id, job]))
  const asking = new Set<J>()
  const changes = new Map<JobState["id"], JobChange>()
  const become = (job: JobState, status: WorkStatus, conclusion: WorkConclusion | null) => {
    present.set(job.id, { ...job, status, conclusion })
    changes.set(job.id, { id: job.id, status, conclusion })
  }
  for (let isMore = true; isMore; ) {
    isMore = false
    const failed = jobs.filter((job) => job.status === "done" && job.failFast && resultOf(job) === "failure")
    for (const job of present.values()) {
      if (job.status !== "done" && failed.some((each) => ends(each, job))) become(job, "done", "cancelled")
    }
    const ended = resultsOf([...present.values()])
    for (const job of jobs) {
      if (present.get(job.id)?.status !== "blocked") continue
      const results = job.needs.map((key) => ended.get(key))
      if (results.includes(undefined)) continue
      const goesOn = job.persistent || results.every((result) => result === "success")
      if (!goesOn) become(job, "done", "skipped")
      else if (job.group !== null && !taken.has(job.slot)) asking.add(job)
      else if (hasRoom(job, [...present.values()])) become(job, "waiting", null)
      // Who waits for one that is skipped is next.
      isMore ||= !goesOn
    }
  }
  return { changes: [...changes.values()], asking: [...asking] }
}

/** Returns how far a run is whose jobs are as they are. */
export const runStateOf = (
  jobs: ReadonlyArray<Pick<JobState, "conclusion" | "status" | "tolerant">>
): { readonly status: WorkStatus; readonly conclusion: WorkConclusion | null } => {
  const has = (status: WorkStatus) => jobs.some((job) => job.status === status)
  if (jobs.every(({ status }) => status === "done")) {
    return { status: "done", conclusion: conclusionOf(jobs.map(resultOf)) }
  }
  const isBegun = has("running") || jobs.some(({ conclusion }) => conclusion !== null && conclusion !== "skipped")
  if (isBegun) return { status: "running", conclusion: null }
  return { status: has("waiting") ? "waiting" : "blocked", conclusion: null }
}
