import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"
import { keep } from "./kept.ts"
import { openApi30, swagger20 } from "./olderDescriptions.ts"
import { digestOf, weakTagOf } from "./wire/tags.ts"

/** How the reference page looks and what it leaves out: everything of it that would reach the internet. */
const scalar = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never"
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

const confined = Effect.map(HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy))

/** The path of an API's description. */
export const descriptionPath = "/api/v1/openapi.json"
/** The path of an API's interactive reference. */
export const referencePath = "/docs"
/** The paths of an API's description and of its reference. */
export const referencePaths = [descriptionPath, referencePath] as const

/** The paths of an API's descriptions in older words, under the names that programs of this API know. */
export const olderPaths = { openApi30: "/openapi3.v1.json", swagger20: "/swagger.v1.json" } as const

/** What the references of services differ in. */
export interface ReferenceOptions {
  /** The way to sign in that the reference offers first. */
  readonly preferredSecurityScheme: string
  /** Whether the description is served in the words of OpenAPI 3.0 and Swagger 2.0 too. */
  readonly older?: boolean
  /** Whether there is a reference at all; the description is always there. */
  readonly page?: boolean
}

/**
 * Serves an API's description at `/api/v1/openapi.json` and an interactive reference at `/docs`, which needs nothing from
 * the internet.
 *
 * Each is made when it is first asked for, and kept, with its tag and compressed: the reference is a program of 3 MB that most
 * processes never show.
 */
export const referenceRoutes = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  { older = false, page: isOn = true, preferredSecurityScheme }: ReferenceOptions
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const serve = Effect.fnUntraced(function* <E, R>(
        path: `/${string}`,
        answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ) {
        const made = yield* Effect.cached(
          Effect.map(Effect.uninterruptible(answer), (response) => {
            const { body } = response
            if (response.status !== 200 || body._tag !== "Uint8Array") return response
            const tagged = HttpServerResponse.setHeader(response, "etag", weakTagOf(digestOf(body.body)))
            keep(router, path, tagged)
            return tagged
          })
        )
        yield* router.add("GET", path, made)
      })
      const describe = (path: `/${string}`, document: () => unknown) =>
        serve(
          path,
          Effect.sync(() => HttpServerResponse.text(JSON.stringify(document()), { contentType: "application/json" }))
        )
      yield* describe(descriptionPath, () => OpenApi.fromApi(api))
      if (older) {
        yield* describe(olderPaths.openApi30, () => openApi30(OpenApi.fromApi(api)))
        yield* describe(olderPaths.swagger20, () => swagger20(openApi30(OpenApi.fromApi(api))))
      }
      if (!isOn) return
      const scope = yield* Effect.scope
      const look = { ...scalar, authentication: { preferredSecurityScheme } }
      const page = HttpApiScalar.layer(api, { path: referencePath, scalar: look })
      // A router of its own: the service's would have this very path already.
      const inner = yield* HttpRouter.make
      const built = Layer.buildWithScope(Layer.provide(page, Layer.succeed(HttpRouter.HttpRouter, inner)), scope)
      const reference = yield* Effect.cached(Effect.map(built, () => inner.asHttpEffect()))
      yield* serve(referencePath, confined(Effect.orDie(Effect.flatten(reference))))
    })
  )
