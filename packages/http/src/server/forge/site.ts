import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { SiteApi } from "../../api/forge/site.ts"
import { ProgramVersion } from "../version.ts"

class Api extends HttpApi.make("forge").add(SiteApi).prefix("/api/v1") {}

/** The handlers of the site itself. */
export const layerSite = HttpApiBuilder.group(Api, "site", (handlers) =>
  handlers.handleAll({ version: () => Effect.map(ProgramVersion, (version) => ({ version })) })
)
