import { Effect, type Layer, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"

/**
 * Serves an API's description at `/api/v1/openapi.json` and an interactive reference at `/docs`, which needs nothing from
 * the internet.
 *
 * Both are made when they are first asked for: the reference is a program of 3 MB that most processes never show.
 */
export const referenceRoutes = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const description = yield* Effect.cached(Effect.sync(() => JSON.stringify(OpenApi.fromApi(api))))
      yield* router.add(
        "GET",
        "/api/v1/openapi.json",
        Effect.map(description, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
      )
      const scope = yield* Effect.scope
      const page = HttpApiScalar.layer(api, { path: "/docs", scalar: { withDefaultFonts: false } })
      const reference = yield* Effect.cached(Effect.provideService(HttpRouter.toHttpEffect(page), Scope.Scope, scope))
      yield* router.add("GET", "/docs", Effect.orDie(Effect.flatten(reference)))
    })
  )
