import { HttpApi, OpenApi } from "effect/http-api"
import { ApplicationsApi } from "./applications.ts"
import { DeploymentsApi } from "./deployments.ts"
import { ForgeAppsApi } from "./forge-apps.ts"
import { KeysApi } from "./keys.ts"
import { ProjectsApi } from "./projects.ts"
import { ServersApi } from "./servers.ts"
import { ServicesApi } from "./services.ts"
import { SettingsApi } from "./settings.ts"
import { TagsApi } from "./tags.ts"
import { TokensApi } from "./tokens.ts"

/** The API of the deployment platform, without its implementation: importable by clients. */
export class DeployApi extends HttpApi.make("deploy")
  .add(ApplicationsApi)
  .add(TagsApi)
  .add(DeploymentsApi)
  .add(ProjectsApi)
  .add(ServersApi)
  .add(ServicesApi)
  .add(KeysApi)
  .add(ForgeAppsApi)
  .add(SettingsApi)
  .add(TokensApi)
  .prefix("/api/v1")
  .annotate(OpenApi.Title, "Slipway deploy")
  .annotate(OpenApi.Version, "0.1")
  .annotate(OpenApi.Description, "A deployment platform: applications placed on servers.") {}
