import { Context, type Effect } from "effect"

/** A recurring background task; only one process runs a task at a time. */
export interface Task<R = never> {
  /** The name, unique among tasks. */
  readonly name: string
  /** The cron schedule of the task, in UTC. */
  readonly schedule: string
  /** Runs the task; it may be interrupted at any moment and must be idempotent. */
  readonly run: Effect.Effect<void, never, R>
}

/** The stored state of a recurring task. */
export interface TaskState {
  readonly name: string
  readonly schedule: string
  /** The time of the next start, in ISO 8601; while the task runs, this time is in the past. */
  readonly dueAt: string
  /** The time of the last start, in ISO 8601; null before the first start. */
  readonly begunAt: string | null
  /** The number of starts. */
  readonly runs: number
}

/** The name, the schedule and the next start time of a recurring task. */
export type TaskPlan = Pick<TaskState, "name" | "schedule" | "dueAt">

/**
 * Stores the due times and leases of tasks; several processes share it.
 *
 * Must:
 * - schedule a task once, and reschedule it only when its schedule changes
 * - assign each due task to one process until its lease expires
 * - assign only the requested tasks
 * - count the starts of a task, and store the time of the last one
 * - ignore updates from a process after another process has started the task
 * - make a task due immediately, and report when it is missing
 * - list tasks by name
 */
export class TaskStore extends Context.Service<
  TaskStore,
  {
    readonly plan: (tasks: ReadonlyArray<TaskPlan>) => Effect.Effect<void>
    readonly list: Effect.Effect<ReadonlyArray<TaskState>>
    /** Claims those of the named tasks that are due at the time `at`; the leases expire at `until`. */
    readonly take: (names: ReadonlyArray<string>, at: string, until: string) => Effect.Effect<ReadonlyArray<TaskState>>
    /** Renews the lease of a task; `runs` must be the number of starts at the time of the claim. */
    readonly renew: (task: Pick<TaskState, "name" | "runs">, until: string) => Effect.Effect<boolean>
    /** Releases the lease of a task after its run, and sets its next start to `dueAt`. */
    readonly finish: (task: Pick<TaskState, "name" | "runs">, dueAt: string) => Effect.Effect<boolean>
    /** Makes a task due at a given time, unless it is due earlier. */
    readonly hasten: (name: string, at: string) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/TaskStore") {}
