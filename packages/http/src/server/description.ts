import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"

/** Where the OpenAPI description of a service is. */
export const openApiPath = "/api/v1/openapi.json"
/** Where the reference page of a service is. */
export const referencePath = "/docs"
/** The paths at which a service describes itself. */
export const descriptionPages = [openApiPath, referencePath] as const

/** Serves the OpenAPI description of an API. */
export const openApiRoute = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      // The description is the same for every request and large enough to be worth keeping as text.
      const text = JSON.stringify(OpenApi.fromApi(api))
      const answer = HttpServerResponse.text(text, { contentType: "application/json" })
      yield* router.add("GET", openApiPath, Effect.succeed(answer))
    })
  )

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

/** What the page leaves out: everything of it that would reach the internet. */
const quiet = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never"
} as const

/** Serves the interactive reference of an API, which leaves out everything that would reach the internet. */
export const referenceRoute = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  preferredSecurityScheme: string
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpApiScalar.layer(api, {
    path: referencePath,
    scalar: { ...quiet, authentication: { preferredSecurityScheme } }
  }).pipe(Layer.provide(confined))
