import { Schema } from "effect"
import { endpoints, raw, read } from "../base/endpoints.ts"
import { NotImplementedBody } from "../base/errors.ts"

/** The version of the service. */
export const ServerVersion = Schema.Struct({ version: Schema.String }).annotate({ identifier: "ServerVersion" })

/** The interface settings that clients can read. */
export const GeneralUISettings = Schema.Struct({
  default_theme: Schema.String,
  allowed_reactions: Schema.Array(Schema.String),
  custom_emojis: Schema.Array(Schema.String)
}).annotate({ identifier: "GeneralUISettings" })

/** The page and size limits of the API. */
export const GeneralAPISettings = Schema.Struct({
  max_response_items: Schema.Int,
  default_paging_num: Schema.Int,
  default_git_trees_per_page: Schema.Int,
  default_max_blob_size: Schema.Int,
  default_max_response_size: Schema.Int
}).annotate({ identifier: "GeneralAPISettings" })

/** The limits of attachments. */
export const GeneralAttachmentSettings = Schema.Struct({
  enabled: Schema.Boolean,
  allowed_types: Schema.String,
  max_size: Schema.Int,
  max_files: Schema.Int
}).annotate({ identifier: "GeneralAttachmentSettings" })

/** The disabled features of repositories. */
export const GeneralRepoSettings = Schema.Struct({
  mirrors_disabled: Schema.Boolean,
  http_git_disabled: Schema.Boolean,
  migrations_disabled: Schema.Boolean,
  stars_disabled: Schema.Boolean,
  time_tracking_disabled: Schema.Boolean,
  lfs_disabled: Schema.Boolean
}).annotate({ identifier: "GeneralRepoSettings" })

const unbuilt = raw({ status: 501, answer: NotImplementedBody })

/** The endpoints of the site itself. */
export const siteEndpoints = endpoints("site", "The site itself: its version, settings and reference.", {
  "version.read": read(ServerVersion),
  "settings.ui.read": read(GeneralUISettings),
  "settings.api.read": read(GeneralAPISettings),
  "settings.attachment.read": read(GeneralAttachmentSettings),
  "settings.repository.read": read(GeneralRepoSettings),
  "api-reference.read": raw({ status: 302 }),
  "nodeinfo.read": unbuilt,
  "activitypub.read": unbuilt,
  "activitypub.write": unbuilt
})
