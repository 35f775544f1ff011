import type { WorkflowEvent } from "./WorkflowRun.ts"

/** A value that both YAML and JSON support. */
export type PlainValue = null | boolean | number | string | ReadonlyArray<PlainValue> | PlainRecord

/** A map of plain values by key. */
export interface PlainRecord {
  readonly [key: string]: PlainValue
}

/** The filters that limit an event to branches, tags, files, activities or workflows. */
export const eventFilters = [
  "branches",
  "branches-ignore",
  "tags",
  "tags-ignore",
  "paths",
  "paths-ignore",
  "types",
  "workflows"
] as const

/** The filters of an event; omitted ones match all. */
export type EventFilter = { readonly [F in (typeof eventFilters)[number]]?: ReadonlyArray<string> }

/** An input that a user fills in to start a workflow manually. */
export interface WorkflowInput {
  readonly type: "boolean" | "choice" | "environment" | "number" | "string"
  readonly description: string
  readonly required: boolean
  readonly default: string
  /** The options of a choice. */
  readonly options: ReadonlyArray<string>
}

/** The values that determine the jobs of a matrix. */
export interface Matrix {
  readonly vectors: ReadonlyArray<readonly [name: string, values: ReadonlyArray<PlainValue>]>
  readonly include: ReadonlyArray<PlainRecord>
  readonly exclude: ReadonlyArray<PlainRecord>
}

/** A concurrency group, as written: it runs one run or job at a time. */
export interface Concurrency {
  readonly group: string
  /** Whether a running run or job of the group is cancelled, as written: possibly an expression. */
  readonly cancels: PlainValue
}

/** The inputs and secrets of a reusable workflow, and its outputs. */
export interface CallSignature {
  readonly inputs: Readonly<Record<string, WorkflowInput>>
  readonly secrets: Readonly<Record<string, { readonly required: boolean }>>
  /** The output expressions, as written; they refer to the results of its jobs. */
  readonly outputs: Readonly<Record<string, string>>
}

/** The call of another workflow by a job, which is replaced by the jobs of that workflow. */
export interface Call {
  readonly path: string
  readonly inputs: PlainRecord
  /** The secrets passed to the other workflow, as written, by the names that it declares. */
  readonly secrets: "inherit" | Readonly<Record<string, string>>
}

/** A job as written in a workflow; a matrix can turn it into several. */
export interface JobPlan {
  readonly key: string
  readonly name: string | undefined
  readonly needs: ReadonlyArray<string>
  /** The called workflow, with the jobs that replace this one. */
  readonly call: Call | undefined
  readonly runsOn: ReadonlyArray<string>
  readonly matrix: Matrix | undefined
  /** The matrix as written, if it has expressions. */
  readonly openMatrix: PlainValue | undefined
  /** Whether a failing job of the matrix cancels the others, as written: possibly an expression. */
  readonly failFast: PlainValue
  /** The number of matrix jobs that run concurrently, as written. */
  readonly maxParallel: PlainValue
  /** Whether the run continues if the job fails, as written. */
  readonly tolerant: PlainValue
  readonly concurrency: Concurrency | undefined
  readonly condition: string
  readonly steps: ReadonlyArray<string>
  /** The original job, as written. */
  readonly written: PlainRecord
}

/** A schedule of a workflow. */
export interface CronSchedule {
  /** The five fields of the cron schedule. */
  readonly cron: string
  /** The IANA time zone of the fields; `UTC` by default. */
  readonly timezone: string
}

/** A parsed workflow. */
export interface Workflow {
  readonly name: string
  readonly runName: string | undefined
  readonly on: { readonly [E in WorkflowEvent]?: EventFilter }
  readonly inputs: Readonly<Record<string, WorkflowInput>>
  /** The `workflow_call` trigger; undefined if other workflows cannot call it. */
  readonly call: CallSignature | undefined
  readonly schedules: ReadonlyArray<CronSchedule>
  readonly concurrency: Concurrency | undefined
  readonly jobs: ReadonlyArray<JobPlan>
  /** The common settings of all jobs, as written. */
  readonly shared: PlainRecord
}

/** The maximum size of the file of a workflow, in bytes. */
export const largestWorkflow = 262_144
/** The maximum size of a parsed workflow, as JSON, in characters. */
export const longestWorkflow = 1_048_576
/** The maximum number of workflows of a repository that are read. */
export const mostWorkflows = 50
/** The maximum number of called workflows in a run, and the maximum call depth. */
export const [mostCalled, deepestCall] = [20, 4]
/** The maximum number of jobs of a run. */
export const mostJobs = 256
/** The maximum number of attempts of a run. */
export const mostAttempts = 50
/** The maximum number of steps of a job. */
export const mostSteps = 1_000
/** The maximum number of names in a matrix; each combination contains all of them. */
export const mostVectors = 50
/** The maximum length of the matrix values of one job as JSON, in characters; each job stores its own. */
export const longestValues = 65_536
/** The maximum number of patterns of an event filter. */
export const mostPatterns = 100
/** The maximum length of a concurrency group's name. */
export const longestGroup = 400
/** The maximum length of a chain of runs that trigger each other with `workflow_run`. */
export const deepestRun = 3
/** The maximum number of workflows that one run event triggers, because each can trigger others. */
export const mostByRun = 10
/** The maximum number of schedules of a workflow. */
export const mostSchedules = 20
