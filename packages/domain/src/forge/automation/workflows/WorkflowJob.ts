import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OwnerId } from "../../identity/organizations/Organization.ts"

import {
  type WorkConclusion,
  type WorkflowRunId,
  type WorkStatus,
  workConclusions,
  workStatuses
} from "./WorkflowRun.ts"

/** The schema of the id of a workflow job. */
export const WorkflowJobId = Schema.Int.pipe(Schema.brand("WorkflowJobId"))
export type WorkflowJobId = typeof WorkflowJobId.Type

/** One step of a workflow job, with its state and its lines in the job's log. */
export interface WorkflowStep {
  readonly name: string
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  readonly startedAt: string | null
  readonly stoppedAt: string | null
  /** The number of the step's first line in the log of the job, from 0. */
  readonly logIndex: number
  readonly logLength: number
}

/** The values of the matrix names for one job, such as `{ os: "linux" }`. */
export type MatrixValues = Readonly<Record<string, unknown>>

/** One job of a workflow run in one attempt, which one runner executes. */
export interface WorkflowJob {
  readonly id: WorkflowJobId
  readonly repositoryId: RepositoryId
  readonly ownerId: OwnerId
  readonly runId: WorkflowRunId
  /** The attempt of the run in which the job started, from 1. */
  readonly attempt: number
  /** Whether this is the latest attempt of the job. */
  readonly latest: boolean
  /** The position of the job among all jobs of the run, from 0; it is the same in each attempt. */
  readonly slot: number
  /** The key of the job in the workflow file; all jobs of one matrix have the same key. */
  readonly key: string
  /** The display name of the job. */
  readonly name: string
  /** The `slot` of the job that called the reusable workflow of this job; null for jobs of the run's own workflow. */
  readonly caller: number | null
  /** The path of the reusable workflow that the job calls; empty for jobs that runners execute. */
  readonly calls: string
  /** The keys of the jobs that must end before this job starts. */
  readonly needs: ReadonlyArray<string>
  /** The labels that the runner of the job must have. */
  readonly runsOn: ReadonlyArray<string>
  readonly matrix: MatrixValues
  /**
   * Whether the matrix of the job depends on outputs of the jobs in `needs`. After these have ended, the matrix is
   * evaluated, and its jobs replace this job.
   */
  readonly open: boolean
  /** Whether the condition of the job is evaluated even if jobs in `needs` did not succeed, as with `always()`. */
  readonly persistent: boolean
  /** Whether a failure of the job cancels the other jobs of its matrix. */
  readonly failFast: boolean
  /** The maximum number of jobs of the matrix that are waiting for a runner or running; null means no limit. */
  readonly maxParallel: number | null
  /** Whether the run treats a failure of the job as a success (`continue-on-error`). */
  readonly tolerant: boolean
  /** The name of the job's concurrency group, in which one run or job of the repository runs at a time; or null. */
  readonly group: string | null
  /** Whether the job cancels the running job of its concurrency group. */
  readonly cancels: boolean
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  /** The id of the runner that executes the job; null before it is assigned. */
  readonly runnerId: number | null
  readonly runnerName: string
  readonly steps: ReadonlyArray<WorkflowStep>
  readonly outputs: Readonly<Record<string, string>>
  readonly createdAt: string
  readonly startedAt: string | null
  readonly stoppedAt: string | null
  /** The time of the runner's last request for the job; for a waiting job, the time when it began to wait. */
  readonly aliveAt: string | null
  /** The number of lines of the job's log. */
  readonly logLines: number
  /** The size of the job's log in bytes. */
  readonly logSize: number
  /** Whether the job's log is complete. */
  readonly logDone: boolean
}

/** The table of workflow jobs, in the order in the workflow files; jobs of earlier attempts are kept. */
export const workflowJobs = owned<WorkflowJob>()("workflowJob", {
  within: ["repositoryId", "runId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    ownerId: Fields.integer(),
    runId: Fields.reference("workflowRun"),
    attempt: Fields.integer(),
    latest: Fields.boolean(),
    slot: Fields.integer(),
    key: Fields.text(),
    name: Fields.text(),
    caller: Fields.nullable(Fields.integer()),
    calls: Fields.text(),
    needs: Fields.json(),
    runsOn: Fields.json(),
    matrix: Fields.json(),
    open: Fields.boolean(),
    persistent: Fields.boolean(),
    failFast: Fields.boolean(),
    maxParallel: Fields.nullable(Fields.integer()),
    tolerant: Fields.boolean(),
    group: Fields.nullable(Fields.text()),
    cancels: Fields.boolean(),
    status: Fields.oneOf(...workStatuses),
    conclusion: Fields.nullable(Fields.oneOf(...workConclusions)),
    runnerId: Fields.nullable(Fields.integer()),
    runnerName: Fields.text(),
    steps: Fields.json(),
    outputs: Fields.json(),
    createdAt: Fields.time(),
    startedAt: Fields.nullable(Fields.time()),
    stoppedAt: Fields.nullable(Fields.time()),
    aliveAt: Fields.nullable(Fields.time()),
    logLines: Fields.integer(),
    logSize: Fields.integer(),
    logDone: Fields.boolean()
  },
  orders: { oldest: ascending(), newest: descending() },
  filters: ["status", "conclusion", "attempt", "latest", "runnerId", "ownerId", "aliveAt", "createdAt"]
})

/** A chunk of consecutive log lines of a workflow job, as the runner sent them. */
export interface WorkflowLog {
  readonly id: number
  readonly jobId: WorkflowJobId
  /** The number of the chunk's first line in the log, from 0. */
  readonly start: number
  readonly lines: number
  /** The lines, each with a timestamp and a line feed at its end. */
  readonly text: string
}

/** The table of workflow job logs, stored in chunks. */
export const workflowLogs = owned<WorkflowLog>()("workflowLog", {
  within: ["jobId"],
  fields: {
    jobId: Fields.reference("workflowJob"),
    start: Fields.integer(),
    lines: Fields.integer(),
    text: Fields.text()
  },
  orders: { start: ascending("start") },
  unique: { start: ["jobId", "start"] }
})

/** Reports that the workflow job does not exist. */
export class WorkflowJobNotFound extends Schema.TaggedError<WorkflowJobNotFound>()("WorkflowJobNotFound", {
  id: Schema.Number
}) {}

/** Returns a step of a workflow job that has not started. */
export const waitingStep = (name: string): WorkflowJob["steps"][number] => ({
  name,
  status: "waiting",
  conclusion: null,
  startedAt: null,
  stoppedAt: null,
  logIndex: 0,
  logLength: 0
})
