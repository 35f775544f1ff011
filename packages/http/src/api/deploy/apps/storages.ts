import { MountPath, StorageName } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { Message, stamps } from "../base/schemas.ts"

/** A storage as shown in answers. */
export const Storage = Schema.Struct({
  ...stamps,
  resource_uuid: Schema.String,
  name: Schema.String,
  mount_path: Schema.String,
  host_path: Schema.NullOr(Schema.String),
  /** The volume on its server; null for a path of the server. */
  volume_name: Schema.NullOr(Schema.String),
  ...sameFields.storage
}).annotate({ identifier: "Storage" })

/** The storages of an application; it has no file storages. */
export const Storages = Schema.Struct({
  persistent_storages: Schema.Array(Storage),
  file_storages: Schema.Array(Storage).check(Schema.isMaxLength(0))
}).annotate({ identifier: "Storages" })

const type = Schema.String.check(
  Schema.makeFilter((value: string) =>
    value === "persistent" ? undefined : "Must be `persistent`: files are not separate storages here."
  )
)

const creation = {
  type,
  name: StorageName,
  mount_path: MountPath,
  host_path: Schema.optionalKey(Schema.NullOr(MountPath))
}

/** The body that adds a storage. */
export const StorageCreation = Schema.Struct(creation).annotate({ identifier: "StorageCreation" })

/** The body that adds a storage to an application or database of a service. */
export const ServiceStorageCreation = Schema.Struct({ ...creation, resource_uuid: Schema.String }).annotate({
  identifier: "ServiceStorageCreation"
})

/** The body that changes a storage, named by its uuid or its number. */
export const StorageChange = Schema.Struct({
  type,
  uuid: Schema.optionalKey(Schema.String),
  id: Schema.optionalKey(Schema.Int),
  name: Schema.optionalKey(StorageName),
  mount_path: Schema.optionalKey(MountPath),
  host_path: Schema.optionalKey(Schema.NullOr(MountPath)),
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

/** The requests and answers of the endpoints of storages of applications, databases and services. */
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
