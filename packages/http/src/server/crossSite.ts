import type { HttpServerRequest } from "effect/http"

/** How a service knows requests that other sites let a browser make. */
export interface SiteOrigin {
  /** The address of the service as callers know it, where it is set. */
  readonly rootUrl?: string
  /** The header in which a trusted proxy names the user it signed in, where there is one. */
  readonly proxyUserHeader?: string
}

const safeMethods = ["GET", "HEAD", "OPTIONS"]

const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined

/** Whether the headers say that another site caused the request; programs other than browsers say nothing. */
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
 * Returns whether another site makes a browser send a request with its remembered credentials (CSRF).
 *
 * Such credentials are a password or the identity from a proxy. A browser never remembers a token in the header, so a
 * request with one is intended. Reads without an identity are harmless.
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

/** Whether a script of a browser sent a request: a page that asks for a password would be its doing. */
export const isScripted = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean =>
  headers["sec-fetch-mode"] !== undefined && headers["sec-fetch-mode"] !== "navigate"
