import type { HttpServerRequest } from "effect/http"

/** The settings for the detection of cross-site request forgery (CSRF). */
export interface SiteOrigin {
  /** The configured public URL of the service. */
  readonly rootUrl?: string
  /** The header in which a trusted proxy names the signed-in user, if there is one. */
  readonly proxyUserHeader?: string
}

const safeMethods = ["GET", "HEAD", "OPTIONS"]

const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined

/** Returns whether browser headers (`Sec-Fetch-Site`, `Origin`) show that a page of another site sent the request. */
const isFromElsewhere = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  { rootUrl }: SiteOrigin
): boolean => {
  if (headers["sec-fetch-site"] === "cross-site") return true
  const { host, origin } = headers
  if (origin === undefined || origin === originOf(rootUrl)) return false
  return origin !== `https://${host}` && origin !== `http://${host}`
}

/**
 * Returns whether a request is a cross-site request forgery (CSRF): another site made the browser send it.
 *
 * Browsers automatically add passwords (basic authentication) and a proxy adds the identity, but never a token. A
 * request with a token is therefore intended. Reads without credentials are harmless.
 */
export const isForged = (
  request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">,
  site: SiteOrigin
): boolean => {
  const { headers, method } = request
  const { authorization } = headers
  if (authorization !== undefined && /^\s*(token|bearer)[ \t]/i.test(authorization)) return false
  const proxied = site.proxyUserHeader !== undefined && headers[site.proxyUserHeader] !== undefined
  const harmless = safeMethods.includes(method) && authorization === undefined && !proxied
  return !harmless && isFromElsewhere(request, site)
}

/** Returns whether a script in a browser sent the request; a 401 challenge would then open a password prompt. */
export const isScripted = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean =>
  headers["sec-fetch-mode"] !== undefined && headers["sec-fetch-mode"] !== "navigate"
