import { Context, Layer } from "effect"
import { referencePath } from "../reference.ts"

/** The settings of how callers reach the service, which its answers name and its requests are read by. */
export interface PublicUrlSettings {
  /** The address of the service as callers know it, without a slash at its end. */
  readonly rootUrl: string
  /** The header in which a trusted reverse proxy names the user it has signed in. */
  readonly proxyUserHeader: string
}

/** The public URL of the service, and the header of its trusted proxy. */
export class PublicUrl extends Context.Service<PublicUrl, PublicUrlSettings>()("@slipway/http/forge/PublicUrl") {
  /** A service that is reached at an address. */
  static readonly layer = (rootUrl: string, proxyUserHeader = "X-WEBAUTH-USER") =>
    Layer.succeed(PublicUrl, { rootUrl: rootUrl.replace(/\/+$/, ""), proxyUserHeader: proxyUserHeader.toLowerCase() })
}

/** Returns the address of the reference, which error bodies name. */
export const referenceUrl = ({ rootUrl }: PublicUrlSettings): string => `${rootUrl}${referencePath}`
