import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { DeployApi } from "../../api/deploy/DeployApi.ts"
import { openApiRoute, referenceRoute } from "../description.ts"
import { errorBodies } from "../errorBodies.ts"
import { layerApplications } from "./applications.ts"
import { layerDeployments } from "./deployments.ts"
import { texts } from "./errors.ts"
import { layerForgeApps } from "./forge-apps.ts"
import { layerGuard, layerSchemaErrors } from "./guard.ts"
import { layerKeys } from "./keys.ts"
import { layerProjects } from "./projects.ts"
import { layerServers } from "./servers.ts"
import { layerServices } from "./services.ts"
import { layerSettings } from "./settings.ts"
import { layerTags } from "./tags.ts"
import { layerTokens } from "./tokens.ts"

const handlers = Layer.mergeAll(
  layerApplications,
  layerDeployments,
  layerForgeApps,
  layerKeys,
  layerProjects,
  layerServers,
  layerServices,
  layerSettings,
  layerTags,
  layerTokens
)

/** All routes of the deployment platform: its API, its description and its reference page. */
export const layer = Layer.mergeAll(
  HttpApiBuilder.layer(DeployApi).pipe(
    Layer.provide(handlers.pipe(Layer.provide([layerGuard, layerSchemaErrors]))),
    Layer.provide([layerGuard, layerSchemaErrors])
  ),
  openApiRoute(DeployApi),
  referenceRoute(DeployApi),
  errorBodies(DeployApi, texts, (message) => ({ message }))
)
