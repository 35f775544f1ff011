import { Context, type Effect } from "effect"

/** A recurring task that one process runs at a time. */
export interface Task<R = never> {
  /** The name, unique among tasks. */
  readonly name: string
  /** Its cron schedule, in UTC. */
  readonly schedule: string
  /** Runs the task; it may be interrupted at any moment and must be idempotent. */
  readonly run: Effect.Effect<void, never, R>
}

/** The state of a task. */
export interface TaskState {
  readonly name: string
  readonly schedule: string
  /** The next start time, in ISO 8601; in the past while it runs. */
  readonly dueAt: string
  /** The time of its last start. */
  readonly begunAt: string | null
  /** The number of attempts. */
  readonly runs: number
}

/** A scheduled task. */
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
    /** Claims the due ones of the named tasks at `at`, until `until`. */
    readonly take: (names: ReadonlyArray<string>, at: string, until: string) => Effect.Effect<ReadonlyArray<TaskState>>
    /** Renews the lease of a task; `runs` is its value at the time of the claim. */
    readonly renew: (task: Pick<TaskState, "name" | "runs">, until: string) => Effect.Effect<boolean>
    /** Releases a task, which starts next at `dueAt`. */
    readonly finish: (task: Pick<TaskState, "name" | "runs">, dueAt: string) => Effect.Effect<boolean>
    /** Makes a task due at a given time, unless it is due earlier. */
    readonly hasten: (name: string, at: string) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/TaskStore") {}
