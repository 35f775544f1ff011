import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { NotFoundBody } from "../base/errors.ts"
import { Message } from "../base/schemas.ts"

/** The preview of a pull request as returned by the API; its other fields are read from its application. */
export const Preview = Schema.Struct({
  pull_request_id: Schema.Number,
  /** The uuid of the preview's own application. */
  uuid: Schema.String,
  /** The parent application of the preview. */
  application_uuid: Schema.String,
  /** The deployed branch; null if the commit is looked up by the number of the pull request. */
  branch: Schema.NullOr(Schema.String),
  fqdn: Schema.NullOr(Schema.String),
  created_at: Schema.String
}).annotate({ identifier: "Preview" })

const uuid = { uuid: Schema.String }

/** The endpoints of the previews of an application. */
export class PreviewsApi extends HttpApiGroup.make("previews")
  .add(
    HttpApiEndpoint.get("list", "/applications/:uuid/previews", {
      params: uuid,
      success: Schema.Array(Preview),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the previews of an application by pull request")
      .pipe(access("application.preview.list")),
    HttpApiEndpoint.delete("remove", "/applications/:uuid/previews/:pull_request_id", {
      params: { ...uuid, pull_request_id: Schema.String },
      success: HttpApiSchema.WithHeaders(Message, { location: Schema.String }),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Remove the preview of a pull request with its containers, volumes and routes")
      .pipe(access("application.preview.delete"))
  )
  .annotate(OpenApi.Description, "Previews: temporary applications for pull requests.") {}
