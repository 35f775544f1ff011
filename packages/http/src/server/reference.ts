import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"
import { cacheAnswer } from "./answerCache.ts"
import { openApi30, swagger20 } from "./olderDescriptions.ts"
import { digestOf, weakTagOf } from "./wire/tags.ts"

/** The appearance of the reference page, without all features that would use the internet. */
const scalar = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never"
} as const

// If the page's program tries to reach the internet, the browser blocks it.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
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
/** The path of the program of the reference. */
export const referenceProgramPath = "/docs/reference.js"
/** The paths of an API's description, of its reference and of the reference's program. */
export const referencePaths = [descriptionPath, referencePath, referenceProgramPath] as const

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/** Returns Scalar's bundle from Effect's page: the program is the first of the two scripts there. */
const bundleOf = (page: string): string => {
  const begin = page.indexOf("<script>") + "<script>".length
  return page.slice(begin, page.lastIndexOf("</script>", page.lastIndexOf("<script>")))
}

const start = `
{
  const reference = document.getElementById("reference")
  Scalar.createApiReference(reference, JSON.parse(reference.dataset.configuration))
}
`

/** Returns the page of a reference, which loads its program and the description of the API from separate addresses. */
const pageOf = (title: string, program: string, configuration: object): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}: API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference" data-configuration="${escaped(JSON.stringify(configuration))}"></div>
<noscript><p>The reference needs JavaScript. The <a href="${descriptionPath}">description of the API</a> does not.</p></noscript>
<script src="${escaped(program)}" defer></script>
</body>
</html>
`

/** The address of the program contains its digest, so browsers need not revalidate it. */
const forever = { "cache-control": "public, max-age=31536000, immutable" }

/** The paths of an API's descriptions in older formats, under the names that clients of this API know. */
export const olderPaths = { openApi30: "/openapi3.v1.json", swagger20: "/swagger.v1.json" } as const

/** The options of a service's reference. */
export interface ReferenceOptions {
  /** The sign-in method that the reference offers first. */
  readonly preferredSecurityScheme: string
  /** Whether the description is also served as OpenAPI 3.0 and Swagger 2.0. */
  readonly older?: boolean
  /** Whether the reference is served; the description always is. */
  readonly page?: boolean
}

/**
 * Serves an API's description at `/api/v1/openapi.json` and an interactive reference at `/docs`, which needs no
 * internet.
 *
 * Each is built at the first request, and cached with its tag and compressed. The page is small: browsers cache its
 * program of 3 MB permanently, and the program loads the description.
 */
export const referenceRoutes = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  { older = false, page: isOn = true, preferredSecurityScheme }: ReferenceOptions
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const serve = Effect.fnUntraced(function* <E, R>(
        path: `/${string}`,
        answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
        address: Effect.Effect<string, E, R> = Effect.succeed(path)
      ) {
        const made = yield* Effect.cached(
          Effect.gen(function* () {
            const response = yield* Effect.uninterruptible(answer)
            const { body } = response
            if (response.status !== 200 || body._tag !== "Uint8Array") return response
            const tagged = HttpServerResponse.setHeader(response, "etag", weakTagOf(digestOf(body.body)))
            cacheAnswer(router, yield* address, tagged)
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
      const bundled = HttpApiScalar.layer(HttpApi.make("none"), { path: referencePath })
      const inner = yield* HttpRouter.make
      const built = Layer.buildWithScope(Layer.provide(bundled, Layer.succeed(HttpRouter.HttpRouter, inner)), scope)
      const program = yield* Effect.cached(
        Effect.gen(function* () {
          yield* built
          const { body } = yield* Effect.orDie(inner.asHttpEffect())
          if (body._tag !== "Uint8Array") return yield* Effect.die(new Error("the page of Scalar has no text"))
          const text = bundleOf(new TextDecoder().decode(body.body)) + start
          const address = `${referenceProgramPath}?v=${digestOf(new TextEncoder().encode(text)).replace(/\W/g, "").slice(0, 16)}`
          return { address, text }
        })
      )
      yield* serve(
        referenceProgramPath,
        Effect.map(program, ({ text }) =>
          HttpServerResponse.text(text, { contentType: "text/javascript; charset=utf-8", headers: forever })
        ),
        Effect.map(program, ({ address }) => address)
      )
      const look = { ...scalar, url: descriptionPath, authentication: { preferredSecurityScheme } }
      const title = Context.getOrElse(api.annotations, OpenApi.Title, () => api.identifier)
      yield* serve(
        referencePath,
        confined(Effect.map(program, ({ address }) => HttpServerResponse.html(pageOf(title, address, look))))
      )
    })
  )
