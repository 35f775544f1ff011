import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"

/** Serves the OpenAPI description of an API at `/api/v1/openapi.json`. */
export const openApiRoute = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      // The description is the same for every request and large enough to be worth keeping as text.
      const text = JSON.stringify(OpenApi.fromApi(api))
      yield* router.add(
        "GET",
        "/api/v1/openapi.json",
        Effect.succeed(HttpServerResponse.text(text, { contentType: "application/json" }))
      )
    })
  )

/** Where the reference page of a service is. */
export const referencePath = "/docs"

/** Serves the interactive reference of an API at `/docs`; the page loads nothing from elsewhere. */
export const referenceRoute = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpApiScalar.layer(api, { path: referencePath, scalar: { withDefaultFonts: false } })
