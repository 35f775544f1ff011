import { FileContent, MountPath, StorageName } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { Message, stamps } from "../base/schemas.ts"

/** A storage as returned by the API. */
export const Storage = Schema.Struct({
  ...stamps,
  resource_uuid: Schema.String,
  name: Schema.String,
  mount_path: Schema.String,
  host_path: Schema.NullOr(Schema.String),
  /** The name of the volume on the server; null if the storage is a path of the server. */
  volume_name: Schema.NullOr(Schema.String),
  /** The content of a file; null for a directory, and for tokens without `read:sensitive`. */
  content: Schema.NullOr(Schema.String),
  ...sameFields.storage
}).annotate({ identifier: "Storage" })

/** The directories and the files of a resource. */
export const Storages = Schema.Struct({
  persistent_storages: Schema.Array(Storage),
  file_storages: Schema.Array(Storage)
}).annotate({ identifier: "Storages" })

const type = Schema.Literals(["persistent", "file"])

const creation = {
  type,
  name: Schema.optionalKey(StorageName),
  mount_path: MountPath,
  host_path: Schema.optionalKey(Schema.NullOr(MountPath)),
  content: Schema.optionalKey(FileContent),
  is_directory: Schema.optionalKey(Schema.Boolean),
  fs_path: Schema.optionalKey(MountPath)
}

/** For each type of storage: the required field, and the fields that are not allowed. */
const typeFields = {
  persistent: { required: "name", foreign: ["content", "is_directory", "fs_path"] },
  file: { required: "content", foreign: ["host_path", "fs_path"] },
  // A directory of the server, which Coolify clients add as a file.
  directory: { required: "fs_path", foreign: ["content", "host_path"] }
} as const

const ofType = Schema.makeFilter(
  (body: {
    readonly type: "file" | "persistent"
    readonly name?: string
    readonly content?: string
    readonly host_path?: string | null
    readonly is_directory?: boolean
    readonly fs_path?: string
  }) => {
    const isDirectory = body.type === "file" && body.is_directory === true
    const { foreign, required } = typeFields[isDirectory ? "directory" : body.type]
    const kind = isDirectory ? "a directory" : `the type ${body.type}`
    const problems = [
      ...(body[required] === undefined ? [{ path: [required], issue: `Is required for ${kind}.` }] : []),
      ...foreign
        .filter((field) => (body[field] ?? undefined) !== undefined)
        .map((field) => ({ path: [field], issue: `Is not allowed for ${kind}.` }))
    ]
    return problems.length === 0 ? undefined : problems
  }
)

/** The body that adds a storage: a volume, a directory of the server, or a file with its content. */
export const StorageCreation = Schema.Struct(creation).check(ofType).annotate({ identifier: "StorageCreation" })

/** The request body that adds a storage to an application or database of a service. */
export const ServiceStorageCreation = Schema.Struct({ ...creation, resource_uuid: Schema.String })
  .check(ofType)
  .annotate({ identifier: "ServiceStorageCreation" })

/** The request body that changes a storage; it identifies the storage by its uuid or its id. */
export const StorageChange = Schema.Struct({
  type,
  uuid: Schema.optionalKey(Schema.String),
  id: Schema.optionalKey(Schema.Int),
  name: Schema.optionalKey(StorageName),
  mount_path: Schema.optionalKey(MountPath),
  host_path: Schema.optionalKey(Schema.NullOr(MountPath)),
  content: Schema.optionalKey(FileContent),
  is_preview_suffix_enabled: Schema.optionalKey(sameFields.storage.is_preview_suffix_enabled)
})
  .check(
    Schema.makeFilter((body: { readonly uuid?: string; readonly id?: number }) =>
      (body.uuid === undefined) === (body.id === undefined)
        ? ["uuid", "id"].map((field) => ({ path: [field], issue: "One of uuid and id is required." }))
        : undefined
    )
  )
  .annotate({ identifier: "StorageChange" })

const uuid = { uuid: Schema.String }

/** The requests and responses of the endpoints of storages of applications, databases and services. */
export const storageEndpoints = {
  list: { params: uuid, success: Storages, error: NotFoundBody },
  create: {
    params: uuid,
    payload: StorageCreation,
    success: Storage.pipe(HttpApiSchema.status(201)),
    error: [...bodyErrors, ConflictBody, NotFoundBody]
  },
  update: {
    params: uuid,
    payload: StorageChange,
    success: Storage,
    error: [...bodyErrors, ConflictBody, NotFoundBody]
  },
  remove: { params: { ...uuid, storage_uuid: Schema.String }, success: Message, error: NotFoundBody }
} as const

/** The endpoints of the storages of an application. */
export class StoragesApi extends HttpApiGroup.make("storages")
  .add(
    HttpApiEndpoint.get("list", "/applications/:uuid/storages", storageEndpoints.list)
      .annotate(OpenApi.Summary, "List the storages of an application")
      .pipe(access("application.read")),
    HttpApiEndpoint.post("create", "/applications/:uuid/storages", storageEndpoints.create)
      .annotate(OpenApi.Summary, "Add a storage, from the next deployment on")
      .pipe(access("application.update")),
    HttpApiEndpoint.patch("update", "/applications/:uuid/storages", storageEndpoints.update)
      .annotate(OpenApi.Summary, "Change a storage")
      .pipe(access("application.update")),
    HttpApiEndpoint.delete("remove", "/applications/:uuid/storages/:storage_uuid", storageEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a storage; the data in its volume stays")
      .pipe(access("application.storage.delete"))
  )
  .annotate(OpenApi.Description, "Storages of applications: data that outlives their containers.") {}
