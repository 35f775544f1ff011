import type { LoadedAction } from "@slipway/domain/forge"
import { SiteSettings } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import type { Granted } from "../../api/forge/access.ts"
import { NotImplementedBody } from "../../api/forge/errors.ts"
import { SiteApi } from "../../api/forge/site.ts"
import { ProgramVersion } from "../version.ts"
import { granted } from "./guard.ts"
import { PublicUrl, referenceUrl } from "./PublicUrl.ts"

class Api extends HttpApi.make("forge").add(SiteApi).prefix("/api/v1") {}

const notImplemented = <A extends LoadedAction>(
  action: A
): Effect.Effect<never, NotImplementedBody, Granted<A> | PublicUrl> =>
  Effect.gen(function* () {
    yield* granted(action)
    return yield* new NotImplementedBody({ message: "not implemented", url: referenceUrl(yield* PublicUrl) })
  })

/** The handlers of the site itself. */
export const layerSite = HttpApiBuilder.group(Api, "site", (handlers) =>
  handlers.handleAll({
    version: () =>
      Effect.gen(function* () {
        yield* granted("version.read")
        return { version: yield* ProgramVersion }
      }),
    uiSettings: () =>
      Effect.gen(function* () {
        yield* granted("settings.ui.read")
        const { ui } = yield* SiteSettings
        return {
          default_theme: ui.defaultTheme,
          allowed_reactions: ui.allowedReactions,
          custom_emojis: ui.customEmojis
        }
      }),
    apiSettings: () =>
      Effect.gen(function* () {
        yield* granted("settings.api.read")
        const { api } = yield* SiteSettings
        return {
          max_response_items: api.maxPageSize,
          default_paging_num: api.defaultPageSize,
          default_git_trees_per_page: api.treesPageSize,
          default_max_blob_size: api.maxBlobSize,
          default_max_response_size: api.maxResponseSize
        }
      }),
    attachmentSettings: () =>
      Effect.gen(function* () {
        yield* granted("settings.attachment.read")
        const { attachment, switches } = yield* SiteSettings
        return {
          enabled: switches.attachments,
          allowed_types: attachment.allowedTypes,
          max_size: attachment.maxSize,
          max_files: attachment.maxFiles
        }
      }),
    repositorySettings: () =>
      Effect.gen(function* () {
        yield* granted("settings.repository.read")
        const { repository, switches } = yield* SiteSettings
        return {
          mirrors_disabled: repository.mirrorsDisabled,
          http_git_disabled: repository.httpGitDisabled,
          migrations_disabled: repository.migrationsDisabled,
          stars_disabled: !switches.stars,
          time_tracking_disabled: repository.timeTrackingDisabled,
          lfs_disabled: repository.lfsDisabled
        }
      }),
    reference: () =>
      Effect.gen(function* () {
        yield* granted("api-reference.read")
        return HttpServerResponse.empty({ status: 302, headers: { location: referenceUrl(yield* PublicUrl) } })
      }),
    nodeinfo: () => notImplemented("nodeinfo.read"),
    activitypubGet: () => notImplemented("activitypub.read"),
    activitypubPost: () => notImplemented("activitypub.write"),
    activitypubPut: () => notImplemented("activitypub.write"),
    activitypubPatch: () => notImplemented("activitypub.write"),
    activitypubDelete: () => notImplemented("activitypub.write")
  })
)
