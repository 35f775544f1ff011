import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"

/** The endpoints of the site itself. */
export class SiteApi extends HttpApiGroup.make("site")
  .add(
    HttpApiEndpoint.get("version", "/version", { success: Schema.Struct({ version: Schema.String }) }).annotate(
      OpenApi.Summary,
      "Read the version of the forge"
    )
  )
  .annotate(OpenApi.Description, "The site itself.") {}
