import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { bodyErrors, DomainConflictsBody } from "../base/errors.ts"
import { DomainList, Message } from "../base/schemas.ts"

/** The settings of the instance as returned by the API. */
export const Settings = Schema.Struct({
  instance_domains: Schema.String,
  /** Whether API tokens are accepted; sessions are always accepted. */
  is_api_enabled: Schema.Boolean,
  /** Whether the platform serves `/mcp`. */
  is_mcp_server_enabled: Schema.Boolean,
  updated_at: Schema.String
}).annotate({
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
    HttpApiEndpoint.post("enable", "/enable", { success: Message })
      .annotate(OpenApi.Summary, "Let tokens use the API")
      .pipe(access("api.enable")),
    HttpApiEndpoint.post("disable", "/disable", { success: Message })
      .annotate(OpenApi.Summary, "Reject all requests with tokens, except those that enable the API")
      .pipe(access("api.disable")),
    HttpApiEndpoint.post("enableMcp", "/mcp/enable", { success: Message })
      .annotate(OpenApi.Summary, "Serve the endpoint `/mcp` of the Model Context Protocol")
      .pipe(access("mcp.enable")),
    HttpApiEndpoint.post("disableMcp", "/mcp/disable", { success: Message })
      .annotate(OpenApi.Summary, "Stop serving the endpoint `/mcp`; it answers 404")
      .pipe(access("mcp.disable")),
    HttpApiEndpoint.get("version", "/version", { success: Schema.String.pipe(HttpApiSchema.asText()) })
      .annotate(OpenApi.Summary, "Read the version of the platform")
      .pipe(access("version.read"))
  )
  .annotate(OpenApi.Description, "The platform instance.") {}
