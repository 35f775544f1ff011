import { ScheduledTasks, Storages, Tags, Variables } from "@slipway/deploy/apps"
import { InvalidInput } from "@slipway/domain"
import type { Service, Storage } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ServiceSettingsApi } from "../../../api/deploy/runtime/service-settings.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { newTask, showExecution, showTask, taskInput } from "../apps/scheduled-tasks.ts"
import { newStorage, showOne, showStorages, storageInput } from "../apps/storages.ts"
import { namesIn, showTag } from "../apps/tags.ts"
import { showVariable, showVariables, variableInput } from "../apps/variables.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { readLogs } from "./logs.ts"

class Api extends HttpApi.make("deploy").add(ServiceSettingsApi).prefix("/api/v1") {}

/** Returns the uuid of the service part that has a storage; undefined if the compose file no longer has this part. */
const partOf =
  ({ parts }: Service) =>
  (storage: Storage) =>
    parts.find(({ name }) => name === storage.service)?.uuid

/** The handlers of the logs, variables, storages, tags and tasks of services. */
export const layerServiceSettings = HttpApiBuilder.group(Api, "serviceSettings", (handlers) =>
  handlers.handleAll({
    logs: ({ query: { sub_service_name: service, ...query } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.logs")
          return yield* readLogs(proof, { ...query, ...(service === undefined ? {} : { service }) })
        })
      ),
    listVariables: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.read")
          return yield* showVariables(proof, yield* Variables.list(proof))
        })
      ),
    createVariable: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          const variable = yield* Variables.create(proof, variableInput(payload))
          return createdIn(`/api/v1/services/${params.uuid}/envs`, variable)
        })
      ),
    updateVariable: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          return yield* showVariable(proof, yield* Variables.update(proof, variableInput(payload)))
        })
      ),
    setVariables: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          return yield* showVariables(proof, yield* Variables.bulk(proof, payload.data.map(variableInput)))
        })
      ),
    removeVariable: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Variables.remove(yield* granted("service.variable.delete"))
          return { message: "Environment variable deleted." }
        })
      ),
    listStorages: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.read")
          return yield* showStorages(proof, yield* Storages.list(proof), partOf(proof.resource.service))
        })
      ),
    createStorage: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          const { service } = proof.resource
          const part = service.parts.find((each) => each.uuid === payload.resource_uuid)
          if (part === undefined) {
            const problem = "Must be the uuid of an application or database of this service."
            return yield* new InvalidInput({ problems: { resource_uuid: [problem] } })
          }
          const created = yield* Storages.create(proof, newStorage(payload, part.name))
          return yield* showOne(proof, created, partOf(service))
        })
      ),
    updateStorage: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          const changed = yield* Storages.update(proof, payload, storageInput(payload), payload.type)
          return yield* showOne(proof, changed, partOf(proof.resource.service))
        })
      ),
    removeStorage: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Storages.remove(yield* granted("service.storage.delete"))
          return { message: "Storage deleted." }
        })
      ),
    listTags: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* Tags.list(yield* granted("service.tag.list"))).map(showTag)
        })
      ),
    addTags: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* Tags.add(yield* granted("service.tag.add"), namesIn(payload))).map(showTag)
        })
      ),
    removeTag: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Tags.remove(yield* granted("service.tag.remove"))
          return { message: "Tag removed." }
        })
      ),
    listTasks: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* ScheduledTasks.list(yield* granted("service.task.list"))).map(showTask)
        })
      ),
    createTask: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return showTask(yield* ScheduledTasks.create(yield* granted("service.task.create"), newTask(payload)))
        })
      ),
    updateTask: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return showTask(yield* ScheduledTasks.update(yield* granted("service.task.update"), taskInput(payload)))
        })
      ),
    removeTask: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* ScheduledTasks.remove(yield* granted("service.task.delete"))
          return { message: "Scheduled task deleted." }
        })
      ),
    executeTask: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* ScheduledTasks.execute(yield* granted("service.task.execute"))
          return { message: "Scheduled task execution queued." }
        })
      ),
    taskExecutions: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.task.executions")
          return (yield* ScheduledTasks.executions(proof)).map(showExecution)
        })
      )
  })
)
