import { type SignInSettings, SiteSettings } from "@slipway/domain/forge/base"
import { trusts } from "@slipway/domain/forge/identity"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { referencePath } from "../../reference.ts"
import { addressOf } from "../../remoteAddress.ts"

/** The settings of how callers reach the service, which its answers name and its requests are read by. */
export interface PublicUrlSettings {
  /** The address of the service as callers know it, without a slash at its end; empty where each request says its own. */
  readonly rootUrl: string
  /** The address of the listener, for links that are made without a request while `rootUrl` is empty: webhook payloads, workflow events. */
  readonly listenerUrl: string
  /** The header in which a trusted reverse proxy names the user it has signed in. */
  readonly proxyUserHeader: string
  /** The port at which git is served by SSH, where it is. */
  readonly sshPort: number | undefined
}

/** The public URL of the service, and the header of its trusted proxy. */
export class PublicUrl extends Context.Service<PublicUrl, PublicUrlSettings>()("@slipway/http/forge/PublicUrl") {
  /** A service that is reached at an address. */
  static readonly layer = (rootUrl: string, proxyUserHeader = "X-WEBAUTH-USER", sshPort?: number, listenerUrl = "") =>
    Layer.succeed(PublicUrl, {
      rootUrl: rootUrl.replace(/\/+$/, ""),
      listenerUrl: listenerUrl.replace(/\/+$/, ""),
      proxyUserHeader: proxyUserHeader.toLowerCase(),
      sshPort
    })
}

/** Returns how the service is reached when no request says so: by its public address, else by that of its listener. */
export const publicUrlOfListener = (settings: PublicUrlSettings): PublicUrlSettings =>
  settings.rootUrl === "" ? { ...settings, rootUrl: settings.listenerUrl } : settings

const aHost = /^(?:[a-z0-9.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Returns how the service is reached, as answers to a request say it.
 *
 * Where no address is set it is the one that the request was sent to, as a trusted proxy tells it if there is one.
 */
export const publicUrlFor = (
  settings: PublicUrlSettings,
  request: HttpServerRequest.HttpServerRequest,
  signIn: SignInSettings
): PublicUrlSettings => {
  if (settings.rootUrl !== "") return settings
  const { headers } = request
  const proxied = trusts(signIn, addressOf(request))
  const host = (proxied ? headers["x-forwarded-host"] : undefined) ?? headers.host ?? ""
  const scheme = proxied && headers["x-forwarded-proto"] === "https" ? "https" : "http"
  return aHost.test(host) ? { ...settings, rootUrl: `${scheme}://${host}` } : settings
}

/** Lets a request know by which address the service was reached. */
export const addressed = <R>(
  own: Context.Context<R | HttpServerRequest.HttpServerRequest | PublicUrl | SiteSettings>
): Context.Context<R | PublicUrl> => {
  const request = Context.get(own, HttpServerRequest.HttpServerRequest)
  const { signIn } = Context.get(own, SiteSettings)
  return Context.add(own, PublicUrl, publicUrlFor(Context.get(own, PublicUrl), request, signIn)) as never
}

/** Answers a request by the address at which the service was reached, as endpoints do. */
export const reached = <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.updateContext(answer, addressed<R>)

/** Returns the address of the reference, which error bodies name. */
export const referenceUrl = ({ rootUrl }: PublicUrlSettings): string => `${rootUrl}${referencePath}`
