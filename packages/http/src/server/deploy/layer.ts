import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { DeployApi } from "../../api/deploy/DeployApi.ts"
import { cacheAnswer } from "../answerCache.ts"
import { errorBodies } from "../errorBodies.ts"
import { homePaths, homeRoutes } from "../home.ts"
import { referencePaths } from "../reference/paths.ts"
import { referenceRoutes } from "../reference/routes.ts"
import { layerPeople } from "./administration/people.ts"
import { layerSettings } from "./administration/settings.ts"
import { layerApplications } from "./apps/applications.ts"
import { layerDeployments } from "./apps/deployments.ts"
import { layerPreviews } from "./apps/previews.ts"
import { layerProjects } from "./apps/projects.ts"
import { layerResources } from "./apps/resources.ts"
import { layerRuns } from "./apps/runs.ts"
import { layerScheduledTasks } from "./apps/scheduled-tasks.ts"
import { layerSharedVariables } from "./apps/shared-variables.ts"
import { layerStorages } from "./apps/storages.ts"
import { layerTags } from "./apps/tags.ts"
import { layerVariables } from "./apps/variables.ts"
import { layerWebhooks } from "./apps/webhooks.ts"
import { failureMessages } from "./base/errors.ts"
import { layerEveryEndpointGuarded, layerGuard } from "./base/guard.ts"
import { layerInputs } from "./base/inputs.ts"
import { layerSignatureGuard } from "./base/signature.ts"
import { layerBackups } from "./databases/backups.ts"
import { layerDatabases } from "./databases/databases.ts"
import { layerRestores } from "./databases/restores.ts"
import { accountPaths, accountRoutes } from "./identity/account-pages.ts"
import { layerAccounts } from "./identity/accounts.ts"
import { SignInSite } from "./identity/SignInSite.ts"
import { signInPaths, signInRoutes } from "./identity/sign-in-pages.ts"
import { layerTokens } from "./identity/tokens.ts"
import { layerCleanups } from "./infrastructure/cleanups.ts"
import { layerForgeApps } from "./infrastructure/forge-apps.ts"
import { layerForgeConnections } from "./infrastructure/forge-connections.ts"
import { layerGitlabApps } from "./infrastructure/gitlab-apps.ts"
import { layerKeys } from "./infrastructure/keys.ts"
import { layerLogDrains } from "./infrastructure/log-drains.ts"
import { layerMetrics } from "./infrastructure/metrics.ts"
import { layerNotifications } from "./infrastructure/notifications.ts"
import { layerRegistries } from "./infrastructure/registries.ts"
import { layerS3Storages } from "./infrastructure/s3-storages.ts"
import { layerServers } from "./infrastructure/servers.ts"
import { layerDatabaseSettings } from "./runtime/database-settings.ts"
import { layerHealthChecks } from "./runtime/health-checks.ts"
import { layerLogs } from "./runtime/logs.ts"
import { layerPlans } from "./runtime/plans.ts"
import { layerServiceParts } from "./runtime/service-parts.ts"
import { layerServiceSettings } from "./runtime/service-settings.ts"
import { layerServices } from "./runtime/services.ts"
import { terminalPaths, terminalRoutes } from "./runtime/terminalSockets.ts"
import { layerTerminals } from "./runtime/terminals.ts"
import { layerTransfers } from "./runtime/transfers.ts"
import { layerVolumeBackups } from "./runtime/volume-backups.ts"

const handlers = Layer.mergeAll(
  layerAccounts,
  layerApplications,
  layerBackups,
  layerRestores,
  layerCleanups,
  layerDatabases,
  layerDatabaseSettings,
  layerDeployments,
  layerForgeApps,
  layerGitlabApps,
  layerLogDrains,
  layerMetrics,
  layerRegistries,
  layerS3Storages,
  layerForgeConnections,
  layerHealthChecks,
  layerKeys,
  layerLogs,
  layerPlans,
  layerNotifications,
  layerPeople,
  layerProjects,
  layerResources,
  layerRuns,
  layerScheduledTasks,
  layerServers,
  layerServices,
  layerServiceParts,
  layerServiceSettings,
  layerSettings,
  layerSharedVariables,
  layerStorages,
  layerPreviews,
  layerTags,
  layerTerminals,
  layerTokens,
  layerVariables,
  layerTransfers,
  layerVolumeBackups,
  layerWebhooks
)

/** Returns the headers of every response: no caching, and no content type guessing. */
const headers = (_: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) => ({
  "cache-control": response.headers["cache-control"] ?? "no-store",
  "x-content-type-options": "nosniff"
})

const healthy = HttpServerResponse.text("OK")
const healthPaths = ["/health", "/api/v1/health"] as const

/** Layer with the health endpoints, which return `OK` as long as the process runs. */
const healthRoutes = HttpRouter.use((router) =>
  Effect.forEach(
    healthPaths,
    (path) => {
      cacheAnswer(router, path, healthy)
      return router.add("GET", path, Effect.succeed(healthy))
    },
    { discard: true }
  )
)

const pages = [
  ...homePaths,
  ...referencePaths,
  ...healthPaths,
  ...Object.values(signInPaths),
  ...Object.values(accountPaths),
  ...terminalPaths
]

/** Layer with all routes of the deployment platform: the API, its OpenAPI document and the reference page. */
export const layer = Layer.mergeAll(
  layerEveryEndpointGuarded(DeployApi),
  HttpApiBuilder.layer(DeployApi).pipe(
    Layer.provide(handlers.pipe(Layer.provide([layerGuard, layerSignatureGuard, layerInputs]))),
    Layer.provide([layerGuard, layerSignatureGuard, layerInputs])
  ),
  referenceRoutes(DeployApi),
  Layer.unwrap(
    Effect.map(SignInSite, ({ rootUrl }) =>
      errorBodies(DeployApi, failureMessages, (message) => ({ message }), {
        pages,
        headers,
        site: rootUrl === undefined ? {} : { rootUrl }
      })
    )
  ),
  healthRoutes,
  signInRoutes,
  accountRoutes,
  terminalRoutes,
  homeRoutes({
    title: "Slipway deploy",
    what: "A deployment platform: applications are placed on servers, built from an image, a Dockerfile or a git repository, and served.",
    links: [{ path: signInPaths.signIn, name: "Sign in", what: "to open the console" }]
  })
)
