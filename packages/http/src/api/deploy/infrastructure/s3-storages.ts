import { line, lineThat, nonEmpty, text } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { createdAnswer, listOf, Message, Name, pageQuery, stamps } from "../base/schemas.ts"

const isEndpoint = (value: string): boolean => {
  if (!/^https?:\/\/[^\s@?#\\]+$/.test(value) || !URL.canParse(value)) return false
  return new URL(value).hostname !== ""
}

const Endpoint = lineThat(isEndpoint, "Must be an http(s) URL without user, query or fragment.", 2_048)
// The bucket is a part of paths and of signatures.
const Bucket = nonEmpty(
  lineThat(
    (value) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(value) && !value.includes(".."),
    "Must be letters, digits, dots, `_` and `-`.",
    255
  )
)
const Region = nonEmpty(
  lineThat(
    (value) => /^[A-Za-z0-9-]*$/.test(value),
    "Must be a region, such as us-east-1; `auto` if there is none.",
    64
  )
)
// Other characters cannot be part of a header.
const Key = nonEmpty(
  lineThat((value) => /^[\x21-\x7e]*$/.test(value), "Must be printable ASCII characters without spaces.", 1_000)
)
const Recipient = Schema.NullOr(line(255))

/** An S3 storage as returned by the API, without its keys. */
export const S3Storage = Schema.Struct({
  ...stamps,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  endpoint: Schema.String,
  bucket: Schema.String,
  region: Schema.String,
  is_usable: Schema.Boolean,
  /** The public key (recipient of the tool `age`) to encrypt new backups with; null for no encryption. */
  age_recipient: Recipient,
  team_id: Schema.Number
}).annotate({ identifier: "S3Storage" })

const optional = {
  description: Schema.optionalKey(Schema.NullOr(text(10_000))),
  is_usable: Schema.optionalKey(Schema.Boolean),
  age_recipient: Schema.optionalKey(Recipient)
}

/** The request body that stores an S3 storage. */
export const S3StorageCreation = Schema.Struct({
  name: Name,
  endpoint: Endpoint,
  bucket: Bucket,
  region: Region,
  key: Key,
  secret: Key,
  ...optional
})

/** The request body that changes an S3 storage. */
export const S3StorageChange = Schema.Struct({
  name: Schema.optionalKey(Name),
  endpoint: Schema.optionalKey(Endpoint),
  bucket: Schema.optionalKey(Bucket),
  region: Schema.optionalKey(Region),
  key: Schema.optionalKey(Key),
  secret: Schema.optionalKey(Key),
  ...optional
})

const all = "/s3-storages"
const path = "/s3-storages/:uuid"
const uuid = { uuid: Schema.String }

/** The endpoints of S3 storages. */
export class S3StoragesApi extends HttpApiGroup.make("s3-storages")
  .add(
    HttpApiEndpoint.get("list", all, { query: pageQuery, success: listOf(S3Storage), error: BadRequestBody })
      .annotate(OpenApi.Summary, "List S3 storages")
      .pipe(access("s3Storage.list")),
    HttpApiEndpoint.post("create", all, { payload: S3StorageCreation, success: createdAnswer, error: bodyErrors })
      .annotate(OpenApi.Summary, "Store an S3 storage")
      .pipe(access("s3Storage.create")),
    HttpApiEndpoint.get("get", path, { params: uuid, success: S3Storage, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read an S3 storage")
      .pipe(access("s3Storage.read")),
    HttpApiEndpoint.patch("update", path, {
      params: uuid,
      payload: S3StorageChange,
      success: S3Storage,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change an S3 storage")
      .pipe(access("s3Storage.update")),
    HttpApiEndpoint.delete("delete", path, { params: uuid, success: Message, error: [NotFoundBody, ConflictBody] })
      .annotate(OpenApi.Summary, "Delete an S3 storage that no backup schedule uses; its objects stay")
      .pipe(access("s3Storage.delete")),
    HttpApiEndpoint.post("validate", `${path}/validate`, {
      params: uuid,
      success: Schema.Struct({ valid: Schema.Boolean, message: Schema.String }),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Test the connection to an S3 storage, and set is_usable to the result")
      .pipe(access("s3Storage.validate"))
  )
  .annotate(OpenApi.Description, "Buckets of S3-compatible servers that receive backups of databases.") {}
