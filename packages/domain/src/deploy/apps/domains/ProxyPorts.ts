import { Context } from "effect"
import type { DomainAddress, DomainKey } from "./DomainAddress.ts"

/** The ports at which the platform's own proxy serves addresses that contain no port. */
export interface ProxyListening {
  readonly http: number
  readonly https: number
}

/** The ports of the platform's own proxy; 80 and 443 by default. */
export const ProxyPorts = Context.Reference<ProxyListening>("@slipway/domain/deploy/ProxyPorts", {
  defaultValue: () => ({ http: 80, https: 443 })
})

/**
 * Returns the canonical form of an address, in which the proxy's default port is omitted.
 *
 * With the proxy at port 8080, `http://a.example` and `http://a.example:8080` have the same route, so they conflict.
 */
export const claimOf = ({ key, written }: DomainAddress, ports: ProxyListening): DomainKey => {
  const own = /^https:/i.test(written) ? ports.https : ports.http
  return key.replace(/^(\[[^\]]*\]|[^:/]*):(\d+)/, (all, host: string, port: string) =>
    Number(port) === own ? host : all
  ) as DomainKey
}
