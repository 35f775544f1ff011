import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { NotImplementedBody } from "./errors.ts"

/** The version of the service. */
export const ServerVersion = Schema.Struct({ version: Schema.String }).annotate({ identifier: "ServerVersion" })

/** What clients are told about the interface. */
export const GeneralUISettings = Schema.Struct({
  default_theme: Schema.String,
  allowed_reactions: Schema.Array(Schema.String),
  custom_emojis: Schema.Array(Schema.String)
}).annotate({ identifier: "GeneralUISettings" })

/** How much the API answers with. */
export const GeneralAPISettings = Schema.Struct({
  max_response_items: Schema.Int,
  default_paging_num: Schema.Int,
  default_git_trees_per_page: Schema.Int,
  default_max_blob_size: Schema.Int,
  default_max_response_size: Schema.Int
}).annotate({ identifier: "GeneralAPISettings" })

/** What may be attached. */
export const GeneralAttachmentSettings = Schema.Struct({
  enabled: Schema.Boolean,
  allowed_types: Schema.String,
  max_size: Schema.Int,
  max_files: Schema.Int
}).annotate({ identifier: "GeneralAttachmentSettings" })

/** What repositories can't do here. */
export const GeneralRepoSettings = Schema.Struct({
  mirrors_disabled: Schema.Boolean,
  http_git_disabled: Schema.Boolean,
  migrations_disabled: Schema.Boolean,
  stars_disabled: Schema.Boolean,
  time_tracking_disabled: Schema.Boolean,
  lfs_disabled: Schema.Boolean
}).annotate({ identifier: "GeneralRepoSettings" })

const unbuilt = { error: NotImplementedBody }
const federation = "Answer that federation is not implemented"

/** The endpoints of the site itself. */
export class SiteApi extends HttpApiGroup.make("site")
  .add(
    HttpApiEndpoint.get("version", "/version", { success: ServerVersion })
      .annotate(OpenApi.Summary, "Read the version of the service")
      .pipe(access("version.read")),
    HttpApiEndpoint.get("uiSettings", "/settings/ui", { success: GeneralUISettings })
      .annotate(OpenApi.Summary, "Read the settings of the interface")
      .pipe(access("settings.ui.read")),
    HttpApiEndpoint.get("apiSettings", "/settings/api", { success: GeneralAPISettings })
      .annotate(OpenApi.Summary, "Read how much the API answers with")
      .pipe(access("settings.api.read")),
    HttpApiEndpoint.get("attachmentSettings", "/settings/attachment", { success: GeneralAttachmentSettings })
      .annotate(OpenApi.Summary, "Read what may be attached")
      .pipe(access("settings.attachment.read")),
    HttpApiEndpoint.get("repositorySettings", "/settings/repository", { success: GeneralRepoSettings })
      .annotate(OpenApi.Summary, "Read what repositories can't do here")
      .pipe(access("settings.repository.read")),
    HttpApiEndpoint.get("reference", "/swagger", { success: HttpApiSchema.Empty(302) })
      .annotate(OpenApi.Summary, "Go to the interactive reference")
      .pipe(access("api-reference.read")),
    HttpApiEndpoint.get("nodeinfo", "/nodeinfo", unbuilt)
      .annotate(OpenApi.Summary, federation)
      .pipe(access("nodeinfo.read")),
    HttpApiEndpoint.get("activitypubGet", "/activitypub/*", unbuilt)
      .annotate(OpenApi.Summary, federation)
      .pipe(access("activitypub.read")),
    HttpApiEndpoint.post("activitypubPost", "/activitypub/*", unbuilt)
      .annotate(OpenApi.Summary, federation)
      .pipe(access("activitypub.write")),
    HttpApiEndpoint.put("activitypubPut", "/activitypub/*", unbuilt)
      .annotate(OpenApi.Summary, federation)
      .pipe(access("activitypub.write")),
    HttpApiEndpoint.patch("activitypubPatch", "/activitypub/*", unbuilt)
      .annotate(OpenApi.Summary, federation)
      .pipe(access("activitypub.write")),
    HttpApiEndpoint.delete("activitypubDelete", "/activitypub/*", unbuilt)
      .annotate(OpenApi.Summary, federation)
      .pipe(access("activitypub.write"))
  )
  .annotate(OpenApi.Description, "The site itself: its version, its settings, its reference.") {}
