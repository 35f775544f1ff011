import type { ProxyType } from "../../infrastructure/servers/Server.ts"

/**
 * Returns why a server with a proxy type accepts no deployments; null if it does.
 *
 * @example
 * proxyRefusal("traefik") // => "the proxy `traefik` is not supported by this version: use `caddy` or `none`"
 * proxyRefusal("none") // => null
 */
export const proxyRefusal = (type: ProxyType): string | null =>
  type === "traefik" ? "the proxy `traefik` is not supported by this version: use `caddy` or `none`" : null

/** Returns whether a server serves domains; without a proxy, its applications have only their mapped ports. */
export const servesDomains = (type: ProxyType): boolean => type === "caddy"
