import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { NotFoundBody } from "./errors.ts"

/** A licence in the list of them. */
export const LicensesTemplateListEntry = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  url: Schema.String
}).annotate({ identifier: "LicensesTemplateListEntry" })

/** A licence with its text. */
export const LicenseTemplateInfo = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  url: Schema.String,
  body: Schema.String
}).annotate({ identifier: "LicenseTemplateInfo" })

/** A template for `.gitignore`. */
export const GitignoreTemplateInfo = Schema.Struct({ name: Schema.String, source: Schema.String }).annotate({
  identifier: "GitignoreTemplateInfo"
})

const params = { name: Schema.String }

/** The endpoints of what new repositories can begin with. */
export class TemplatesApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("licenses", "/licenses", { success: Schema.Array(LicensesTemplateListEntry) })
      .annotate(OpenApi.Summary, "List the licences that a new repository can have")
      .pipe(access("license.list")),
    HttpApiEndpoint.get("license", "/licenses/:name", { params, success: LicenseTemplateInfo, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a licence")
      .pipe(access("license.read")),
    HttpApiEndpoint.get("gitignores", "/gitignore/templates", { success: Schema.Array(Schema.String) })
      .annotate(OpenApi.Summary, "List the templates for `.gitignore`")
      .pipe(access("gitignore-template.list")),
    HttpApiEndpoint.get("gitignore", "/gitignore/templates/:name", {
      params,
      success: GitignoreTemplateInfo,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read a template for `.gitignore`")
      .pipe(access("gitignore-template.read"))
  )
  .annotate(OpenApi.Description, "What new repositories can begin with.") {}
