import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkConclusion, WorkStatus } from "./WorkflowRun.ts"

/** The fields of a job that determine the progress of the job and its run. */
export type JobState = Pick<
  WorkflowJob,
  | "attempt"
  | "caller"
  | "calls"
  | "conclusion"
  | "failFast"
  | "group"
  | "id"
  | "key"
  | "maxParallel"
  | "needs"
  | "open"
  | "persistent"
  | "slot"
  | "status"
  | "tolerant"
>

/** The change of a job that waited for others, or that another job cancels. */
export interface JobChange {
  readonly id: WorkflowJob["id"]
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  /** Returns the outputs of a job that calls a workflow. */
  readonly outputs?: WorkflowJob["outputs"]
}

/**
 * Returns the conclusion of work with several parts, all of which ended.
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

type Ending = Pick<JobState, "conclusion" | "key" | "status" | "tolerant">

/** Returns the result of a job for its dependents. */
const resultOf = ({ conclusion, tolerant }: Pick<JobState, "conclusion" | "tolerant">): WorkConclusion | null =>
  tolerant && conclusion === "failure" ? "success" : conclusion

/**
 * Returns the combined result of the jobs with the same key in one workflow, by key; undefined while one is unfinished.
 */
export const resultsOf = (jobs: ReadonlyArray<Ending>): ReadonlyMap<string, WorkConclusion | undefined> => {
  const byKey = Map.groupBy(jobs, ({ key }) => key)
  return new Map(
    [...byKey].map(([key, needed]) => [
      key,
      needed.every(({ status }) => status === "done") ? conclusionOf(needed.map(resultOf)) : undefined
    ])
  )
}

/** Returns whether two jobs belong to one matrix. */
const areOfOne = (one: JobState, other: JobState): boolean => one.key === other.key && one.caller === other.caller

/** Returns whether one job cancels another of the same matrix, because it failed in the same attempt. */
const ends = (failed: JobState, other: JobState): boolean =>
  failed.failFast &&
  failed.attempt === other.attempt &&
  failed.status === "done" &&
  resultOf(failed) === "failure" &&
  areOfOne(failed, other)

/** The changes of jobs, the jobs that request a turn in a group, and those that are replaced by their matrix jobs. */
export interface Released<J> {
  readonly changes: ReadonlyArray<JobChange>
  readonly asking: ReadonlyArray<J>
  readonly opening: ReadonlyArray<J>
}

/** The input of decisions about jobs, in addition to the states of other jobs. */
export interface JobDecisionInput<J> {
  /** The positions of the jobs that requested a turn in their group. */
  readonly asked?: ReadonlySet<number | null>
  readonly taken?: ReadonlySet<number | null>
  /** Returns the condition of a job that calls a workflow or has an open matrix; undefined if it has no value. */
  readonly holds?: (job: J, jobs: ReadonlyArray<J>) => boolean | undefined
  /** Returns the outputs of a job that calls a workflow. */
  readonly outputs?: (job: J, jobs: ReadonlyArray<J>) => WorkflowJob["outputs"]
}

/** The jobs of a run in progress: their current states, and their changes. */
class Course<J extends JobState> {
  readonly changes = new Map<number, JobChange>()
  readonly asking = new Map<number, J>()
  readonly opening = new Map<number, J>()
  private readonly present: Map<number, J>
  private readonly deciding: JobDecisionInput<J>

  constructor(jobs: ReadonlyArray<J>, deciding: JobDecisionInput<J>) {
    this.present = new Map(jobs.map((job) => [job.slot, job]))
    this.deciding = deciding
  }

  private readonly become = (job: J, change: Omit<JobChange, "id">): true => {
    this.present.set(job.slot, { ...job, ...change })
    this.changes.set(job.slot, { ...this.changes.get(job.slot), id: job.id, ...change })
    return true
  }

  private readonly jobs = (): ReadonlyArray<J> => [...this.present.values()]

  private readonly callerOf = ({ caller }: J): J | undefined => (caller === null ? undefined : this.present.get(caller))

  /**
   * Ends jobs because of others: matrix jobs after a failure in their matrix, and jobs of a workflow with its caller.
   */
  private readonly end = (): boolean => {
    const failed = this.jobs().filter((job) => job.status === "done" && job.failFast && resultOf(job) === "failure")
    return this.jobs()
      .filter(({ status }) => status !== "done")
      .map((job) => {
        const caller = this.callerOf(job)
        const isLeft = caller?.status === "done"
        if (!isLeft && !failed.some((each) => ends(each, job))) return false
        const isSkipped = isLeft && caller.conclusion === "skipped"
        return this.become(job, { status: "done", conclusion: isSkipped ? "skipped" : "cancelled" })
      })
      .includes(true)
  }

