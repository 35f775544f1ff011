import type { ServerAccess } from "@slipway/domain/deploy/containers"
import { ProbeFailed, Proxy, type ServerProxy, servesDomains } from "@slipway/domain/deploy/containers"
import type { Server } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/** The proxy for servers without a proxy: it has no routes and rejects new ones. */
const noProxy: ServerProxy = {
  apply: () => Effect.void,
  remove: () => Effect.succeed(false),
  read: () => Effect.succeed([]),
  certificates: Effect.succeed([]),
  probe: () => Effect.fail(new ProbeFailed({ because: "the server has no proxy to send health checks" }))
}

/** Connects to the proxy of a server, according to its proxy type. */
export const openProxy = Effect.fnUntraced(function* ({ proxyType }: Pick<Server, "proxyType">, access: ServerAccess) {
  return servesDomains(proxyType) ? yield* (yield* Proxy).open(access) : noProxy
})
