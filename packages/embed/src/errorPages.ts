import { createPages, plainLines, sanitizedHtml } from "@slipway/web"
import { Context, Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest.HttpServerRequest>

/** The HTTP statuses for which browsers get an error page: rate limit, unexpected error, database unavailable. */
const failures: ReadonlyArray<number> = [429, 500, 503]

/** The response headers that describe the body; they are removed when an error page replaces the body. */
const ofBody = new Set(["content-type", "content-length", "content-encoding", "etag"])

/** Returns whether the request comes from a browser that opens a page or submits a form. */
const wantsPage = ({ headers, url }: HttpServerRequest.HttpServerRequest): boolean =>
  !url.startsWith("/api/") && (headers.accept ?? "").includes("text/html")

/**
 * Shows an error page to browsers when the rate limit is reached, the database is unavailable, or an unexpected error
 * occurs.
 *
 * Provide this layer to the routes of the API, so that it also handles the responses of their rate limits. The page
 * reads no data, so it does not show who is signed in.
 */
export const layerErrorPages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const pages = createPages({ highlight: async (text) => plainLines(text), markdown: async () => sanitizedHtml("") })
    const asPage = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      response: HttpServerResponse.HttpServerResponse
    ) {
      const { headers, status } = response
      const rootUrl = "http://localhost"
      const language = request.headers["accept-language"]
      const asked = new Request(new URL(request.url, rootUrl), {
        method: request.method === "HEAD" ? "HEAD" : "GET",
        headers: language === undefined ? {} : { "accept-language": language }
      })
      const reach = {
        rootUrl,
        requestId: headers["x-request-id"],
        send: () => Promise.reject(new Error("a page of a failure asks nothing"))
      }
      const shown = yield* Effect.promise(() =>
        pages.fail(asked, reach, { status, retryAfter: headers["retry-after"] })
      )
      const otherHeaders = Object.entries(headers).filter(([name]) => !ofBody.has(name))
      // The cookie of forms would replace the one that the browser has.
      shown.headers.delete("set-cookie")
      return HttpServerResponse.setHeaders(HttpServerResponse.fromWeb(shown), Object.fromEntries(otherHeaders))
    })
    yield* router.addGlobalMiddleware(
      ((app: Answer): Answer =>
        Effect.contextWith((services: Context.Context<HttpServerRequest.HttpServerRequest>) => {
          const request = Context.get(services, HttpServerRequest.HttpServerRequest)
          if (!wantsPage(request)) return app
          return Effect.flatMap(app, (response) =>
            failures.includes(response.status) &&
            (response.headers["content-type"] ?? "").startsWith("application/json")
              ? asPage(request, response)
              : Effect.succeed(response)
          )
        })) as never
    )
  })
) as Layer.Layer<never, never, HttpRouter.HttpRouter>
