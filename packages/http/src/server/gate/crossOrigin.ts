import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpServerResponse as Response } from "effect/http"
import { addVary } from "./vary.ts"

/** The origins of web pages that may read responses (CORS): `*` for all, or a list. */
export type AllowedOrigins = "*" | ReadonlyArray<string>

const readable = [
  "ETag",
  "Link",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Svc-Warning",
  "X-Total-Count"
].join(", ")

/**
 * Returns the CORS headers for pages of other sites, including preflight requests.
 *
 * These pages can send tokens in the header `Authorization`. They cannot use cookies or other credentials that the
 * browser stores, because no response has the header `Access-Control-Allow-Credentials`.
 */
export const sharedWith = (origins: AllowedOrigins) => {
  const allowed = ({ headers: { origin } }: HttpServerRequest.HttpServerRequest): string | undefined => {
    if (origin === undefined) return undefined
    if (origins === "*") return "*"
    return origins.includes(origin) ? origin : undefined
  }
  const share = (request: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) => {
    const varied = origins === "*" ? response : addVary(response, "Origin")
    const origin = allowed(request)
    return origin === undefined
      ? varied
      : Response.setHeaders(varied, {
          "access-control-allow-origin": origin,
          "access-control-expose-headers": readable
        })
  }
  const preflight = (request: HttpServerRequest.HttpServerRequest) => {
    const isAsked = request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined
    return isAsked && allowed(request) !== undefined
      ? Response.empty({
          status: 204,
          headers: {
            "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
            // `*` doesn't include `Authorization`.
            "access-control-allow-headers": "*, Authorization",
            "access-control-max-age": "7200"
          }
        })
      : undefined
  }
  return { share, preflight }
}
