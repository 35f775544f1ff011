import { createPages, plainLines, sanitizedHtml } from "@slipway/web"
import { Context, Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest.HttpServerRequest>

/** The statuses of failures that end a request before or outside of a page. */
const failures: ReadonlyArray<number> = [429, 500, 503]

/** Headers that describe the body that is replaced. */
const ofBody = new Set(["content-type", "content-length", "content-encoding", "etag"])

/** Returns whether a browser that opens a page or sends a form made the request. */
const wantsPage = ({ headers, url }: HttpServerRequest.HttpServerRequest): boolean =>
  !url.startsWith("/api/") && (headers.accept ?? "").includes("text/html")

/**
 * Shows browsers an error page when the rate limit is reached, the database is unavailable, or an unexpected error
 * occurs.
 *
 * Provide it to the API's routes, so that it also handles the responses of their rate limits. The page shows no
 * signed-in user, because it reads no data.
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
