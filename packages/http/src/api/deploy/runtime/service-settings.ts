import { line } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { taskEndpoints } from "../apps/scheduled-tasks.ts"
import { ServiceStorageCreation, Storage, storageEndpoints } from "../apps/storages.ts"
import { tagEndpoints } from "../apps/tags.ts"
import { variableEndpoints } from "../apps/variables.ts"
import { access } from "../base/access.ts"
import { BadGatewayBody, BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { QueryFlag } from "../base/schemas.ts"
import { ApplicationLogs, linesQuery } from "./logs.ts"

const uuid = { uuid: Schema.String }
const envs = "/services/:uuid/envs"
const storages = "/services/:uuid/storages"
const tags = "/services/:uuid/tags"
const tasks = "/services/:uuid/scheduled-tasks"
const task = `${tasks}/:task_uuid` as const

/** The endpoints of the logs, variables, storages, tags and tasks of a service. */
export class ServiceSettingsApi extends HttpApiGroup.make("serviceSettings")
  .add(
    HttpApiEndpoint.get("logs", "/services/:uuid/logs", {
      params: uuid,
      query: {
        ...linesQuery,
        sub_service_name: Schema.optionalKey(line(255)),
        show_timestamps: Schema.optionalKey(QueryFlag)
      },
      success: ApplicationLogs,
      error: [BadRequestBody, NotFoundBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Read the container logs of a service, or of one of its applications and databases")
      .pipe(access("service.logs")),
    HttpApiEndpoint.get("listVariables", envs, variableEndpoints.list)
      .annotate(OpenApi.Summary, "List the variables of a service, with their values for tokens with `read:sensitive`")
      .pipe(access("service.read")),
    HttpApiEndpoint.post("createVariable", envs, variableEndpoints.create)
      .annotate(OpenApi.Summary, "Add a variable to a service")
      .pipe(access("service.update")),
    HttpApiEndpoint.patch("updateVariable", envs, variableEndpoints.update)
      .annotate(OpenApi.Summary, "Change a variable of a service by its key")
      .pipe(access("service.update")),
    HttpApiEndpoint.patch("setVariables", `${envs}/bulk`, variableEndpoints.bulk)
      .annotate(OpenApi.Summary, "Set several variables of a service, all or none")
      .pipe(access("service.update")),
    HttpApiEndpoint.delete("removeVariable", `${envs}/:env_uuid`, variableEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a variable of a service")
      .pipe(access("service.variable.delete")),
    HttpApiEndpoint.get("listStorages", storages, storageEndpoints.list)
      .annotate(OpenApi.Summary, "List the storages that were added to a service")
      .pipe(access("service.read")),
    HttpApiEndpoint.post("createStorage", storages, {
      params: uuid,
      payload: ServiceStorageCreation,
      success: Storage.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, ConflictBody, NotFoundBody]
    })
      .annotate(
        OpenApi.Summary,
        "Add a storage to an application or database of a service, from its next deployment on"
      )
      .pipe(access("service.update")),
    HttpApiEndpoint.patch("updateStorage", storages, storageEndpoints.update)
      .annotate(OpenApi.Summary, "Change a storage of a service")
      .pipe(access("service.update")),
    HttpApiEndpoint.delete("removeStorage", `${storages}/:storage_uuid`, storageEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a storage of a service; the data in its volume stays")
      .pipe(access("service.storage.delete")),
    HttpApiEndpoint.get("listTags", tags, tagEndpoints.list)
      .annotate(OpenApi.Summary, "List the tags of a service")
      .pipe(access("service.tag.list")),
    HttpApiEndpoint.post("addTags", tags, tagEndpoints.add)
      .annotate(OpenApi.Summary, "Add tags to a service")
      .pipe(access("service.tag.add")),
    HttpApiEndpoint.delete("removeTag", `${tags}/:tag`, tagEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a tag from a service")
      .pipe(access("service.tag.remove")),
    HttpApiEndpoint.get("listTasks", tasks, taskEndpoints.list)
      .annotate(OpenApi.Summary, "List the scheduled tasks of a service")
      .pipe(access("service.task.list")),
    HttpApiEndpoint.post("createTask", tasks, taskEndpoints.create)
      .annotate(OpenApi.Summary, "Add a command that runs in a container of a service on a schedule")
      .pipe(access("service.task.create")),
    HttpApiEndpoint.patch("updateTask", task, taskEndpoints.update)
      .annotate(OpenApi.Summary, "Change a scheduled task of a service")
      .pipe(access("service.task.update")),
    HttpApiEndpoint.delete("removeTask", task, taskEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a scheduled task of a service with its executions")
      .pipe(access("service.task.delete")),
    HttpApiEndpoint.post("executeTask", `${task}/execute`, taskEndpoints.execute)
      .annotate(OpenApi.Summary, "Run a scheduled task of a service now")
      .pipe(access("service.task.execute")),
    HttpApiEndpoint.get("taskExecutions", `${task}/executions`, taskEndpoints.executions)
      .annotate(OpenApi.Summary, "List the executions of a scheduled task of a service, newest first")
      .pipe(access("service.task.executions"))
  )
  .annotate(OpenApi.Description, "Logs, variables, storages, tags and scheduled tasks of services.") {}
