import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkConclusion, WorkStatus } from "./WorkflowRun.ts"

/** The fields of a workflow job that determine its next state and the state of its run. */
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

/** A change of a workflow job's state because other jobs ended: it starts, is skipped, or is cancelled. */
export interface JobChange {
  readonly id: WorkflowJob["id"]
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  /** The outputs of a job that called a reusable workflow, after that workflow ended. */
  readonly outputs?: WorkflowJob["outputs"]
}

/**
 * Returns the combined conclusion of several ended jobs.
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

/** Returns the result that dependent jobs see: a failure counts as a success with `continue-on-error`. */
const resultOf = ({ conclusion, tolerant }: Pick<JobState, "conclusion" | "tolerant">): WorkConclusion | null =>
  tolerant && conclusion === "failure" ? "success" : conclusion

/**
 * Returns the results of a workflow's jobs by key. Jobs with the same key (a matrix) have a combined result, which is
 * undefined until all of them have ended.
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

/** Returns whether two jobs belong to the same matrix. */
const areOfOne = (one: JobState, other: JobState): boolean => one.key === other.key && one.caller === other.caller

/** Returns whether a failed job cancels another job of its matrix (`fail-fast`); both must be in the same attempt. */
const ends = (failed: JobState, other: JobState): boolean =>
  failed.failFast &&
  failed.attempt === other.attempt &&
  failed.status === "done" &&
  resultOf(failed) === "failure" &&
  areOfOne(failed, other)

/**
 * The result of {@link releaseJobs}: state changes, jobs that request a turn in their concurrency group (`asking`), and
 * jobs to replace by the jobs of their matrix (`opening`).
 */
export interface Released<J> {
  readonly changes: ReadonlyArray<JobChange>
  readonly asking: ReadonlyArray<J>
  readonly opening: ReadonlyArray<J>
}

/** The input of {@link releaseJobs} in addition to the jobs: turns in concurrency groups, and functions. */
export interface JobDecisionInput<J> {
  /** The `slot`s of jobs that requested a turn in their concurrency group; those in `taken` have it. */
  readonly asked?: ReadonlySet<number | null>
  readonly taken?: ReadonlySet<number | null>
  /**
   * Evaluates the condition of a job that calls a reusable workflow, or has an unevaluated matrix; undefined if the
   * evaluation fails.
   */
  readonly holds?: (job: J, jobs: ReadonlyArray<J>) => boolean | undefined
  /** Returns the outputs of a job that calls a reusable workflow. */
  readonly outputs?: (job: J, jobs: ReadonlyArray<J>) => WorkflowJob["outputs"]
}

/** The jobs of a run while their next states are computed: current states and collected changes. */
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
   * Cancels jobs of a matrix after a failure in it (`fail-fast`), and ends jobs of a reusable workflow after the job
   * that calls it has ended. Returns whether a job changed.
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

  /**
   * Ends each job that calls a reusable workflow after all jobs of that workflow ended; returns whether one changed.
   */
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

  /** Returns whether `max-parallel` permits to start another job of a matrix; jobs that requested a turn count too. */
  private readonly hasRoom = (job: J): boolean => {
    if (job.maxParallel === null || this.hasAsked(job)) return true
    const begun = this.jobs().filter(
      (each) => areOfOne(each, job) && (each.status === "waiting" || each.status === "running" || this.hasAsked(each))
    )
    return begun.length < job.maxParallel
  }

  /** Starts or skips a blocked job if its needs have ended; returns whether this may unblock other jobs. */
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

  /** Performs one round of changes; returns whether another round is needed. */
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
 * Computes the next states of a run's jobs after some jobs have ended.
 *
 * - A job becomes `waiting` (for a runner) if all jobs in its `needs` succeeded and `max-parallel` permits it.
 * - A job with a failed need is skipped, unless its condition contains a function such as `always()`.
 * - A failed job cancels the other jobs of its matrix (`fail-fast`).
 * - A job in a concurrency group first requests a turn, and starts when it gets the turn.
 * - A job that calls a reusable workflow is `running` until all jobs of that workflow have ended.
 * - A job with an unevaluated matrix is returned in `opening`, to be replaced by the jobs of the matrix.
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

/** Returns the status and conclusion of a run from the states of its jobs. */
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
