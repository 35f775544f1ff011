import type { Effect } from "effect"
import type { Runner } from "../runners/Runner.ts"
import type { WorkflowJobId, WorkflowJobNotFound } from "./WorkflowJob.ts"

/** How runners say that work ended: 0 while it has not, 1 success, 2 failure, 3 cancelled, 4 skipped. */
export type RunnerResult = 0 | 1 | 2 | 3 | 4

/** What a job whose needs ended finds of one of them. */
export interface NeededJob {
  readonly result: RunnerResult
  readonly outputs: Readonly<Record<string, string>>
}

/** A job as a runner is given it. */
export interface TaskToDo {
  readonly id: WorkflowJobId
  /** A workflow of this one job, as JSON, which is YAML too. */
  readonly workflow: string
  /** The `github` context. */
  readonly context: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  readonly vars: Readonly<Record<string, string>>
  readonly needs: Readonly<Record<string, NeededJob>>
}

/** What a runner says of a step. */
export interface StepUpdate {
  readonly id: number
  readonly result: RunnerResult
  readonly startedAt?: string | undefined
  readonly stoppedAt?: string | undefined
  readonly logIndex: number
  readonly logLength: number
}

/** What a runner says of a job. */
export interface TaskUpdate {
  readonly id: number
  readonly result: RunnerResult
  readonly startedAt?: string | undefined
  readonly stoppedAt?: string | undefined
  readonly steps: ReadonlyArray<StepUpdate>
  readonly outputs: Readonly<Record<string, string>>
}

/** What a runner is told of a job: how it is to end, and which outputs are kept. */
export interface TaskState {
  readonly result: RunnerResult
  readonly sentOutputs: ReadonlyArray<string>
}

/** A line of a log, and when it was written. */
export interface LogRow {
  readonly time: string
  readonly content: string
}

/** Lines of the log of a job, from the one with a number on. */
export interface LogUpdate {
  readonly id: number
  readonly index: number
  readonly rows: ReadonlyArray<LogRow>
  readonly noMore: boolean
}

/** Claims the oldest job that a runner can do. */
export declare const fetchTask: (runner: Runner) => Effect.Effect<TaskToDo | undefined>

/** Takes what a runner says of a job that it holds. */
export declare const updateTask: (runner: Runner, update: TaskUpdate) => Effect.Effect<TaskState, WorkflowJobNotFound>

/** Takes lines of the log of a job that a runner holds, and answers how many there are. */
export declare const appendLog: (runner: Runner, update: LogUpdate) => Effect.Effect<number, WorkflowJobNotFound>
