import { type SignInSettings, SiteSettings } from "@slipway/domain/forge/base"
import { trusts } from "@slipway/domain/forge/identity"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { referencePath } from "../../reference/paths.ts"
import { addressOf } from "../../remoteAddress.ts"
import { requestOrigin } from "../../requestOrigin.ts"

/** The settings of the service's address, used in answers and for reading requests. */
export interface PublicUrlSettings {
  /**
   * The address of the service as callers know it, without a trailing slash; empty to use the address of each request.
   */
  readonly rootUrl: string
  /**
   * The address of the listener, for links without a request while `rootUrl` is empty: in webhook payloads and workflow
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
  /** The settings of a service with a fixed address. */
  static readonly layer = (rootUrl: string, proxyUserHeader = "X-WEBAUTH-USER", sshPort?: number, listenerUrl = "") =>
    Layer.succeed(PublicUrl, {
      rootUrl: rootUrl.replace(/\/+$/, ""),
      listenerUrl: listenerUrl.replace(/\/+$/, ""),
      proxyUserHeader: proxyUserHeader.toLowerCase(),
      sshPort
    })
}

/** Returns the address of the service outside of a request: its public address, else that of its listener. */
export const publicUrlOfListener = (settings: PublicUrlSettings): PublicUrlSettings =>
  settings.rootUrl === "" ? { ...settings, rootUrl: settings.listenerUrl } : settings

/**
 * Returns the address of the service for answers to a request.
 *
 * Without a configured address it is that of the request, as a trusted proxy forwards it if there is one.
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

/** Provides a request with the address at which the service was reached. */
export const withPublicUrl = <R>(
  own: Context.Context<R | HttpServerRequest.HttpServerRequest | PublicUrl | SiteSettings>
): Context.Context<R | PublicUrl> => {
  const request = Context.get(own, HttpServerRequest.HttpServerRequest)
  const { signIn } = Context.get(own, SiteSettings)
  return Context.add(own, PublicUrl, publicUrlFor(Context.get(own, PublicUrl), request, signIn)) as never
}

/** Answers a request with the address at which the service was reached, as endpoints do. */
export const answerWithPublicUrl = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  Effect.updateContext(answer, withPublicUrl<R>)

/** Returns the address of the reference, which error bodies name. */
export const referenceUrl = ({ rootUrl }: PublicUrlSettings): string => `${rootUrl}${referencePath}`