  /** Ends jobs that call workflows after all jobs of the workflow have ended. */
  private readonly conclude = (): boolean =>
    this.jobs()
      .filter(({ calls, status }) => calls !== "" && status === "running")
      .map((job) => {
        const inner = this.jobs().filter(({ caller }) => caller === job.slot)
        if (inner.some(({ status }) => status !== "done")) return false
        const outputs = this.deciding.outputs?.(job, this.jobs()) ?? {}
        return this.become(job, { status: "done", conclusion: conclusionOf(inner.map(resultOf)), outputs })
      })
      .includes(true)

  private readonly hasAsked = ({ slot, status }: J): boolean =>
    status === "blocked" && (this.asking.has(slot) || this.deciding.asked?.has(slot) === true)

  /** Returns whether another job of a matrix can start; jobs that wait for their turn count as started. */
  private readonly hasRoom = (job: J): boolean => {
    if (job.maxParallel === null || this.hasAsked(job)) return true
    const begun = this.jobs().filter(
      (each) => areOfOne(each, job) && (each.status === "waiting" || each.status === "running" || this.hasAsked(each))
    )
    return begun.length < job.maxParallel
  }

  /** Starts or skips a waiting job; returns whether that may unblock others. */
  private readonly begin = (job: J, ended: ReadonlyMap<string, WorkConclusion | undefined>): boolean => {
    const caller = this.callerOf(job)
    if (caller !== undefined && caller.status !== "running") return false
    const results = job.needs.map((key) => ended.get(key))
    if (results.includes(undefined)) return false
    const isCall = job.calls !== ""
    const goesOn =
      isCall || job.open
        ? this.deciding.holds?.(job, this.jobs())
        : job.persistent || results.every((result) => result === "success")
    if (goesOn === undefined) return this.become(job, { status: "done", conclusion: "failure" })
    if (!goesOn) return this.become(job, { status: "done", conclusion: "skipped" })
    if (job.open) {
      this.opening.set(job.slot, job)
      return false
    }
    if (!this.hasRoom(job)) return false
    if (job.group !== null && this.deciding.taken?.has(job.slot) !== true) {
      this.asking.set(job.slot, job)
      return false
    }
    this.become(job, { status: isCall ? "running" : "waiting", conclusion: null })
    return isCall
  }

  /** Performs one round of changes; returns whether another may be needed. */
  readonly step = (): boolean => {
    const isMore = [this.end(), this.conclude()]
    for (const own of Map.groupBy(this.jobs(), ({ caller }) => caller).values()) {
      const ended = resultsOf(own)
      for (const job of own) if (job.status === "blocked") isMore.push(this.begin(job, ended))
    }
    return isMore.includes(true)
  }
}

/**
 * Returns the new states of jobs after some have ended.
 *
 * A job waits for a runner after all of its needs succeeded and its matrix has capacity. A job with a failed need is
 * skipped, unless its condition must still be evaluated. A failed matrix job cancels the others of its matrix. A job in
 * a concurrency group then requests its turn, and starts when it gets it. A job that calls a workflow runs while the
 * jobs of that workflow do. A job with an open matrix is first replaced by the jobs of the matrix.
 */
export const releaseJobs = <J extends JobState>(
  jobs: ReadonlyArray<J>,
  deciding: JobDecisionInput<J> = {}
): Released<J> => {
  const course = new Course(jobs, deciding)
  while (course.step()) {
    course.asking.clear()
    course.opening.clear()
  }
  const { asking, changes, opening } = course
  return { changes: [...changes.values()], asking: [...asking.values()], opening: [...opening.values()] }
}

/** Returns the state of a run from the states of its jobs; a job that calls a workflow has the state of its jobs. */
export const runStateOf = (
  jobs: ReadonlyArray<Pick<JobState, "caller" | "calls" | "conclusion" | "status" | "tolerant">>
): { readonly status: WorkStatus; readonly conclusion: WorkConclusion | null } => {
  if (jobs.every(({ status }) => status === "done")) {
    const own = jobs.filter(({ caller }) => caller === null)
    return { status: "done", conclusion: conclusionOf(own.map(resultOf)) }
  }
  const done = jobs.filter(({ calls }) => calls === "")
  const has = (status: WorkStatus) => done.some((job) => job.status === status)
  const isBegun = has("running") || done.some(({ conclusion }) => conclusion !== null && conclusion !== "skipped")
  if (isBegun) return { status: "running", conclusion: null }
  return { status: has("waiting") ? "waiting" : "blocked", conclusion: null }
}
