import { InvalidInput } from "@slipway/domain"
import { Proxy, ProxyRefused, readProxyConfiguration } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { accessTo } from "./accessTo.ts"
import { update } from "./Servers.ts"

/**
 * Stores the configuration of a server's proxy, which its next restart applies.
 *
 * Fails if the platform does not run the server's proxy in a container.
 */
export const configureProxy = Effect.fnUntraced(function* (proof: Authorized<"server.update">, configuration: string) {
  const found = readProxyConfiguration(configuration)
  if ("problem" in found) return yield* new InvalidInput({ problems: { configuration: [found.problem] } })
  if (!(yield* Proxy).takesImage(yield* accessTo(proof.resource.server))) {
    return yield* new ProxyRefused({ because: "the proxy of this server is not a container of the platform" })
  }
  return yield* update(proof, { proxyConfiguration: configuration })
})
