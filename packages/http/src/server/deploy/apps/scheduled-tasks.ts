import { ScheduledTasks } from "@slipway/deploy/apps"
import { elapsedMilliseconds } from "@slipway/domain"
import type { Execution, ScheduledTask } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import {
  type ScheduledTaskChange,
  type ScheduledTaskCreation,
  ScheduledTasksApi
} from "../../../api/deploy/apps/scheduled-tasks.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(ScheduledTasksApi).prefix("/api/v1") {}

/** Converts a scheduled task to its API response. */
export const showTask = (task: ScheduledTask) => ({
  ...stampsOf(task),
  name: task.name,
  command: task.command,
  frequency: task.frequency,
  container: task.container,
  timeout: task.timeout,
  enabled: task.isEnabled,
  next_run_at: task.dueAt
})

/** Converts an execution of a scheduled task to its API response. */
export const showExecution = ({ finishedAt, message, startedAt, status, uuid }: Execution) => ({
  uuid,
  status,
  message,
  retry_count: 0 as const,
  duration: finishedAt === null ? null : elapsedMilliseconds(startedAt, finishedAt) / 1_000,
  started_at: startedAt,
  finished_at: finishedAt,
  created_at: startedAt,
  updated_at: finishedAt ?? startedAt
})

/** Converts the request body that changes a task to the input of the use case. */
export const taskInput = ({ enabled, ...facts }: typeof ScheduledTaskChange.Type) => ({
  ...facts,
  ...(enabled === undefined ? {} : { isEnabled: enabled })
})

/** The defaults of a new task. */
const usual = { container: null, timeout: 300, isEnabled: true } as const

/** Converts the request body that adds a task to the input of the use case. */
export const newTask = (payload: typeof ScheduledTaskCreation.Type) => {
  const { command, frequency, name } = payload
  return { ...usual, ...taskInput(payload), command, frequency, name }
}

/** The handlers of scheduled tasks. */
export const layerScheduledTasks = HttpApiBuilder.group(Api, "scheduledTasks", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* ScheduledTasks.list(yield* granted("task.list"))).map(showTask)
        })
      ),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("task.create")
          return showTask(yield* ScheduledTasks.create(proof, newTask(payload)))
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("task.update")
          return showTask(yield* ScheduledTasks.update(proof, taskInput(payload)))
        })
      ),
    remove: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* ScheduledTasks.remove(yield* granted("task.delete"))
          return { message: "Scheduled task deleted." }
        })
      ),
    execute: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* ScheduledTasks.execute(yield* granted("task.execute"))
          return { message: "Scheduled task execution queued." }
        })
      ),
    executions: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("task.executions")
          return (yield* ScheduledTasks.executions(proof)).map(showExecution)
        })
      )
  })
)
