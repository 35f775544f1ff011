import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiScalar, OpenApi } from "effect/http-api"
import { DeployApi } from "../../api/deploy/DeployApi.ts"
import { errorBodies } from "../errorBodies.ts"
import { layerApplications } from "./applications.ts"
import { layerDeployments } from "./deployments.ts"
import { texts } from "./errors.ts"
import { layerForgeApps } from "./forge-apps.ts"
import { layerEveryEndpointGuarded, layerGuard } from "./guard.ts"
import { layerInputs } from "./inputs.ts"
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

// The description is the same for every request and large enough to be worth keeping as text.
const openApi = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const text = JSON.stringify(OpenApi.fromApi(DeployApi))
    yield* router.add(
      "GET",
      "/api/v1/openapi.json",
      Effect.succeed(HttpServerResponse.text(text, { contentType: "application/json" }))
    )
  })
)

/** How the reference page looks and what it leaves out: everything of it that would reach the internet. */
const scalar = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearerAuth" }
} as const

// Should the page's program have another idea of the internet, the browser doesn't let it.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const confined = HttpRouter.middleware(
  Effect.map(HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy))
).layer

const reference = HttpApiScalar.layer(DeployApi, { path: "/docs", scalar }).pipe(Layer.provide(confined))

/** All routes of the deployment platform: its API, its description and its reference page. */
export const layer = Layer.mergeAll(
  layerEveryEndpointGuarded(DeployApi),
  HttpApiBuilder.layer(DeployApi).pipe(
    Layer.provide(handlers.pipe(Layer.provide([layerGuard, layerInputs]))),
    Layer.provide([layerGuard, layerInputs])
  ),
  openApi,
  reference,
  errorBodies(DeployApi, texts, (message) => ({ message }), ["/api/v1/openapi.json", "/docs"])
)
