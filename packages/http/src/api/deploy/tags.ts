import { line, nonEmpty } from "@slipway/domain/deploy"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { bodyErrors, NotFoundBody } from "./errors.ts"
import { Message } from "./schemas.ts"

/** A tag as it is shown. */
export const Tag = Schema.Struct({ uuid: Schema.String, name: Schema.String }).annotate({ identifier: "Tag" })

const TagName = nonEmpty(line(100))

/** The body that gives tags to an application: one name or several. */
export const TagAddition = Schema.Struct({
  tag_name: Schema.optionalKey(TagName),
  tag_names: Schema.optionalKey(
    Schema.Array(TagName).check(Schema.isMaxLength(50, { message: "Must have at most 50 entries." }))
  )
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

const uuid = { uuid: Schema.String }

/** The endpoints of an application's tags. */
export class TagsApi extends HttpApiGroup.make("tags")
  .add(
    HttpApiEndpoint.get("list", "/applications/:uuid/tags", {
      params: uuid,
      success: Schema.Array(Tag),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the tags of an application")
      .pipe(access("application.tag.list")),
    HttpApiEndpoint.post("add", "/applications/:uuid/tags", {
      params: uuid,
      payload: TagAddition,
      success: Schema.Array(Tag).pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Give tags to an application")
      .pipe(access("application.tag.add")),
    HttpApiEndpoint.delete("remove", "/applications/:uuid/tags/:tag", {
      params: { ...uuid, tag: Schema.String },
      success: Message,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Take a tag from an application")
      .pipe(access("application.tag.remove"))
  )
  .annotate(OpenApi.Description, "Tags, by which lists of applications are filtered.") {}
