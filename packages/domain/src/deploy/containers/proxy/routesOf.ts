import type { Configuration } from "../../apps/applications/Application.ts"
import { type DomainAddress, type DomainKey, parseDomains } from "../../apps/domains/DomainAddress.ts"
import type { BasicAuth, Route, RouteAddress, RouteAnswer, Upstream } from "./Route.ts"

/** The input of {@link routesOf}: an application, and where its containers listen. */
export interface RoutedApplication {
  readonly configuration: Configuration
  readonly generatedDomain: string | null
  /** The bcrypt hash of `http_basic_auth_password`; null if the password is missing or empty. */
  readonly passwordHash: string | null
  /** Returns the addresses of the running containers of a compose service, or of the application (null). */
  readonly upstreams: (service: string | null) => ReadonlyArray<Upstream>
}

const defaultPorts = { http: 80, https: 443 } as const
const partsOfKey = /^(\[[^\]]*\]|[^:/]*)(?::(\d+))?(\/.*)?$/

/**
 * Converts a domain of an application to the address of a route.
 *
 * @example
 * routeAddressOf({ written: "https://A.example:8443/x/", key: "a.example:8443/x" }).port // => 8443
 */
export const routeAddressOf = ({ key, written }: DomainAddress): RouteAddress => {
  const scheme = /^https:/i.test(written) ? "https" : "http"
  const [, host = "", port, path = ""] = partsOfKey.exec(key) ?? []
  return { scheme, host, port: port === undefined ? defaultPorts[scheme] : Number(port), path }
}

/**
 * Formats the address of a route as a URL; omits the default port of the scheme.
 *
 * @example
 * writeAddress({ scheme: "http", host: "a.example", port: 80, path: "/x" }) // => "http://a.example/x"
 */
export const writeAddress = ({ host, path, port, scheme }: RouteAddress): string =>
  `${scheme}://${host}${port === defaultPorts[scheme] ? "" : `:${port}`}${path}`

const authOf = ({ configuration, passwordHash }: RoutedApplication): BasicAuth | null => {
  if (!configuration.is_http_basic_auth_enabled) return null
  const username = configuration.http_basic_auth_username ?? ""
  // Basic auth is enabled but incomplete: allowing everyone would be the opposite of the request.
  return username === "" || passwordHash === null
    ? { _tag: "Nobody" }
    : { _tag: "Account", username, hash: passwordHash }
}

interface Domain {
  readonly address: RouteAddress
  readonly service: string | null
}

const domainsOf = ({ configuration, generatedDomain }: RoutedApplication): ReadonlyArray<Domain> => {
  const own = [configuration.domains, generatedDomain ?? ""].map((list) => ({ list, service: null }))
  const compose = (configuration.docker_compose_domains ?? []).map(({ domain, name }) => ({
    list: domain,
    service: name
  }))
  return [...own, ...compose].flatMap(({ list, service }) =>
    parseDomains(list).addresses.map((each) => ({ address: routeAddressOf(each), service }))
  )
}

const otherWwwHost = (host: string): string => (host.startsWith("www.") ? host.slice("www.".length) : `www.${host}`)

const keyOf = ({ host, path, port, scheme }: RouteAddress) => `${scheme} ${host}:${port}${path}` as DomainKey

/** Compares two routes for sorting: longer paths first, so that the first matching route is the most specific. */
export const longestFirst = (one: Route, other: Route): number => {
  const [a, b] = [one.address, other.address]
  return b.path.length - a.path.length || (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0)
}

/**
 * Returns the proxy routes of an application, one or more for each of its domains; longest paths come first.
 *
 * - An https domain on the default port also has an http route, which redirects if `is_force_https_enabled` is set.
 * - The setting `redirect` redirects between `www.x` and `x` only if the application has both domains, because the
 *   missing one may belong to another application (invariant I28). The value `both` serves both.
 * - Basic auth with an empty name or password rejects every request.
 */
export const routesOf = (application: RoutedApplication): ReadonlyArray<Route> => {
  const { is_force_https_enabled: forced, redirect } = application.configuration
  const auth = authOf(application)
  const domains = domainsOf(application)
  const listed = new Set(domains.map(({ address }) => keyOf(address)))

  const siblingOf = (address: RouteAddress): RouteAddress | null => {
    const isWww = address.host.startsWith("www.")
    if (redirect !== (isWww ? "non-www" : "www")) return null
    const there = { ...address, host: otherWwwHost(address.host) }
    const candidates = (["https", "http"] as const).map((scheme) => ({
      ...there,
      scheme,
      // An address with a custom port has only one scheme.
      port: address.port === defaultPorts[address.scheme] ? defaultPorts[scheme] : address.port
    }))
    return candidates.find((candidate) => listed.has(keyOf(candidate))) ?? null
  }

  const { is_gzip_enabled: gzip, is_stripprefix_enabled: strips, noindex_domains: unlisted } = application.configuration
  const hidden = new Set(
    parseDomains((unlisted ?? []).join(",")).addresses.map((each) => routeAddressOf(each).host.toLowerCase())
  )
  const forward = (address: RouteAddress, service: string | null): RouteAnswer => ({
    _tag: "Forward",
    upstreams: application.upstreams(service),
    auth,
    ...(gzip ? { gzip } : {}),
    ...(strips && address.path !== "" ? { stripsPath: strips } : {}),
    ...(hidden.has(address.host) ? { noindex: true } : {})
  })

  const routes = new Map<string, Route>()
  const add = (address: RouteAddress, answer: RouteAnswer, wins: boolean) => {
    const key = keyOf(address)
    if (wins || !routes.has(key)) routes.set(key, { address, answer })
  }
  const redirectTo = ({ host, port, scheme }: RouteAddress): RouteAnswer => ({ _tag: "Redirect", scheme, host, port })

  for (const { address, service } of domains) {
    const there = siblingOf(address)
    const answer: RouteAnswer = there === null ? forward(address, service) : redirectTo(there)
    add(address, answer, false)
    if (address.scheme === "https" && address.port === defaultPorts.https) {
      const plain = { ...address, scheme: "http", port: defaultPorts.http } as const
      add(plain, forced && there === null ? redirectTo(address) : answer, forced)
    }
  }
  return [...routes.values()].sort(longestFirst)
}
