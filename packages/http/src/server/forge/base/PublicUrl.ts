import { type SignInSettings, SiteSettings } from "@slipway/domain/forge/base"
import { trusts } from "@slipway/domain/forge/identity"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { referencePath } from "../../reference/paths.ts"
import { addressOf } from "../../remoteAddress.ts"
import { requestOrigin } from "../../requestOrigin.ts"

/** The settings of the service's public URL, and of the proxy header that authenticates users. */
export interface PublicUrlSettings {
  /** The public URL of the service without a trailing slash; empty to use the origin of each request. */
  readonly rootUrl: string
  /**
   * The URL of the listener, used if `rootUrl` is empty and there is no request: in webhook payloads and workflow
   * events.
   */
  readonly listenerUrl: string
  /** The header in which a trusted reverse proxy names the user it has signed in. */
  readonly proxyUserHeader: string
  /** The port of git over SSH, if it is served. */
  readonly sshPort: number | undefined
}

/** The public URL of the service, and the header of its trusted proxy. */
export class PublicUrl extends Context.Service<PublicUrl, PublicUrlSettings>()("@slipway/http/forge/PublicUrl") {
  /** Layer with fixed settings. */
  static readonly layer = (rootUrl: string, proxyUserHeader = "X-WEBAUTH-USER", sshPort?: number, listenerUrl = "") =>
    Layer.succeed(PublicUrl, {
      rootUrl: rootUrl.replace(/\/+$/, ""),
      listenerUrl: listenerUrl.replace(/\/+$/, ""),
      proxyUserHeader: proxyUserHeader.toLowerCase(),
      sshPort
    })
}

/** Returns settings for use outside of a request: an empty `rootUrl` is replaced by the URL of the listener. */
export const publicUrlOfListener = (settings: PublicUrlSettings): PublicUrlSettings =>
  settings.rootUrl === "" ? { ...settings, rootUrl: settings.listenerUrl } : settings

/**
 * Returns settings for use within a request: an empty `rootUrl` is replaced by the origin of the request.
 *
 * Headers of a trusted proxy determine the origin, if there is one.
 */
export const publicUrlFor = (
  settings: PublicUrlSettings,
  request: HttpServerRequest.HttpServerRequest,
  signIn: SignInSettings
): PublicUrlSettings => {
  if (settings.rootUrl !== "") return settings
  const origin = requestOrigin(request, trusts(signIn, addressOf(request)))
  return origin === undefined ? settings : { ...settings, rootUrl: origin }
}

/** Adds `PublicUrl` for the current request to an Effect context. */
export const withPublicUrl = <R>(
  own: Context.Context<R | HttpServerRequest.HttpServerRequest | PublicUrl | SiteSettings>
): Context.Context<R | PublicUrl> => {
  const request = Context.get(own, HttpServerRequest.HttpServerRequest)
  const { signIn } = Context.get(own, SiteSettings)
  return Context.add(own, PublicUrl, publicUrlFor(Context.get(own, PublicUrl), request, signIn)) as never
}

/** Runs an effect with `PublicUrl` for the current request, as endpoints do. */
export const answerWithPublicUrl = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  Effect.updateContext(answer, withPublicUrl<R>)

/** Returns the URL of the API reference, which error bodies contain. */
export const referenceUrl = ({ rootUrl }: PublicUrlSettings): string => `${rootUrl}${referencePath}`
