import { type Execution, type ScheduledTask, ScheduledTasks } from "@slipway/domain/deploy"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type ScheduledTaskChange, ScheduledTasksApi } from "../../api/deploy/scheduled-tasks.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { stampsOf } from "./show.ts"

class Api extends HttpApi.make("deploy").add(ScheduledTasksApi).prefix("/api/v1") {}

const show = (task: ScheduledTask) => ({
  ...stampsOf(task),
  name: task.name,
  command: task.command,
  frequency: task.frequency,
  container: task.container,
  timeout: task.timeout,
  enabled: task.isEnabled,
  next_run_at: task.dueAt
})

const showExecution = ({ finishedAt, message, startedAt, status, uuid }: Execution) => ({
  uuid,
  status,
  message,
  retry_count: 0 as const,
  duration: finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000,
  started_at: startedAt,
  finished_at: finishedAt,
  created_at: startedAt,
  updated_at: finishedAt ?? startedAt
})

const inputOf = ({ enabled, ...facts }: typeof ScheduledTaskChange.Type) => ({
  ...facts,
  ...(enabled === undefined ? {} : { isEnabled: enabled })
})

/** What a new task is set to where its body doesn't say. */
const usual = { container: null, timeout: 300, isEnabled: true } as const

/** The handlers of scheduled tasks. */
export const layerScheduledTasks = HttpApiBuilder.group(Api, "scheduledTasks", (handlers) =>
  handlers.handleAll({
    list: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* ScheduledTasks.list(yield* granted("task.list"), params.uuid)).map(show)
        })
      ),
    create: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("task.create")
          const { command, frequency, name } = payload
          const input = { ...usual, ...inputOf(payload), command, frequency, name }
          return show(yield* ScheduledTasks.create(proof, params.uuid, input))
        })
      ),
    update: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("task.update")
          return show(yield* ScheduledTasks.update(proof, params.uuid, params.task_uuid, inputOf(payload)))
        })
      ),
    remove: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* ScheduledTasks.remove(yield* granted("task.delete"), params.uuid, params.task_uuid)
          return { message: "Scheduled task deleted." }
        })
      ),
    execute: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* ScheduledTasks.execute(yield* granted("task.execute"), params.uuid, params.task_uuid)
          return { message: "Scheduled task execution queued." }
        })
      ),
    executions: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("task.list")
          return (yield* ScheduledTasks.executions(proof, params.uuid, params.task_uuid)).map(showExecution)
        })
      )
  })
)
