import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { bodyErrors, DomainConflictsBody } from "../base/errors.ts"
import { DomainList } from "../base/schemas.ts"

/** The settings of the instance as shown in answers. */
export const Settings = Schema.Struct({ instance_domains: Schema.String, updated_at: Schema.String }).annotate({
  identifier: "Settings"
})

/** The endpoints of the instance itself. */
export class SettingsApi extends HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.get("get", "/settings", { success: Settings })
      .annotate(OpenApi.Summary, "Read the settings of the instance")
      .pipe(access("settings.read")),
    HttpApiEndpoint.patch("update", "/settings", {
      payload: Schema.Struct({
        instance_domains: DomainList,
        force_domain_override: Schema.optionalKey(Schema.Boolean)
      }),
      success: Settings,
      error: [...bodyErrors, DomainConflictsBody]
    })
      .annotate(OpenApi.Summary, "Set the platform's own addresses")
      .pipe(access("settings.update")),
    HttpApiEndpoint.get("version", "/version", { success: Schema.String.pipe(HttpApiSchema.asText()) })
      .annotate(OpenApi.Summary, "Read the version of the platform")
      .pipe(access("version.read"))
  )
  .annotate(OpenApi.Description, "The platform instance.") {}
