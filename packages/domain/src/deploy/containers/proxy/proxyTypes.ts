import type { ProxyType } from "../../infrastructure/servers/Server.ts"

/**
 * Returns why nothing can be deployed on a server with a proxy of a type; null when it can.
 *
 * @example
 * proxyRefusal("traefik") // => "the proxy `traefik` is not supported by this version: use `caddy` or `none`"
 * proxyRefusal("none") // => null
 */
export const proxyRefusal = (type: ProxyType): string | null =>
  type === "traefik" ? "the proxy `traefik` is not supported by this version: use `caddy` or `none`" : null

/** Returns whether domains are served on a server; without a proxy its applications have the ports that they map. */
export const servesDomains = (type: ProxyType): boolean => type === "caddy"
