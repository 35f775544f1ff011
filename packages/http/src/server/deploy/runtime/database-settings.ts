import { Storages, Tags, Variables } from "@slipway/deploy/apps"
import { DatabaseSettings } from "@slipway/deploy/databases"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { DatabaseSettingsApi } from "../../../api/deploy/runtime/database-settings.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { newStorage, showOne, showStorages, storageInput } from "../apps/storages.ts"
import { namesIn, showTag } from "../apps/tags.ts"
import { showVariable, showVariables, variableInput } from "../apps/variables.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"

class Api extends HttpApi.make("deploy").add(DatabaseSettingsApi).prefix("/api/v1") {}

/** The handlers of the variables, storages and tags of databases. */
export const layerDatabaseSettings = HttpApiBuilder.group(Api, "databaseSettings", (handlers) =>
  handlers.handleAll({
    listVariables: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.read")
          return yield* showVariables(proof, yield* Variables.list(proof))
        })
      ),
    createVariable: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.update")
          const variable = yield* DatabaseSettings.createVariable(proof, variableInput(payload))
          return createdIn(`/api/v1/databases/${params.uuid}/envs`, variable)
        })
      ),
    updateVariable: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.update")
          return yield* showVariable(proof, yield* DatabaseSettings.updateVariable(proof, variableInput(payload)))
        })
      ),
    setVariables: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.update")
          const set = yield* DatabaseSettings.setVariables(proof, payload.data.map(variableInput))
          return yield* showVariables(proof, set)
        })
      ),
    removeVariable: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Variables.remove(yield* granted("database.variable.delete"))
          return { message: "Environment variable deleted." }
        })
      ),
    listStorages: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.read")
          return yield* showStorages(proof, yield* Storages.list(proof))
        })
      ),
    createStorage: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.update")
          return yield* showOne(proof, yield* DatabaseSettings.createStorage(proof, newStorage(payload)))
        })
      ),
    updateStorage: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("database.update")
          const input = storageInput(payload)
          return yield* showOne(proof, yield* DatabaseSettings.updateStorage(proof, payload, input, payload.type))
        })
      ),
    removeStorage: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Storages.remove(yield* granted("database.storage.delete"))
          return { message: "Storage deleted." }
        })
      ),
    listTags: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* Tags.list(yield* granted("database.tag.list"))).map(showTag)
        })
      ),
    addTags: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* Tags.add(yield* granted("database.tag.add"), namesIn(payload))).map(showTag)
        })
      ),
    removeTag: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Tags.remove(yield* granted("database.tag.remove"))
          return { message: "Tag removed." }
        })
      )
  })
)
