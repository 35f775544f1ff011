import { Proxy, ProxyRefused, ProxyUnreachable, servesDomains } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { accessTo } from "./accessTo.ts"

const timeout = "1 minute"

/** Restarts the proxy of a server with its current routes. */
export const restartProxy = Effect.fnUntraced(function* ({ resource }: Authorized<"server.proxy.restart">) {
  const { server } = resource
  if (!servesDomains(server.proxyType)) {
    return yield* new ProxyRefused({ because: "the server has no proxy to restart" })
  }
  yield* Effect.timeoutOrElse((yield* Proxy).restart(yield* accessTo(server)), {
    duration: timeout,
    orElse: () => Effect.fail(new ProxyUnreachable({ because: `it did not respond again within ${timeout}` }))
  })
})
