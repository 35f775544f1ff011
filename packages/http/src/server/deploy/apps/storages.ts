import { Storages } from "@slipway/deploy/apps"
import { fileNameOf, type Storage } from "@slipway/domain/deploy/apps"
import { volumeName } from "@slipway/domain/deploy/containers"
import { Effect, Option, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type StorageChange, type StorageCreation, StoragesApi } from "../../../api/deploy/apps/storages.ts"
import { coolifyStorageFields } from "../../../api/deploy/base/coolifyFields.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"
import { mayReadSecrets, type OwnerProof } from "./variables.ts"

class Api extends HttpApi.make("deploy").add(StoragesApi).prefix("/api/v1") {}

/** Converts a storage to its API response; `resource` is the uuid of its application, database or service part. */
const showStorage = (storage: Storage, content: string | null, resource: string) => ({
  ...stampsOf(storage),
  resource_uuid: resource,
  name: storage.name,
  mount_path: storage.mountPath,
  host_path: storage.hostPath,
  volume_name:
    storage.hostPath === null && storage.content === null ? volumeName(storage.applicationUuid, storage.name) : null,
  content,
  ...coolifyStorageFields
})

/** Returns the resource uuid of a storage for API responses; undefined for the storage's own application. */
type ResourceOf = (storage: Storage) => string | undefined

const ownResource: ResourceOf = () => undefined

/** Converts storages to API responses, with the content of files if the caller has permission to see secrets. */
const showAll = Effect.fnUntraced(function* (
  proof: OwnerProof,
  storages: ReadonlyArray<Storage>,
  resourceOf: ResourceOf
) {
  const secrets = yield* Effect.option(mayReadSecrets(proof.resource))
  const contents = Option.isNone(secrets) ? undefined : yield* Storages.contents(secrets.value, storages)
  return storages.map((storage) =>
    showStorage(storage, contents?.get(storage.uuid) ?? null, resourceOf(storage) ?? storage.applicationUuid)
  )
})

/** Converts one storage to its API response. */
export const showOne = Effect.fnUntraced(function* (
  proof: OwnerProof,
  storage: Storage,
  resourceOf: ResourceOf = ownResource
) {
  const [shown] = yield* showAll(proof, [storage], resourceOf)
  // INVARIANT: one result for one storage.
  return shown as NonNullable<typeof shown>
})

/** Returns the API response with the directory and file storages of a resource. */
export const showStorages = Effect.fnUntraced(function* (
  proof: OwnerProof,
  storages: ReadonlyArray<Storage>,
  resourceOf: ResourceOf = ownResource
) {
  const show = (isFile: boolean) =>
    showAll(
      proof,
      storages.filter(({ content }) => (content !== null) === isFile),
      resourceOf
    )
  return { persistent_storages: yield* show(false), file_storages: yield* show(true) }
})

/** Converts the request body that adds a storage to the input of the use case. */
export const newStorage = (body: typeof StorageCreation.Type, service: string | null = null): Storages.NewStorage => ({
  name: body.name ?? fileNameOf(body.mount_path),
  mountPath: body.mount_path,
  hostPath: body.fs_path ?? body.host_path ?? null,
  service,
  ...(body.content === undefined ? {} : { content: Redacted.make(body.content) })
})

/** Converts the request body that changes a storage to the input of the use case. */
export const storageInput = ({
  content,
  host_path: hostPath,
  mount_path: mountPath,
  name
}: typeof StorageChange.Type): Partial<Storages.NewStorage> => ({
  ...(name === undefined ? {} : { name }),
  ...(mountPath === undefined ? {} : { mountPath }),
  ...(hostPath === undefined ? {} : { hostPath }),
  ...(content === undefined ? {} : { content: Redacted.make(content) })
})

/** The handlers of the storages of applications. */
export const layerStorages = HttpApiBuilder.group(Api, "storages", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          return yield* showStorages(proof, yield* Storages.list(proof))
        })
      ),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          return yield* showOne(proof, yield* Storages.create(proof, newStorage(payload)))
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          return yield* showOne(proof, yield* Storages.update(proof, payload, storageInput(payload), payload.type))
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
