import type { ProxyType } from "../../infrastructure/servers/Server.ts"

/**
 * Returns the reason why a server with this proxy type accepts no deployments; null if it accepts them.
 *
 * @example
 * proxyRefusal("traefik") // => "the proxy `traefik` is not supported by this version: use `caddy` or `none`"
 * proxyRefusal("none") // => null
 */
export const proxyRefusal = (type: ProxyType): string | null =>
  type === "traefik" ? "the proxy `traefik` is not supported by this version: use `caddy` or `none`" : null

/** Returns whether a server with this proxy type serves domains; without a proxy, only mapped ports are reachable. */
export const servesDomains = (type: ProxyType): boolean => type === "caddy"
