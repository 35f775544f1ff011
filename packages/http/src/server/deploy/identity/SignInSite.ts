import { callerAddress, isWithin } from "@slipway/domain"
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IpNetwork } from "effect/net"
import { addressOf } from "../../remoteAddress.ts"
import { requestOrigin } from "../../requestOrigin.ts"

/** The settings of the service's address and its proxies, which sign-in needs. */
export interface SignInSiteSettings {
  /** The origin of the service as browsers know it; undefined to use that of each request. */
  readonly rootUrl: string | undefined
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
}

/** The address of the service for sign-in; by default that of each request. */
export const SignInSite = Context.Reference<SignInSiteSettings>("@slipway/http/deploy/SignInSite", {
  defaultValue: () => ({ rootUrl: undefined, trustedProxies: [] })
})

/** Returns the address of the client that sent a request. */
export const callerAddressOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(SignInSite, ({ trustedProxies }) =>
    callerAddress({ address: addressOf(request), forwardedFor: request.headers["x-forwarded-for"] }, trustedProxies)
  )

/** Returns the origin of the service as the browser of a request knows it. */
export const rootUrlOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(
    SignInSite,
    ({ rootUrl, trustedProxies }) =>
      rootUrl ?? requestOrigin(request, isWithin(trustedProxies, addressOf(request))) ?? "http://localhost"
  )
