import { Effect } from "effect"
import type { ServerAccess } from "../engine/ServerAccess.ts"
import type { Server } from "../servers/Server.ts"
import { Proxy, type ServerProxy } from "./Proxy.ts"
import { ProbeFailed } from "./ProxyError.ts"
import { servesDomains } from "./proxyTypes.ts"

/** The proxy of a server without one: it has no routes, and takes none. */
const noProxy: ServerProxy = {
  apply: () => Effect.void,
  remove: () => Effect.succeed(false),
  read: () => Effect.succeed([]),
  probe: () => Effect.fail(new ProbeFailed({ because: "the server has no proxy that could ask" }))
}

/** Opens the proxy of a server, as its type says. */
export const openProxy = Effect.fnUntraced(function* ({ proxyType }: Pick<Server, "proxyType">, access: ServerAccess) {
  return servesDomains(proxyType) ? yield* (yield* Proxy).open(access) : noProxy
})
