import { decodedPathOf } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  BasicAuthHasher,
  ProbeFailed,
  Proxy,
  ProxyRefused,
  ProxyUnreachable,
  type Route,
  RouteTaken,
  type ServedCertificate,
  type ServerProxy,
  type Upstream,
  writeAddress
} from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { Base64 } from "effect/encoding"

/** A request to a simulated container; header names are in lower case. */
export interface SimulatedRequest {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A response of a simulated container, or of the proxy in front of it. */
export interface SimulatedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request to a simulated proxy, with the data of the connection. */
export interface SimulatedVisit extends SimulatedRequest {
  readonly scheme: "http" | "https"
  readonly host: string
  readonly port: number
}

/** A simulated container: a function from a request to a response. */
export type SimulatedContainer = (request: SimulatedRequest) => SimulatedAnswer

/** Controls the simulated proxies: tests start listening containers and send requests. */
export class ProxySimulation extends Context.Service<
  ProxySimulation,
  {
    /** Makes a container listen at an address; null removes it. */
    readonly listen: (upstream: Upstream, container: SimulatedContainer | null) => Effect.Effect<void>
    /** Makes a server's proxy fail all requests except visitors', for a reason; null restores it. */
    readonly cutOff: (server: ServerUuid, because: string | null) => Effect.Effect<void>
    /** Starts the proxy of a server again, without the routes that it had. */
    readonly startOver: (server: ServerUuid) => Effect.Effect<void>
    /** Sets the validity of the certificate of a host; null is no certificate. By default, certificates are valid. */
    readonly certify: (host: string, validity: ServedCertificate["validity"]) => Effect.Effect<void>
    /** Sends a request to the proxy of a server. */
    readonly visit: (server: ServerUuid, visit: SimulatedVisit) => Effect.Effect<SimulatedAnswer>
  }
>()("@slipway/memory/deploy/ProxySimulation") {}

/** The validity period of the simulated certificates, which never expire. */
const always = { from: "1970-01-01T00:00:00.000Z", until: "9999-01-01T00:00:00.000Z" }

const ports = { http: 80, https: 443 } as const
const largestProbe = 65_536
const keyOf = ({ host, port }: Upstream) => `${host}:${port}`
const page = (status: number): SimulatedAnswer => ({ status, headers: {}, body: `${status}` })

const placeOf = ({ address: { host, path, port, scheme } }: Route) => `${scheme} ${host}:${port}${decodedPathOf(path)}`

const hashOf = (password: string) => `memory:${Base64.encode(password)}`
const challenge: SimulatedAnswer = { ...page(401), headers: { "www-authenticate": 'Basic realm="restricted"' } }

const isLetIn = (authorization: string, username: string, hash: string): boolean => {
  const [, sent = ""] = /^Basic (.*)$/i.exec(authorization) ?? []
  const decoded = new TextDecoder().decode(
    Base64.decode(sent).pipe((result) => (result._tag === "Success" ? result.success : undefined))
  )
  return decoded.startsWith(`${username}:`) && hashOf(decoded.slice(username.length + 1)) === hash
}

class SimulatedServer {
  /**
   * The reason why management requests to the proxy fail; undefined if they succeed. Visitors get responses in both
   * cases.
   */
  unreachable: string | undefined
  routes: ReadonlyMap<ApplicationUuid, ReadonlyArray<Route>> = new Map()
  readonly turns = Semaphore.makeUnsafe(1)

  refusal(all: ReadonlyMap<ApplicationUuid, ReadonlyArray<Route>>): ProxyRefused | RouteTaken | null {
    const holders = new Map<string, ApplicationUuid>()
    for (const [application, routes] of all) {
      for (const route of routes) {
        const { path, port, scheme } = route.address
        if (port !== ports[scheme])
          return new ProxyRefused({ because: `no listener for ${writeAddress(route.address)}` })
        if (decodedPathOf(path) === null) return new ProxyRefused({ because: `\`${path}\` cannot be a path` })
        const place = placeOf(route)
        const holder = holders.get(place) ?? application
        if (holder !== application) return new RouteTaken({ address: writeAddress(route.address), holder })
        holders.set(place, application)
      }
    }
    return null
  }

