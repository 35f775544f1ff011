import { Storages } from "@slipway/deploy/apps"
import type { Storage } from "@slipway/domain/deploy/apps"
import { volumeName } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { StoragesApi } from "../../../api/deploy/apps/storages.ts"
import { coolifyStorageFields } from "../../../api/deploy/base/coolifyFields.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(StoragesApi).prefix("/api/v1") {}

const show = (storage: Storage) => ({
  ...stampsOf(storage),
  resource_uuid: storage.applicationUuid,
  name: storage.name,
  mount_path: storage.mountPath,
  host_path: storage.hostPath,
  volume_name: storage.hostPath === null ? volumeName(storage.applicationUuid, storage.name) : null,
  ...coolifyStorageFields
})

/** The handlers of the storages of applications. */
export const layerStorages = HttpApiBuilder.group(Api, "storages", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          return { persistent_storages: (yield* Storages.list(proof)).map(show), file_storages: [] }
        })
      ),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          const { host_path: hostPath = null, mount_path: mountPath, name } = payload
          return show(yield* Storages.create(proof, { name, mountPath, hostPath }))
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          const { host_path: hostPath, id, mount_path: mountPath, name, uuid } = payload
          const input = {
            ...(name === undefined ? {} : { name }),
            ...(mountPath === undefined ? {} : { mountPath }),
            ...(hostPath === undefined ? {} : { hostPath })
          }
          return show(yield* Storages.update(proof, { uuid, id }, input))
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
