import { Result, Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import { wordsOf } from "../../base/words/words.ts"
import { text } from "../fields/field.ts"
import type { DueRun } from "./DueStore.ts"
import { nextRun } from "./frequency.ts"

/** The uuid of a scheduled task. */
export const ScheduledTaskUuid = Uuid.pipe(Schema.brand("ScheduledTaskUuid"))
export type ScheduledTaskUuid = typeof ScheduledTaskUuid.Type

/** The uuid of an execution of a scheduled task. */
export const ExecutionUuid = Uuid.pipe(Schema.brand("ExecutionUuid"))
export type ExecutionUuid = typeof ExecutionUuid.Type

/** The schema of a task's schedule: a five-field cron schedule in UTC, or a word such as `daily`. */
export const Frequency = Schema.String.check(
  Schema.makeFilter((frequency: string) =>
    nextRun(frequency, "2024-01-01T00:00:00.000Z") === undefined
      ? "Must be a cron expression of five fields, such as `*/5 * * * *`, or every_minute, hourly, daily, weekly, monthly or yearly."
      : undefined
  )
)

const longestCommand = 4_096

/** The schema of the command of a task, which runs without a shell. */
export const TaskCommand = text(longestCommand).check(
  Schema.makeFilter((command: string) => {
    const words = wordsOf(command)
    if (Result.isFailure(words)) return `${words.failure}.`
    return words.success.length === 0 ? "Must contain a command." : undefined
  })
)

/** The maximum duration of an execution, in seconds. */
export const longestTimeout = 36_000

/** The settings of a scheduled task. */
export interface ScheduledTaskInput {
  readonly name: string
  readonly command: string
  readonly frequency: string
  /** The service or container in which the command runs; null selects the container that receives requests. */
  readonly container: string | null
  /** The timeout of an execution in seconds. */
  readonly timeout: number
  readonly isEnabled: boolean
}

/** The number of tasks of one application that run concurrently, which leaves capacity for other applications. */
export const mostConcurrentTasks = 2

/** A command that runs in the containers of an application on a schedule. */
export interface ScheduledTask extends Entity, ScheduledTaskInput {
  readonly uuid: ScheduledTaskUuid
  readonly applicationUuid: ApplicationUuid
  /** The next due time; null while the task is disabled. */
  readonly dueAt: string | null
  /** Whether an execution outside the schedule was requested. */
  readonly isAsked: boolean
}

/** One execution of a scheduled task. */
export interface Execution extends DueRun {
  readonly uuid: ExecutionUuid
  readonly taskUuid: ScheduledTaskUuid
}

/** The maximum number of tasks of an application. */
export const mostTasks = 100

/** The number of executions of a task that are stored. */
export const mostExecutions = 100

/** The maximum length of the stored output of an execution, in characters; only the end of the output is stored. */
export const longestMessage = 16_384

/** The error for a scheduled task that does not exist. */
export class ScheduledTaskNotFound extends Schema.TaggedError<ScheduledTaskNotFound>()("ScheduledTaskNotFound", {}) {}