  routeFor({ host, path, port, scheme }: SimulatedVisit): Route | undefined {
    const decodedPath = decodedPathOf(path.split("?")[0] ?? "") ?? ""
    return [...this.routes.values()]
      .flat()
      .filter(({ address }) => {
        const own = decodedPathOf(address.path) ?? ""
        return (
          address.scheme === scheme &&
          address.port === port &&
          address.host === host.toLowerCase() &&
          (decodedPath === own || decodedPath.startsWith(`${own}/`))
        )
      })
      .sort((one, other) => other.address.path.length - one.address.path.length)[0]
  }
}

const make = Effect.sync(() => {
  const servers = new Map<ServerUuid, SimulatedServer>()
  const containers = new Map<string, SimulatedContainer>()
  const certified = new Map<string, ServedCertificate["validity"]>()
  let requests = 0

  const serverOf = (uuid: ServerUuid) => {
    const server = servers.get(uuid) ?? new SimulatedServer()
    servers.set(uuid, server)
    return server
  }

  const answer = (server: SimulatedServer, visit: SimulatedVisit): SimulatedAnswer => {
    const route = server.routeFor(visit)
    if (route === undefined) return page(404)
    if (route.answer._tag === "Redirect") {
      const { host, port, scheme } = route.answer
      const location = `${writeAddress({ host, port, scheme, path: "" })}${visit.path}`
      return { ...page(308), headers: { location } }
    }
    const { auth, noindex, stripsPath, upstreams } = route.answer
    if (auth !== null) {
      if (auth._tag === "Nobody") return challenge
      if (!isLetIn(visit.headers.authorization ?? "", auth.username, auth.hash)) return challenge
    }
    const container = upstreams.map((each) => containers.get(keyOf(each))).find((each) => each !== undefined)
    if (container === undefined) return page(503)
    const headers = {
      "x-request-id": `request-${String(++requests).padStart(16, "0")}`,
      ...visit.headers,
      host: visit.host,
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": visit.scheme,
      "x-forwarded-host": visit.host
    }
    const inner = stripsPath ? visit.path.slice(route.address.path.length) : visit.path
    const path = inner.startsWith("/") ? inner : `/${inner}`
    const answered = container({ method: visit.method, path, headers })
    return noindex ? { ...answered, headers: { ...answered.headers, "x-robots-tag": "noindex, nofollow" } } : answered
  }

  const replace = (server: SimulatedServer, all: ReadonlyMap<ApplicationUuid, ReadonlyArray<Route>>) => {
    const refusal = server.refusal(all)
    if (refusal !== null) return Effect.fail(refusal)
    server.routes = all
    return Effect.void
  }

  const without = (server: SimulatedServer, application: ApplicationUuid) =>
    new Map([...server.routes].filter(([each]) => each !== application))

  const asked = <A, E, R>(server: SimulatedServer, answer: () => Effect.Effect<A, E, R>) =>
    Effect.suspend(
      (): Effect.Effect<A, E | ProxyUnreachable, R> =>
        server.unreachable === undefined ? answer() : Effect.fail(new ProxyUnreachable({ because: server.unreachable }))
    )

  const proxyOf = (server: SimulatedServer): ServerProxy => ({
    apply: (application, routes, isWanted = Effect.succeed(true)) =>
      server.turns.withPermit(
        asked(server, () =>
          Effect.flatMap(isWanted, (wanted) =>
            wanted
              ? replace(
                  server,
                  routes.length === 0
                    ? without(server, application)
                    : new Map([...server.routes, [application, routes]])
                )
              : Effect.void
          )
        )
      ),
    remove: (application, isWanted = Effect.succeed(true)) =>
      server.turns.withPermit(
        asked(server, () =>
          Effect.map(isWanted, (wanted) => {
            const wasThere = server.routes.has(application)
            if (wanted) server.routes = without(server, application)
            return wanted && wasThere
          })
        )
      ),
    certificates: asked(server, () =>
      Effect.sync(() =>
        [...server.routes].flatMap(([application, routes]) =>
          [...new Set(routes.flatMap(({ address: { host, scheme } }) => (scheme === "https" ? [host] : [])))].map(
            (host) => ({ application, host, validity: certified.has(host) ? (certified.get(host) ?? null) : always })
          )
        )
      )
    ),
    read: (application) => asked(server, () => Effect.sync(() => server.routes.get(application) ?? [])),
    probe: (upstream, { host, method, path }) =>
      asked(server, () => {
        const container = containers.get(keyOf(upstream))
        if (container === undefined) return Effect.fail(new ProbeFailed({ because: "nothing listens there" }))
        const { body, status } = container({ method, path, headers: { host: host ?? keyOf(upstream) } })
        return Effect.succeed({ status, body: body.slice(0, largestProbe) })
      })
  })

  return Context.make(Proxy, {
    takesImage: ({ _tag }) => _tag === "Ssh",
    open: ({ server }) => Effect.sync(() => proxyOf(serverOf(server))),
    restart: ({ server }) => asked(serverOf(server), () => Effect.void)
  }).pipe(
    Context.add(ProxySimulation, {
      listen: (upstream, container) =>
        Effect.sync(() => {
          if (container === null) containers.delete(keyOf(upstream))
          else containers.set(keyOf(upstream), container)
        }),
      cutOff: (server, because) =>
        Effect.sync(() => {
          serverOf(server).unreachable = because ?? undefined
        }),
      certify: (host, validity) => Effect.sync(() => void certified.set(host, validity)),
      startOver: (server) =>
        Effect.sync(() => {
          serverOf(server).routes = new Map()
        }),
      visit: (server, visit) => Effect.sync(() => answer(serverOf(server), visit))
    }),
    // A simulation has no secrets, and hashing must not slow its tests down.
    Context.add(BasicAuthHasher, { hash: (_, password) => Effect.sync(() => hashOf(Redacted.value(password))) })
  )
})

/** Simulates proxies in memory, one for each server. Tests simulate the containers and the visitors. */
export const proxy: Layer.Layer<Proxy | ProxySimulation | BasicAuthHasher> = Layer.effectContext(make)
