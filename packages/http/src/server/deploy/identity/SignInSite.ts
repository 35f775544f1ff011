import { callerAddress, isWithin } from "@slipway/domain"
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IpNetwork } from "effect/net"
import { addressOf } from "../../remoteAddress.ts"
import { requestOrigin } from "../../requestOrigin.ts"

/** The settings that sign-in needs: the public URL of the service, and the trusted proxies. */
export interface SignInSiteSettings {
  /** The public origin of the service; undefined to use the origin of each request. */
  readonly rootUrl: string | undefined
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
}

/** The service with the sign-in settings; by default, the origin is taken from each request. */
export const SignInSite = Context.Reference<SignInSiteSettings>("@slipway/http/deploy/SignInSite", {
  defaultValue: () => ({ rootUrl: undefined, trustedProxies: [] })
})

/** Returns the IP address of the client that sent a request, behind trusted proxies too. */
export const callerAddressOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(SignInSite, ({ trustedProxies }) =>
    callerAddress({ address: addressOf(request), forwardedFor: request.headers["x-forwarded-for"] }, trustedProxies)
  )

/** Returns the public origin of the service: the configured one, or else the origin of the request. */
export const rootUrlOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(
    SignInSite,
    ({ rootUrl, trustedProxies }) =>
      rootUrl ?? requestOrigin(request, isWithin(trustedProxies, addressOf(request))) ?? "http://localhost"
  )
