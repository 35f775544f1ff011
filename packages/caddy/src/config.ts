import { decodedPathOf } from "@slipway/domain/deploy/apps"
import { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  isPublicHost,
  longestFirst,
  Route,
  type RouteAddress,
  type RouteAnswer
} from "@slipway/domain/deploy/containers"
import { Option, Schema } from "effect"
import { credentialPrefixPattern } from "./credentials.ts"
import { dialOf, type Pointers, slotOf } from "./pointers.ts"
import type { CaddySettings, Listener } from "./settings.ts"

/** A value of JSON. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/**
 * The routes of all applications. A route with a pointer file (a file that names the current container) has no
 * upstream.
 */
export type Routes = ReadonlyMap<ApplicationUuid, ReadonlyArray<Route>>

/** The settings from which the configuration of Caddy is built, except the routes. */
export interface Layout extends Pick<CaddySettings, "http" | "https" | "acme"> {
  readonly pointers: Pick<Pointers, "root"> | null
  /** Whether this Caddy version (2.7 or newer) can keep WebSockets open when its configuration changes. */
  readonly outlasts: boolean
  /** The probe server: its listen address in Caddy's notation, and the secret that probe requests contain. */
  readonly probe: { readonly listen: string; readonly secret: string }
}

/** The headers of a probe request: its secret, and the address and scheme to which Caddy forwards it. */
export const probeHeaders = { secret: "X-Slipway-Probe", upstream: "X-Slipway-Upstream", scheme: "X-Slipway-Scheme" }
/** The header with the reason why a probe got no response. Caddy removes it from responses of containers. */
export const failureHeader = "X-Slipway-Failure"

const probeServer = "slipway-probe"
const mine = /^slipway-/
// Caddy keeps values for the time of a request; a route stores its name there for later handlers.
const memory = "slipway"

// A brace would begin a placeholder, which Caddy replaces from its environment.
const escaped = (text: string): string => text.replaceAll("{", "\\{").replaceAll("}", "\\}")
const regular = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&")

/** Returns the listener that serves a route; null if no listener has its scheme and port. */
export const listenerOf = (layout: Pick<Layout, "http" | "https">, { port, scheme }: RouteAddress): Listener | null => {
  const listeners = layout[scheme]
  const usual = scheme === "http" ? 80 : 443
  return listeners.find((each) => each.port === port) ?? (port === usual ? (listeners[0] ?? null) : null)
}

/** Returns the normalized address of a route. Only one application may use each address. */
export const placeOf = (layout: Pick<Layout, "http" | "https">, { address }: Pick<Route, "address">): string =>
  `${listenerOf(layout, address)?.address} ${address.host.toLowerCase()}${decodedPathOf(address.path)}`

/** Normalizes a host for comparison, as Caddy does: lower case, and an IPv6 address without brackets. */
const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$/g, "")

const matcherOf = ({ host, path }: RouteAddress): Json => ({
  host: [escaped(bare(host))],
  ...(path === "" ? {} : { path_regexp: { pattern: `^${regular(decodedPathOf(path) ?? "")}(?:/|$)` } })
})

const page = (title: string) => `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>\n`
const answering = (status: number | string, title: string, headers: { readonly [name: string]: Json } = {}): Json => ({
  handler: "static_response",
  status_code: status,
  headers: { "Content-Type": ["text/html; charset=utf-8"], "Cache-Control": ["no-store"], ...headers },
  body: page(title)
})
const notRunning = answering(503, "503 This application is not running")

/** The name of Caddy's option that keeps WebSockets open when the configuration changes. */
export const closeDelayOption = "stream_close_delay"
const outlastingOf = ({ outlasts }: Layout) => (outlasts ? { [closeDelayOption]: "1h" } : {})

const reverseProxy = (layout: Layout, dials: ReadonlyArray<string>): Json => ({
  handler: "reverse_proxy",
  ...outlastingOf(layout),
  upstreams: dials.map((dial) => ({ dial })),
  // A replica that has just exited is skipped: an unsent request can go to another one.
  ...(dials.length > 1 ? { load_balancing: { selection_policy: { policy: "round_robin" }, try_duration: "5s" } } : {}),
  // Shorter than the keep-alive of servers, so that no request is sent on a closing connection.
  transport: { protocol: "http", dial_timeout: "5s", keep_alive: { idle_timeout: "3s" } }
})

