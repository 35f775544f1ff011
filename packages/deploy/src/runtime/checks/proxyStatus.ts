import { ReleaseStore } from "@slipway/domain/deploy/apps"
import { type ServedCertificate, servesDomains } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { openProxy } from "../../containers/proxy/openProxy.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"
import { engineFailureReason, inTime } from "../../infrastructure/servers/validate.ts"

/** The state of the proxy of a server; `idle` means that the server has no application that is served. */
export type ProxyState = "idle" | "none" | "running" | "unreachable"

/** The state of the proxy of a server, and the certificates of its HTTPS hosts. */
export interface ProxyStatus {
  readonly state: ProxyState
  /** The reason why the proxy is unreachable; null in other states. */
  readonly because: string | null
  readonly certificates: ReadonlyArray<ServedCertificate>
}

const without = (state: ProxyState, because: string | null = null): ProxyStatus => ({
  state,
  because,
  certificates: []
})

/**
 * Asks the proxy of a server for its certificates, by host.
 *
 * An idle proxy is not asked, because a missing one would be started.
 */
export const proxyStatus = Effect.fnUntraced(function* ({ resource: { server } }: Authorized<"server.resource.list">) {
  if (!servesDomains(server.proxyType)) return without("none")
  if ((yield* (yield* ReleaseStore).servingOn(server.uuid)).length === 0) return without("idle")
  const asked = Effect.gen(function* () {
    const proxy = yield* openProxy(server, yield* accessTo(server))
    const certificates = yield* proxy.certificates
    return {
      state: "running",
      because: null,
      certificates: certificates.toSorted((one, other) => one.host.localeCompare(other.host, "en"))
    } satisfies ProxyStatus
  })
  return yield* asked.pipe(
    Effect.scoped,
    inTime(server),
    Effect.catch((error) =>
      Effect.succeed(without("unreachable", "because" in error ? error.because : engineFailureReason(error)))
    )
  )
})
