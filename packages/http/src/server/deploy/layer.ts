import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { DeployApi } from "../../api/deploy/DeployApi.ts"
import { errorBodies } from "../errorBodies.ts"
import { homePaths, homeRoutes } from "../home.ts"
import { keep } from "../kept.ts"
import { referencePaths, referenceRoutes } from "../reference.ts"
import { layerApplications } from "./applications.ts"
import { layerBackups } from "./backups.ts"
import { layerCleanups } from "./cleanups.ts"
import { layerDatabases } from "./databases.ts"
import { layerDeployments } from "./deployments.ts"
import { texts } from "./errors.ts"
import { layerForgeApps } from "./forge-apps.ts"
import { layerEveryEndpointGuarded, layerGuard } from "./guard.ts"
import { layerInputs } from "./inputs.ts"
import { layerKeys } from "./keys.ts"
import { layerLogs } from "./logs.ts"
import { layerPreviews } from "./previews.ts"
import { layerProjects } from "./projects.ts"
import { layerResources } from "./resources.ts"
import { layerRuns } from "./runs.ts"
import { layerScheduledTasks } from "./scheduled-tasks.ts"
import { layerServers } from "./servers.ts"
import { layerServices } from "./services.ts"
import { layerSettings } from "./settings.ts"
import { layerSharedVariables } from "./shared-variables.ts"
import { layerSignatureGuard } from "./signature.ts"
import { layerStorages } from "./storages.ts"
import { layerTags } from "./tags.ts"
import { layerTokens } from "./tokens.ts"
import { layerVariables } from "./variables.ts"
import { layerWebhooks } from "./webhooks.ts"

const handlers = Layer.mergeAll(
  layerApplications,
  layerBackups,
  layerCleanups,
  layerDatabases,
  layerDeployments,
  layerForgeApps,
  layerKeys,
  layerLogs,
  layerProjects,
  layerResources,
  layerRuns,
  layerScheduledTasks,
  layerServers,
  layerServices,
  layerSettings,
  layerSharedVariables,
  layerStorages,
  layerPreviews,
  layerTags,
  layerTokens,
  layerVariables,
  layerWebhooks
)

/** Returns what every answer says: that it isn't kept, and isn't taken for something else. */
const headers = (_: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) => ({
  "cache-control": response.headers["cache-control"] ?? "no-store",
  "x-content-type-options": "nosniff"
})

const healthy = HttpServerResponse.text("OK")
const healthPaths = ["/health", "/api/v1/health"] as const

/** Says that the process answers, to programs that ask nothing else. */
const healthRoutes = HttpRouter.use((router) =>
  Effect.forEach(
    healthPaths,
    (path) => {
      keep(router, path, healthy)
      return router.add("GET", path, Effect.succeed(healthy))
    },
    { discard: true }
  )
)

/** All routes of the deployment platform: its API, its description and its reference page. */
export const layer = Layer.mergeAll(
  layerEveryEndpointGuarded(DeployApi),
  HttpApiBuilder.layer(DeployApi).pipe(
    Layer.provide(handlers.pipe(Layer.provide([layerGuard, layerSignatureGuard, layerInputs]))),
    Layer.provide([layerGuard, layerSignatureGuard, layerInputs])
  ),
  referenceRoutes(DeployApi, { preferredSecurityScheme: "bearerAuth" }),
  errorBodies(DeployApi, texts, (message) => ({ message }), {
    pages: [...homePaths, ...referencePaths, ...healthPaths],
    headers
  }),
  healthRoutes,
  homeRoutes({
    title: "Slipway deploy",
    what: "A deployment platform: applications are placed on servers, built from an image, a Dockerfile or a git repository, and served."
  })
)
