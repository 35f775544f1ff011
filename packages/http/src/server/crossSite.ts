import type { HttpServerRequest } from "effect/http"

/** The settings by which a service detects requests that other sites make a browser send. */
export interface SiteOrigin {
  /** The configured address of the service, as callers know it. */
  readonly rootUrl?: string
  /** The header in which a trusted proxy names the signed-in user, if there is one. */
  readonly proxyUserHeader?: string
}

const safeMethods = ["GET", "HEAD", "OPTIONS"]

const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined

/**
 * Returns whether the headers show that another site caused the request; clients other than browsers don't send them.
 */
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

/** Returns whether a script of a browser sent a request: then a challenge would open a password prompt. */
export const isScripted = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean =>
  headers["sec-fetch-mode"] !== undefined && headers["sec-fetch-mode"] !== "navigate"