/**
 * Returns the handler that forwards requests to the upstream in the name of the first pointer file, and responds 503 if
 * there is no pointer file.
 */
const followPointer = (layout: Layout, root: string, application: ApplicationUuid, slot: string): Json => ({
  handler: "subroute",
  routes: [
    {
      match: [{ file: { root, try_files: [`/${application}/${slot}/*`] } }],
      handle: [
        {
          handler: "map",
          source: "{http.matchers.file.absolute}",
          destinations: ["{slipway.upstream}"],
          mappings: [{ input_regexp: "^.*@(.*)$", outputs: ["$1"] }]
        },
        reverseProxy(layout, ["{slipway.upstream}"])
      ],
      terminal: true
    },
    { handle: [notRunning] }
  ]
})

const nobody = answering(401, "401 Authentication required", { "WWW-Authenticate": ['Basic realm="restricted"'] })

const authentication = (auth: Extract<RouteAnswer, { readonly _tag: "Forward" }>["auth"]): ReadonlyArray<Json> => {
  if (auth === null) return []
  if (auth._tag === "Nobody") return [nobody]
  const account = { username: escaped(auth.username), password: Buffer.from(auth.hash).toString("base64") }
  return [
    {
      handler: "subroute",
      // Caddy takes a second of processor time to reject an unknown name, which would allow an attacker to keep it
      // busy.
      routes: [
        {
          match: [{ not: [{ header_regexp: { Authorization: { pattern: credentialPrefixPattern(auth.username) } } }] }],
          handle: [nobody],
          terminal: true
        }
      ]
    },
    {
      handler: "authentication",
      // The cache avoids hashing a known password again.
      providers: { http_basic: { accounts: [account], hash: { algorithm: "bcrypt" }, hash_cache: {} } }
    }
  ]
}

/** Returns the handlers that change requests and responses: headers, compression and a stripped path prefix. */
const treatments = (
  { path }: RouteAddress,
  { gzip, noindex, stripsPath }: Extract<RouteAnswer, { readonly _tag: "Forward" }>
): ReadonlyArray<Json> => [
  ...(noindex
    ? [{ handler: "headers", response: { deferred: true, set: { "X-Robots-Tag": ["noindex, nofollow"] } } }]
    : []),
  ...(gzip ? [{ handler: "encode", encodings: { gzip: {} }, prefer: ["gzip"] }] : []),
  ...(stripsPath ? [{ handler: "rewrite", strip_path_prefix: escaped(path) }] : [])
]

const handlersOf = (layout: Layout, application: ApplicationUuid, { address, answer }: Route): ReadonlyArray<Json> => {
  if (answer._tag === "Redirect") {
    const { host, scheme } = answer
    const port = listenerOf(layout, { ...answer, path: "" })?.port ?? answer.port
    const written = port === (scheme === "http" ? 80 : 443) ? "" : `:${port}`
    const location = `${scheme}://${escaped(host)}${written}{http.request.uri}`
    return [{ handler: "static_response", status_code: 308, headers: { Location: [location] } }]
  }
  const forwarding =
    answer.upstreams.length > 0
      ? reverseProxy(layout, answer.upstreams.map(dialOf))
      : layout.pointers === null
        ? notRunning
        : followPointer(layout, layout.pointers.root, application, slotOf(address))
  return [...authentication(answer.auth), ...treatments(address, answer), forwarding]
}

interface Placed {
  readonly application: ApplicationUuid
  readonly route: Route
}

const routeOf = (layout: Layout, { application, route }: Placed): Json => ({
  match: [matcherOf(route.address)],
  handle: [
    { handler: "vars", [memory]: { application, route: route as unknown as Json } },
    ...handlersOf(layout, application, route)
  ],
  terminal: true
})

// From a hundred hosts on, Caddy uses binary search for a host.
const largeGroup = 101

