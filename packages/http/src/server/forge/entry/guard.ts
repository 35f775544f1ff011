import { type SignedRequest, signatureScheme } from "@slipway/domain/forge/identity"
import type { Entry } from "@slipway/forge/entry"
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { catalogueRoute, EndpointAction } from "../../../api/forge/base/access.ts"
import { everyEndpoint } from "../../guard.ts"
import { addressOf } from "../../remoteAddress.ts"
import type { PublicUrlSettings } from "../base/PublicUrl.ts"
import { sessionCookie } from "./cookies.ts"

/** Returns the session token in the cookies; on a site with HTTPS, only from the cookie that was set over HTTPS. */
const sessionIn = (request: HttpServerRequest.HttpServerRequest, rootUrl: string): string | undefined => {
  if (request.headers.cookie === undefined) return undefined
  const { cookies } = request
  const safe = cookies[sessionCookie(true)]
  return rootUrl.startsWith("https:") ? safe : (safe ?? cookies[sessionCookie(false)])
}

const apiPrefix = "/api/"

const noParameters = new URLSearchParams()

/** Returns the query parameters in a URL. */
export const queryIn = (url: string): URLSearchParams =>
  url.includes("?") ? new URLSearchParams(url.split("?")[1]) : noParameters

/** Returns the credentials and client data of a request, for authentication. */
export const entryRequest = (
  request: HttpServerRequest.HttpServerRequest,
  { proxyUserHeader, rootUrl }: PublicUrlSettings
): Entry.EntryRequest => {
  const { headers, url } = request
  const query = queryIn(url)
  return {
    authorization: headers.authorization,
    token: query.get("token") ?? undefined,
    accessToken: query.get("access_token") ?? undefined,
    oneTimeCode: headers["x-svc-otp"] ?? headers["x-gitea-otp"],
    proxyUser: headers[proxyUserHeader],
    // The API never accepts a cookie, so that no page of another site can call it with a session.
    session: url.startsWith(apiPrefix) ? undefined : sessionIn(request, rootUrl),
    forwardedFor: headers["x-forwarded-for"],
    address: addressOf(request),
    headers,
    sudo: query.get("sudo") || headers.sudo || undefined
  }
}

/** Returns whether a request has a signature, in either supported header: `Signature` or `Authorization`. */
export const isSigned = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean =>
  headers.signature !== undefined || signatureScheme.test(headers.authorization ?? "")

/** Returns the signed parts of a request for the verification of its signature; undefined if it has no signature. */
export const signedRequest = (
  request: HttpServerRequest.HttpServerRequest,
  { rootUrl }: PublicUrlSettings,
  body: Uint8Array | undefined
): SignedRequest | undefined => {
  const { headers, method, url } = request
  return isSigned(request) ? { method, url: `${rootUrl}${url}`, headers, body } : undefined
}

const prefixed = /^\/api\/v1(?=\/)/

/** Layer that fails at startup unless each endpoint declares an action and serves a route of it (invariant I1). */
export const layerEveryEndpointHandled = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never> =>
  Layer.effectDiscard(
    Effect.sync(() =>
      everyEndpoint(api, ({ endpoint, name }) => {
        const action = Context.getOrUndefined(endpoint.annotations, EndpointAction)
        if (action === undefined) throw new Error(`${name} declares no action`)
        catalogueRoute(action, { method: endpoint.method, path: endpoint.path.replace(prefixed, "") })
      })
    )
  )
