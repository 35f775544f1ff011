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

/** The schema of the id of a job of a run. */
export const WorkflowJobId = Schema.Int.pipe(Schema.brand("WorkflowJobId"))
export type WorkflowJobId = typeof WorkflowJobId.Type

/** One step of a job. */
export interface WorkflowStep {
  readonly name: string
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  readonly startedAt: string | null
  readonly stoppedAt: string | null
  /** The first log line of the step, from 0. */
  readonly logIndex: number
  readonly logLength: number
}

/** The matrix values of one job. */
export type MatrixValues = Readonly<Record<string, unknown>>

/** One job of a run, in one attempt: the unit of work of a runner. */
export interface WorkflowJob {
  readonly id: WorkflowJobId
  readonly repositoryId: RepositoryId
  readonly ownerId: OwnerId
  readonly runId: WorkflowRunId
  /** The attempt of the run in which it started. */
  readonly attempt: number
  /** Whether this is the latest attempt of the job. */
  readonly latest: boolean
  /** Its position among all jobs of the run, from 0; it is the same in each attempt. */
  readonly slot: number
  /** Its key in the workflow; all jobs of one matrix have the same. */
  readonly key: string
  /** The display name. */
  readonly name: string
  /** The position of the job that calls its workflow; null for jobs of the run's workflow. */
  readonly caller: number | null
  /** The path of the workflow that it calls; empty for jobs that runners execute. */
  readonly calls: string
  /** The keys of the jobs that must end first. */
  readonly needs: ReadonlyArray<string>
  /** The required labels of its runner. */
  readonly runsOn: ReadonlyArray<string>
  readonly matrix: MatrixValues
  /**
   * Whether its matrix depends on the outputs of its needs: it is replaced by the matrix jobs after these have ended.
   */
  readonly open: boolean
  /** Whether its condition is evaluated even if needed jobs did not succeed. */
  readonly persistent: boolean
  /** Whether its failure cancels the other jobs of its matrix. */
  readonly failFast: boolean
  /** The maximum number of matrix jobs that wait or run concurrently; null means no limit. */
  readonly maxParallel: number | null
  /** Whether its run continues after its failure as after a success. */
  readonly tolerant: boolean
  /** Its concurrency group in the repository, which runs one run or job at a time. */
  readonly group: string | null
  /** Whether it cancels the running job of its group. */
  readonly cancels: boolean
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  /** The id of its runner. */
  readonly runnerId: number | null
  readonly runnerName: string
  readonly steps: ReadonlyArray<WorkflowStep>
  readonly outputs: Readonly<Record<string, string>>
  readonly createdAt: string
  readonly startedAt: string | null
  readonly stoppedAt: string | null
  /** The time of the last contact with its runner; for a waiting job, when it started to wait. */
  readonly aliveAt: string | null
  /** The number of lines of its log. */
  readonly logLines: number
  /** The size of these lines in bytes. */
  readonly logSize: number
  /** Whether its log is complete. */
  readonly logDone: boolean
}

/** The jobs of runs, in the order of their workflows; all attempts stay. */
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

/** Some log lines of a job, as its runner sent them. */
export interface WorkflowLog {
  readonly id: number
  readonly jobId: WorkflowJobId
  /** The number of the first of these lines, from 0. */
  readonly start: number
  readonly lines: number
  /** The lines, each with a timestamp and a line feed at its end. */
  readonly text: string
}

/** The logs of jobs, in chunks. */
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

/** Reports that the job does not exist. */
export class WorkflowJobNotFound extends Schema.TaggedError<WorkflowJobNotFound>()("WorkflowJobNotFound", {
  id: Schema.Number
}) {}

/** Returns a step of a job in its initial state. */
export const waitingStep = (name: string): WorkflowJob["steps"][number] => ({
  name,
  status: "waiting",
  conclusion: null,
  startedAt: null,
  stoppedAt: null,
  logIndex: 0,
  logLength: 0
})
