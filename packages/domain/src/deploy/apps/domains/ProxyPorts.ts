import { Context } from "effect"
import type { DomainAddress, DomainKey } from "./DomainAddress.ts"

/** The ports at which the platform's own proxy serves addresses that name none. */
export interface ProxyListening {
  readonly http: number
  readonly https: number
}

/** The ports of the instance's proxy; 80 and 443 by default. */
export const ProxyPorts = Context.Reference<ProxyListening>("@slipway/domain/deploy/ProxyPorts", {
  defaultValue: () => ({ http: 80, https: 443 })
})

/**
 * Returns what an address claims: its canonical form, without the port at which the proxy serves those that name none.
 *
 * With the proxy at 8080, visitors of `http://a.example` and of `http://a.example:8080` arrive at one route.
 */
export const claimOf = ({ key, written }: DomainAddress, ports: ProxyListening): DomainKey => {
  const own = /^https:/i.test(written) ? ports.https : ports.http
  return key.replace(/^(\[[^\]]*\]|[^:/]*):(\d+)/, (all, host: string, port: string) =>
    Number(port) === own ? host : all
  ) as DomainKey
}
