import type { WorkflowEvent } from "./WorkflowRun.ts"

/** A value that YAML and JSON both know. */
export type Plain = null | boolean | number | string | ReadonlyArray<Plain> | PlainRecord

/** A map of such values. */
export interface PlainRecord {
  readonly [key: string]: Plain
}

/** The words by which an event may be narrowed to some branches, tags, files, activities or workflows. */
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
  readonly required: boolean
  readonly default: string
  /** The answers that there are to choose from. */
  readonly options: ReadonlyArray<string>
}

/** The values that the jobs of a matrix are made of. */
export interface Matrix {
  readonly vectors: ReadonlyArray<readonly [name: string, values: ReadonlyArray<Plain>]>
  readonly include: ReadonlyArray<PlainRecord>
  readonly exclude: ReadonlyArray<PlainRecord>
}

/** A concurrency group, as written: it runs one run or job at a time. */
export interface Concurrency {
  readonly group: string
  /** Whether a running run or job of the group is cancelled, as written: possibly an expression. */
  readonly cancels: Plain
}

/** The inputs and secrets of a reusable workflow, and its outputs. */
export interface CallAsked {
  readonly inputs: Readonly<Record<string, WorkflowInput>>
  readonly secrets: Readonly<Record<string, { readonly required: boolean }>>
  /** As they are written: of what its jobs gave. */
  readonly outputs: Readonly<Record<string, string>>
}

/** The call of another workflow by a job, which consists of the jobs of that workflow. */
export interface Call {
  readonly path: string
  readonly inputs: PlainRecord
  /** The secrets passed to the other workflow, as written, by the names that it declares. */
  readonly secrets: "inherit" | Readonly<Record<string, string>>
}

/** A job as a workflow has it, which a matrix may make several of. */
export interface JobPlan {
  readonly key: string
  readonly name: string | undefined
  readonly needs: ReadonlyArray<string>
  /** The workflow with the jobs that run in its place. */
  readonly call: Call | undefined
  readonly runsOn: ReadonlyArray<string>
  readonly matrix: Matrix | undefined
  /** The matrix as it is written, where it has expressions. */
  readonly openMatrix: Plain | undefined
  /** Whether a failing job of the matrix cancels the others, as written: possibly an expression. */
  readonly failFast: Plain
  /** The number of matrix jobs that run concurrently, as written. */
  readonly maxParallel: Plain
  /** Whether the run continues if the job fails, as written. */
  readonly tolerant: Plain
  readonly concurrency: Concurrency | undefined
  readonly condition: string
  readonly steps: ReadonlyArray<string>
  /** The job as it was written. */
  readonly written: PlainRecord
}

/** When the clock starts a workflow. */
export interface CronSchedule {
  /** The five fields, as cron writes them. */
  readonly cron: string
  /** The IANA time zone in which the fields are read, `UTC` unless another is named. */
  readonly timezone: string
}

/** A workflow that was read. */
export interface Workflow {
  readonly name: string
  readonly runName: string | undefined
  readonly on: { readonly [E in WorkflowEvent]?: EventFilter }
  readonly inputs: Readonly<Record<string, WorkflowInput>>
  /** The `workflow_call` trigger; undefined where other workflows cannot call it. */
  readonly call: CallAsked | undefined
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
/** The maximum number of names in a matrix: each combination contains all of them. */
export const mostVectors = 50
/** The maximum length of the JSON values of one matrix job, since they are stored for each. */
export const longestValues = 65_536
/** The maximum number of patterns of an event filter. */
export const mostPatterns = 100
/** The maximum length of a concurrency group's name. */
export const longestGroup = 400
/** The maximum length of a chain of runs that trigger each other with `workflow_run`. */
export const deepestRun = 3
/** The maximum number of workflows that one run event triggers: each can trigger others in turn. */
export const mostByRun = 10
/** The maximum number of schedules of a workflow. */
export const mostSchedules = 20
