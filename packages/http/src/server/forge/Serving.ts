import { Context, Layer } from "effect"
import { referencePath } from "../reference.ts"

/** How the service is reached, as far as its answers tell or its requests are read by it. */
export interface Served {
  /** The address of the service as callers know it, without a slash at its end. */
  readonly rootUrl: string
  /** The header in which a trusted reverse proxy names the user it has signed in. */
  readonly proxyUserHeader: string
}

/** How the service is reached. */
export class Serving extends Context.Service<Serving, Served>()("@slipway/http/forge/Serving") {
  /** A service that is reached at an address. */
  static readonly layer = (rootUrl: string, proxyUserHeader = "X-WEBAUTH-USER") =>
    Layer.succeed(Serving, { rootUrl: rootUrl.replace(/\/+$/, ""), proxyUserHeader: proxyUserHeader.toLowerCase() })
}

/** Returns the address of the reference, which error bodies name. */
export const referenceUrl = ({ rootUrl }: Served): string => `${rootUrl}${referencePath}`
