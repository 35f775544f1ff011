import { SiteSettings } from "@slipway/domain/forge/base"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { siteEndpoints } from "../../../api/forge/administration/site.ts"
import { ProgramVersion } from "../../version.ts"
import { PublicUrl, referenceUrl } from "../base/PublicUrl.ts"
import { handleCached } from "../entry/handle.ts"

const notImplemented = () =>
  Effect.map(PublicUrl, (served) =>
    HttpServerResponse.jsonUnsafe({ message: "not implemented", url: referenceUrl(served) }, { status: 501 })
  )

/** The version of Gitea's API that the forge implements; clients use it to detect features. */
const apiLevel = "1.25.5"

/** The handlers for the endpoints of version, settings and reference of the site. */
export const layerSite = handleCached(siteEndpoints, {
  "version.read": () => Effect.map(ProgramVersion, (version) => ({ version: `${apiLevel}+slipway-${version}` })),
  "settings.ui.read": () =>
    Effect.map(SiteSettings, ({ ui }) => ({
      default_theme: ui.defaultTheme,
      allowed_reactions: ui.allowedReactions,
      custom_emojis: ui.customEmojis
    })),
  "settings.api.read": () =>
    Effect.map(SiteSettings, ({ api }) => ({
      max_response_items: api.maxPageSize,
      default_paging_num: api.defaultPageSize,
      default_git_trees_per_page: api.treesPageSize,
      default_max_blob_size: api.maxBlobSize,
      default_max_response_size: api.maxResponseSize
    })),
  "settings.attachment.read": () =>
    Effect.map(SiteSettings, ({ attachment, switches }) => ({
      enabled: switches.attachments,
      allowed_types: attachment.allowedTypes,
      max_size: attachment.maxSize,
      max_files: attachment.maxFiles
    })),
  "settings.repository.read": () =>
    Effect.map(SiteSettings, ({ repository, switches }) => ({
      mirrors_disabled: repository.mirrorsDisabled,
      http_git_disabled: repository.httpGitDisabled,
      migrations_disabled: repository.migrationsDisabled,
      stars_disabled: !switches.stars,
      time_tracking_disabled: !switches.timeTracking,
      lfs_disabled: repository.lfsDisabled
    })),
  "api-reference.read": () =>
    Effect.map(PublicUrl, (served) =>
      HttpServerResponse.empty({ status: 302, headers: { location: referenceUrl(served) } })
    ),
  "nodeinfo.read": notImplemented,
  "activitypub.read": notImplemented,
  "activitypub.write": notImplemented
})
