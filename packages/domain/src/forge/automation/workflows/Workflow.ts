import type { WorkflowEvent } from "./WorkflowRun.ts"

/** A value that both YAML and JSON support. */
export type PlainValue = null | boolean | number | string | ReadonlyArray<PlainValue> | PlainRecord

/** A map with values that both YAML and JSON support. */
export interface PlainRecord {
  readonly [key: string]: PlainValue
}

/** The keys of a workflow's `on` section that limit an event to branches, tags, files, activities or workflows. */
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

/** The filters of an event in a workflow; omitted filters match all. */
export type EventFilter = { readonly [F in (typeof eventFilters)[number]]?: ReadonlyArray<string> }

/** An input that a user fills in to start a workflow manually. */
export interface WorkflowInput {
  readonly type: "boolean" | "choice" | "environment" | "number" | "string"
  readonly description: string
  readonly required: boolean
  readonly default: string
  /** The possible values of an input of the type `choice`; empty for other types. */
  readonly options: ReadonlyArray<string>
}

/** A job matrix: one job runs for each combination of the values in `vectors`, without `exclude` and with `include`. */
export interface Matrix {
  readonly vectors: ReadonlyArray<readonly [name: string, values: ReadonlyArray<PlainValue>]>
  readonly include: ReadonlyArray<PlainRecord>
  readonly exclude: ReadonlyArray<PlainRecord>
}

/**
 * The `concurrency` key of a workflow or job, before expressions are evaluated; a group runs one run or job at a time.
 */
export interface Concurrency {
  readonly group: string
  /** Whether a new run or job cancels the running one of the group: a boolean, or an expression. */
  readonly cancels: PlainValue
}

/** The inputs, secrets and outputs that a reusable workflow declares under `workflow_call`. */
export interface CallSignature {
  readonly inputs: Readonly<Record<string, WorkflowInput>>
  readonly secrets: Readonly<Record<string, { readonly required: boolean }>>
  /** The expressions of the outputs, by name; they refer to the outputs of the workflow's jobs. */
  readonly outputs: Readonly<Record<string, string>>
}

/** A call of a reusable workflow by a job; the jobs of that workflow run instead of the job. */
export interface Call {
  readonly path: string
  readonly inputs: PlainRecord
  /** The expressions of the secrets for the called workflow, by its names; `inherit` passes all secrets. */
  readonly secrets: "inherit" | Readonly<Record<string, string>>
}

/** A job in a workflow file; a matrix can turn it into several jobs of a run. */
export interface JobPlan {
  readonly key: string
  readonly name: string | undefined
  readonly needs: ReadonlyArray<string>
  /** The reusable workflow that runs instead of this job; undefined for a job with steps. */
  readonly call: Call | undefined
  readonly runsOn: ReadonlyArray<string>
  readonly matrix: Matrix | undefined
  /** The matrix with unevaluated expressions; undefined if it has none. */
  readonly openMatrix: PlainValue | undefined
  /** Whether a failed job of the matrix cancels the others (`fail-fast`): a boolean, or an expression. */
  readonly failFast: PlainValue
  /** The maximum number of concurrent matrix jobs (`max-parallel`): a number, or an expression. */
  readonly maxParallel: PlainValue
  /** Whether a failure of the job does not fail the run (`continue-on-error`): a boolean, or an expression. */
  readonly tolerant: PlainValue
  readonly concurrency: Concurrency | undefined
  readonly condition: string
  readonly steps: ReadonlyArray<string>
  /** The complete job as parsed from the workflow file. */
  readonly written: PlainRecord
}

/** A cron schedule on which a workflow runs. */
export interface CronSchedule {
  /** The five fields of the cron schedule. */
  readonly cron: string
  /** The IANA time zone in which the cron fields are interpreted, such as `Europe/Paris`; `UTC` by default. */
  readonly timezone: string
}

/** A parsed workflow file. */
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
  /** The settings for all jobs, such as `env` and `defaults`, as parsed from the file. */
  readonly shared: PlainRecord
}

/** The maximum size of the file of a workflow, in bytes. */
export const largestWorkflow = 262_144
/** The maximum size of a parsed workflow: the length of its JSON in characters. */
export const longestWorkflow = 1_048_576
/** The maximum number of workflows of a repository that are read. */
export const mostWorkflows = 50
/** The maximum number of reusable workflows that a run calls, and the maximum depth of nested calls. */
export const [mostCalled, deepestCall] = [20, 4]
/** The maximum number of jobs of a run. */
export const mostJobs = 256
/** The maximum number of attempts of a run. */
export const mostAttempts = 50
/** The maximum number of steps of a job. */
export const mostSteps = 1_000
/** The maximum number of names (dimensions) in a matrix. */
export const mostVectors = 50
/** The maximum length of the matrix values of one job, as JSON in characters; they are stored with each job. */
export const longestValues = 65_536
/** The maximum number of patterns of an event filter. */
export const mostPatterns = 100
/** The maximum length of a concurrency group's name, in characters. */
export const longestGroup = 400
/** The maximum length of a chain of runs that trigger each other with `workflow_run`. */
export const deepestRun = 3
/** The maximum number of workflows that one `workflow_run` event triggers; each of them can trigger others. */
export const mostByRun = 10
/** The maximum number of schedules of a workflow. */
export const mostSchedules = 20
