import { Frequency, longestTimeout, TaskCommand } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { bodyErrors, NotFoundBody } from "../base/errors.ts"
import { Message, Name, stamps } from "../base/schemas.ts"

/** A scheduled task as returned by the API. */
export const ScheduledTask = Schema.Struct({
  ...stamps,
  name: Schema.String,
  command: Schema.String,
  frequency: Schema.String,
  container: Schema.NullOr(Schema.String),
  timeout: Schema.Int,
  enabled: Schema.Boolean,
  /** The next due time; null while disabled. */
  next_run_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ScheduledTask" })

/** The result of one run of a scheduled task. */
export const ScheduledTaskExecution = Schema.Struct({
  uuid: Schema.String,
  status: Schema.Literals(["running", "success", "failed"]),
  message: Schema.NullOr(Schema.String),
  retry_count: Schema.Literal(0),
  duration: Schema.NullOr(Schema.Number),
  started_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "ScheduledTaskExecution" })

const besides = {
  container: Schema.optionalKey(Schema.NullOr(Name)),
  timeout: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween(
        { minimum: 1, maximum: longestTimeout },
        { message: `Must be a whole number from 1 to ${longestTimeout}.` }
      )
    )
  ),
  enabled: Schema.optionalKey(Schema.Boolean)
}

/** The request body that adds a scheduled task. */
export const ScheduledTaskCreation = Schema.Struct({
  name: Name,
  command: TaskCommand,
  frequency: Frequency,
  ...besides
}).annotate({ identifier: "ScheduledTaskCreation" })

/** The request body that changes a scheduled task. */
export const ScheduledTaskChange = Schema.Struct({
  name: Schema.optionalKey(Name),
  command: Schema.optionalKey(TaskCommand),
  frequency: Schema.optionalKey(Frequency),
  ...besides
}).annotate({ identifier: "ScheduledTaskChange" })

const uuid = { uuid: Schema.String }
const one = { ...uuid, task_uuid: Schema.String }
const all = "/applications/:uuid/scheduled-tasks"
const path = `${all}/:task_uuid` as const

/** The requests and responses of the endpoints of scheduled tasks, of applications and of services. */
export const taskEndpoints = {
  list: { params: uuid, success: Schema.Array(ScheduledTask), error: NotFoundBody },
  create: {
    params: uuid,
    payload: ScheduledTaskCreation,
    success: ScheduledTask.pipe(HttpApiSchema.status(201)),
    error: [...bodyErrors, NotFoundBody]
  },
  update: {
    params: one,
    payload: ScheduledTaskChange,
    success: ScheduledTask,
    error: [...bodyErrors, NotFoundBody]
  },
  remove: { params: one, success: Message, error: NotFoundBody },
  execute: { params: one, success: Message, error: NotFoundBody },
  executions: { params: one, success: Schema.Array(ScheduledTaskExecution), error: NotFoundBody }
} as const

/** The endpoints of the scheduled tasks of an application. */
export class ScheduledTasksApi extends HttpApiGroup.make("scheduledTasks")
  .add(
    HttpApiEndpoint.get("list", all, taskEndpoints.list)
      .annotate(OpenApi.Summary, "List the scheduled tasks of an application")
      .pipe(access("task.list")),
    HttpApiEndpoint.post("create", all, taskEndpoints.create)
      .annotate(OpenApi.Summary, "Add a command that runs in the containers of an application on a schedule")
      .pipe(access("task.create")),
    HttpApiEndpoint.patch("update", path, taskEndpoints.update)
      .annotate(OpenApi.Summary, "Change a scheduled task")
      .pipe(access("task.update")),
    HttpApiEndpoint.delete("remove", path, taskEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a scheduled task with its executions")
      .pipe(access("task.delete")),
    HttpApiEndpoint.post("execute", `${path}/execute`, taskEndpoints.execute)
      .annotate(OpenApi.Summary, "Run a scheduled task now")
      .pipe(access("task.execute")),
    HttpApiEndpoint.get("executions", `${path}/executions`, taskEndpoints.executions)
      .annotate(OpenApi.Summary, "List the executions of a scheduled task, newest first")
      .pipe(access("task.executions"))
  )
  .annotate(OpenApi.Description, "Commands that run in the containers of applications on a schedule.") {}
