import { TagName, TagNames } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { listOf, Message, pageQuery } from "../base/schemas.ts"

/** A tag as returned by the API. */
export const Tag = Schema.Struct({
  uuid: Schema.String,
  name: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "Tag" })

/** The request body that adds tags to an application: one name or several. */
export const TagAddition = Schema.Struct({
  tag_name: Schema.optionalKey(TagName),
  tag_names: Schema.optionalKey(TagNames)
}).check(
  Schema.makeFilter((body: { readonly tag_name?: string; readonly tag_names?: ReadonlyArray<string> }) =>
    body.tag_name === undefined && body.tag_names === undefined
      ? ["tag_name", "tag_names"].map((field) => ({
          path: [field],
          issue: "Either tag_name or tag_names is required."
        }))
      : undefined
  )
)

/** The request body that names a tag. */
export const TagBody = Schema.Struct({ name: TagName }).annotate({ identifier: "TagBody" })

const uuid = { uuid: Schema.String }
const tag = { tag: Schema.String }

/** The requests and responses of the endpoints of the tags of applications, databases and services. */
export const tagEndpoints = {
  list: { params: uuid, success: Schema.Array(Tag), error: NotFoundBody },
  add: {
    params: uuid,
    payload: TagAddition,
    success: Schema.Array(Tag).pipe(HttpApiSchema.status(201)),
    error: [...bodyErrors, NotFoundBody]
  },
  remove: { params: { ...uuid, tag: Schema.String }, success: Message, error: NotFoundBody }
} as const

/** The endpoints of tags, and of the tags of an application. */
export class TagsApi extends HttpApiGroup.make("tags")
  .add(
    HttpApiEndpoint.get("list", "/applications/:uuid/tags", tagEndpoints.list)
      .annotate(OpenApi.Summary, "List the tags of an application")
      .pipe(access("application.tag.list")),
    HttpApiEndpoint.post("add", "/applications/:uuid/tags", tagEndpoints.add)
      .annotate(OpenApi.Summary, "Add tags to an application")
      .pipe(access("application.tag.add")),
    HttpApiEndpoint.delete("remove", "/applications/:uuid/tags/:tag", tagEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a tag from an application")
      .pipe(access("application.tag.remove")),
    HttpApiEndpoint.get("listAll", "/tags", { query: pageQuery, success: listOf(Tag), error: BadRequestBody })
      .annotate(OpenApi.Summary, "List all tags")
      .pipe(access("tag.list")),
    HttpApiEndpoint.post("create", "/tags", {
      payload: TagBody,
      success: HttpApiSchema.WithHeaders(Tag.pipe(HttpApiSchema.status(201)), { location: Schema.String }),
      error: [...bodyErrors, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Create a tag")
      .pipe(access("tag.create")),
    HttpApiEndpoint.get("get", "/tags/:tag", { params: tag, success: Tag, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a tag")
      .pipe(access("tag.read")),
    HttpApiEndpoint.patch("rename", "/tags/:tag", {
      params: tag,
      payload: TagBody,
      success: Tag,
      error: [...bodyErrors, ConflictBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Rename a tag of all its applications")
      .pipe(access("tag.update")),
    HttpApiEndpoint.delete("delete", "/tags/:tag", { params: tag, success: Message, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Delete a tag, and remove it from all resources")
      .pipe(access("tag.delete"))
  )
  .annotate(OpenApi.Description, "Tags, which filter lists of applications.") {}