/** Groups the routes of many hosts, so that Caddy compares each request with few routes. */
const grouped = (routes: ReadonlyArray<Placed>, write: (placed: Placed) => Json): ReadonlyArray<Json> => {
  const hosts = [...new Set(routes.map(({ route }) => bare(route.address.host)))].sort()
  const groups = Math.floor(hosts.length / largeGroup)
  if (groups < 2) return routes.map(write)
  const size = Math.ceil(hosts.length / groups)
  const groupOf = new Map(hosts.map((host, n) => [host, Math.floor(n / size)]))
  return Array.from({ length: groups }, (_, group) => {
    const here = routes.filter(({ route }) => groupOf.get(bare(route.address.host)) === group)
    const host = hosts.slice(group * size, (group + 1) * size).map(escaped)
    return { match: [{ host }], handle: [{ handler: "subroute", routes: here.map(write) }] }
  })
}

const requestId: Json = {
  match: [{ not: [{ header: { "X-Request-Id": ["*"] } }] }],
  handle: [{ handler: "headers", request: { set: { "X-Request-Id": ["{http.request.uuid}"] } } }]
}

const errors: Json = {
  routes: [
    { match: [{ expression: "{http.error.status_code} in [502, 503, 504]" }], handle: [notRunning], terminal: true },
    { handle: [answering("{http.error.status_code}", "{http.error.status_code} {http.error.status_text}")] }
  ]
}

const server = ({ address }: Listener, scheme: "http" | "https", routes: ReadonlyArray<Json>): Json => ({
  listen: [address],
  // HTTP/3 connections would not survive a new configuration.
  protocols: ["h1", "h2"],
  automatic_https: { disable: true },
  ...(scheme === "https" ? { tls_connection_policies: [{}] } : {}),
  read_header_timeout: "30s",
  routes: [requestId, ...routes, { handle: [answering(404, "404 No application at this address")] }],
  errors
})

/**
 * Returns the server for probes (test requests to containers). It forwards a request with the correct secret to the
 * address in a header of the request.
 */
const probing = (layout: Layout): Json => {
  const { probe } = layout
  const forward = (transport: { readonly [key: string]: Json }): Json => ({
    handler: "reverse_proxy",
    ...outlastingOf(layout),
    upstreams: [{ dial: `{http.request.header.${probeHeaders.upstream}}` }],
    transport: { protocol: "http", keep_alive: { enabled: false }, ...transport },
    headers: { request: { delete: Object.values(probeHeaders) }, response: { deferred: true, delete: [failureHeader] } }
  })
  const secret = { [probeHeaders.secret]: [probe.secret] }
  return {
    listen: [probe.listen],
    protocols: ["h1"],
    automatic_https: { disable: true },
    routes: [
      {
        match: [{ header: { ...secret, [probeHeaders.scheme]: ["https"] } }],
        handle: [forward({ tls: { insecure_skip_verify: true } })],
        terminal: true
      },
      { match: [{ header: secret }], handle: [forward({})], terminal: true },
      { handle: [{ handler: "static_response", status_code: 403, close: true }] }
    ],
    errors: {
      routes: [
        {
          handle: [
            { handler: "static_response", status_code: 502, headers: { [failureHeader]: ["{http.error.message}"] } }
          ]
        }
      ]
    }
  }
}

const certificates = ({ acme }: Layout, hosts: ReadonlyArray<string>): { readonly [app: string]: Json } => {
  if (hosts.length === 0) return {}
  const asked: Json = {
    module: "acme",
    ...(acme.email === null ? {} : { email: acme.email }),
    ...(acme.directory === null ? {} : { ca: acme.directory })
  }
  const policies = [
    { subjects: hosts.filter((host) => !isPublicHost(host)), issuers: [{ module: "internal" }] },
    { subjects: hosts.filter(isPublicHost), issuers: [asked] }
  ].filter(({ subjects }) => subjects.length > 0)
  return {
    tls: { certificates: { automate: hosts }, automation: { policies } },
    // The machine's certificate authority isn't installed as trusted; users can install it themselves.
    pki: { certificate_authorities: { local: { install_trust: false } } }
  }
}

/**
 * Returns the complete configuration of Caddy for routes. Equal layouts and routes give an equal configuration, which
 * needs no update.
 *
 * All parts of `present` except `apps` are kept. Public hosts get certificates by ACME, others by Caddy's own
 * authority.
 */
