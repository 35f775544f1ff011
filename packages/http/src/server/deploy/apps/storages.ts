import { Storages } from "@slipway/deploy/apps"
import type { Storage } from "@slipway/domain/deploy/apps"
import { volumeName } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type StorageChange, StoragesApi } from "../../../api/deploy/apps/storages.ts"
import { coolifyStorageFields } from "../../../api/deploy/base/coolifyFields.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(StoragesApi).prefix("/api/v1") {}

/** Shows a storage; `resource` is its application or database, or the part of a service. */
export const showStorage = (storage: Storage, resource: string = storage.applicationUuid) => ({
  ...stampsOf(storage),
  resource_uuid: resource,
  name: storage.name,
  mount_path: storage.mountPath,
  host_path: storage.hostPath,
  volume_name: storage.hostPath === null ? volumeName(storage.applicationUuid, storage.name) : null,
  ...coolifyStorageFields
})

/** Returns the input of a use case for the changes of a storage in a request. */
export const storageInput = ({ host_path: hostPath, mount_path: mountPath, name }: typeof StorageChange.Type) => ({
  ...(name === undefined ? {} : { name }),
  ...(mountPath === undefined ? {} : { mountPath }),
  ...(hostPath === undefined ? {} : { hostPath })
})

/** The handlers of the storages of applications. */
export const layerStorages = HttpApiBuilder.group(Api, "storages", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          return {
            persistent_storages: (yield* Storages.list(proof)).map((storage) => showStorage(storage)),
            file_storages: []
          }
        })
      ),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          const { host_path: hostPath = null, mount_path: mountPath, name } = payload
          return showStorage(yield* Storages.create(proof, { name, mountPath, hostPath, service: null }))
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          return showStorage(yield* Storages.update(proof, payload, storageInput(payload)))
        })
      ),
    remove: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.storage.delete")
          yield* Storages.remove(proof)
          return { message: "Storage deleted." }
        })
      )
  })
)
