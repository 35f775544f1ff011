import { HttpApi, OpenApi } from "effect/http-api"
import { SiteApi } from "./site.ts"

/** The API of the code hosting service, without its implementation: importable by clients. */
export class ForgeApi extends HttpApi.make("forge")
  .add(SiteApi)
  .prefix("/api/v1")
  .annotate(OpenApi.Title, "Slipway forge")
  .annotate(OpenApi.Version, "0.1")
  .annotate(OpenApi.Description, "A code hosting service.") {}
