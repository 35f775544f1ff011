import type { HttpServerRequest } from "effect/http"

const aHost = /^(?:[a-z0-9.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Returns the origin (scheme and host) to which a client sent a request; undefined without a valid host.
 *
 * Headers of a trusted proxy take precedence.
 */
export const requestOrigin = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  isProxied: boolean
): string | undefined => {
  const host = (isProxied ? headers["x-forwarded-host"] : undefined) ?? headers.host ?? ""
  const scheme = isProxied && headers["x-forwarded-proto"] === "https" ? "https" : "http"
  return aHost.test(host) ? `${scheme}://${host}` : undefined
}