export const configOf = (present: Json, layout: Layout, routes: Routes): Json => {
  const all = [...routes].flatMap(([application, each]) => each.map((route) => ({ application, route })))
  const ordered = all.sort((one, other) => longestFirst(one.route, other.route))
  const servers: Record<string, Json> = { [probeServer]: probing(layout) }
  for (const scheme of ["http", "https"] as const) {
    for (const listener of layout[scheme]) {
      const here = ordered.filter(
        ({ route: { address } }) => address.scheme === scheme && listenerOf(layout, address) === listener
      )
      if (scheme === "https" && here.length === 0) continue
      servers[`slipway-${scheme}-${listener.port}`] = server(
        listener,
        scheme,
        grouped(here, (placed) => routeOf(layout, placed))
      )
    }
  }
  const hosts = new Set(
    ordered.flatMap(({ route: { address } }) => (address.scheme === "https" ? [bare(address.host)] : []))
  )
  const ports = { http_port: layout.http[0]?.port ?? 80, https_port: layout.https[0]?.port ?? 443 }
  const settings = typeof present === "object" && present !== null && !Array.isArray(present) ? present : {}
  return { ...settings, apps: { http: { ...ports, servers }, ...certificates(layout, [...hosts].sort()) } }
}

const Written = Schema.Struct({ application: ApplicationUuid, route: Route })
const Routed = Schema.Struct({
  match: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  handle: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
})
const Configured = Schema.Struct({
  apps: Schema.optionalKey(
    Schema.Struct({
      http: Schema.optionalKey(
        Schema.Struct({
          servers: Schema.optionalKey(
            Schema.Record(Schema.String, Schema.Struct({ routes: Schema.optionalKey(Schema.Array(Routed)) }))
          )
        })
      )
    })
  )
})
const asConfigured = Schema.decodeUnknownOption(Configured)
const asRouted = Schema.decodeUnknownOption(Routed)
const asWritten = Schema.decodeUnknownOption(Written)
const asSecret = Schema.decodeUnknownOption(
  Schema.Struct({ header: Schema.Struct({ [probeHeaders.secret]: Schema.Tuple([Schema.NonEmptyString]) }) })
)

const serversIn = (config: Json) =>
  Option.match(asConfigured(config), {
    onNone: () => ({}),
    onSome: ({ apps }) => apps?.http?.servers ?? {}
  })

/** Returns the names of the servers in the configuration that Slipway did not create. */
export const foreignServersIn = (config: Json): ReadonlyArray<string> =>
  Object.keys(serversIn(config)).filter((name) => !mine.test(name))

const placedIn = (routes: ReadonlyArray<unknown>): ReadonlyArray<Placed> =>
  routes.flatMap((each) => {
    const [first] = Option.getOrElse(asRouted(each), () => ({ handle: [] })).handle ?? []
    const written = asWritten(first?.[memory])
    if (Option.isSome(written)) return [written.value]
    return first?.handler === "subroute" && Array.isArray(first.routes) ? placedIn(first.routes) : []
  })

/** Returns the routes of all applications from a configuration of Caddy. */
export const routesIn = (config: Json): Routes => {
  const found = new Map<ApplicationUuid, ReadonlyArray<Route>>()
  for (const { routes = [] } of Object.values(serversIn(config))) {
    for (const { application, route } of placedIn(routes)) {
      found.set(application, [...(found.get(application) ?? []), route])
    }
  }
  return found
}

type ServedRoutes = { readonly routes?: ReadonlyArray<typeof Routed.Type> }
const probingIn = (config: Json) => (serversIn(config) as Record<string, ServedRoutes>)[probeServer]?.routes?.at(1)

/** Returns the secret of the probe server in a configuration; null if there is no probe server. */
export const secretIn = (config: Json): string | null => {
  const secret = asSecret(probingIn(config)?.match?.[0])
  return Option.isNone(secret) ? null : (secret.value.header[probeHeaders.secret]?.[0] ?? null)
}

/** The path of the probe server's configuration in the admin API. */
export const probePath = `/config/apps/http/servers/${probeServer}`

/** Returns the secret of probe requests from the part of the configuration at `probePath`. */
export const secretOf = (server: Json): string | null =>
  secretIn({ apps: { http: { servers: { [probeServer]: server } } } })

/**
 * Returns whether WebSockets stay open when a configuration is replaced; null if the configuration has no probe server
 * yet.
 */
export const outlastsIn = (config: Json): boolean | null => {
  const handler = probingIn(config)?.handle?.[0]
  return handler === undefined ? null : closeDelayOption in handler
}
