import { randomBytes } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { decodedPathOf } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  ProbeFailed,
  ProxyRefused,
  ProxyUnreachable,
  type Route,
  RouteTaken,
  type ServerProxy,
  type Upstream,
  writeAddress
} from "@slipway/domain/deploy/containers"
import { Data, Effect, Option, Schedule, Schema } from "effect"
import { certificateOf } from "./certificates.ts"
import {
  closeDelayOption,
  configOf,
  failureHeader,
  foreignServersIn,
  type Json,
  type Layout,
  listenerOf,
  outlastsIn,
  placeOf,
  probeHeaders,
  probePath,
  type Routes,
  routesIn,
  secretIn,
  secretOf
} from "./config.ts"
import { exchange, hostAt, hostOf, type NoAnswer, type Transport } from "./exchange.ts"
import type { SerialRunner } from "./lock.ts"
import { dialOf, type Pointers, type Pointing, slotOf } from "./pointers.ts"

/** The connections and settings for Caddy on one server. */
export interface Caddy {
  /** The transport to the admin API. */
  readonly admin: Transport
  /** The transport to the probe server. */
  readonly probe: Transport
  /** The transport to the first HTTPS listener; null if there is none. */
  readonly secure: Transport | null
  readonly layout: Pick<Layout, "http" | "https" | "acme">
  /** The pointer files of the routes; null if the configuration contains the targets. */
  readonly pointers: Pointers | null
  /** Runs changes one after another. */
  readonly inTurn: SerialRunner
}

/** The proxy of a server, with a step that prepares it before use. */
export interface PreparedProxy extends ServerProxy {
  /** Updates listeners and other settings; the routes stay unchanged. */
  readonly prepare: Effect.Effect<void, ProxyUnreachable | ProxyRefused>
}

/** The error of a configuration update: the configuration has changed since it was read. */
class Changed extends Data.TaggedError("Changed") {}

interface State {
  readonly config: Json
  readonly tag: string | undefined
  readonly routes: Routes
}

const limit = 64 * 1024 * 1024
const timeout = 30_000
const largestProbe = 65_536
const tries = 50
const pause = 50
/** Maximum number of certificates that are read concurrently. */
const handshakes = 8

const Problem = Schema.fromJsonString(Schema.Struct({ error: Schema.String }))
const problemIn = (body: string) =>
  Option.match(Schema.decodeUnknownOption(Problem)(body), { onNone: () => body.trim(), onSome: ({ error }) => error })

const asJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const plainHost = /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$|^[0-9a-f:]*:[0-9a-f:.]*$/i

const listenOf = ({ address }: Transport) => (address._tag === "Socket" ? `unix/${address.path}` : hostOf(address))

/** Returns the reason why a proxy cannot serve a route; null if it can. */
const problemOf = (layout: Pick<Layout, "http" | "https">, { address, answer }: Route): string | null => {
  const { path, scheme } = address
  if (listenerOf(layout, address) === null) {
    const ports = layout[scheme].map(({ port }) => port).join(", ")
    return `\`${writeAddress(address)}\` cannot be reached: the proxy listens for ${scheme} only at ${ports}`
  }
  if (decodedPathOf(path) === null) return `\`${writeAddress(address)}\` cannot be served: its path is not valid text`
  const upstreams = answer._tag === "Forward" ? answer.upstreams : []
  const wrong = upstreams.find(({ host, port }) => !plainHost.test(host) || port < 1 || port > 65_535)
  return wrong === undefined ? null : `\`${wrong.host}\` is not a valid container address`
}

/** Builds the proxy interface of a server from the connections to its Caddy. */
export const serverProxyOf = ({ admin, inTurn, layout: places, pointers, probe, secure }: Caddy): PreparedProxy => {
  const ask = (method: string, path: string, body?: Json, tag?: string) =>
    exchange(admin, {
      method,
      path,
      headers: [
        ["Host", hostAt(admin)],
        ["Content-Type", "application/json"],
        ...(tag === undefined ? [] : [["If-Match", tag] as const])
      ],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeout: timeout,
      limit
    })
  const unreachable = ({ because }: NoAnswer) => new ProxyUnreachable({ because: `Caddy doesn't answer: ${because}` })

  const get = Effect.fnUntraced(function* (path: string) {
    const { body, headers, status } = yield* ask("GET", path).pipe(
      // Caddy closes the connections of its admin API whenever it loads another configuration.
      Effect.retry({ times: 3, schedule: Schedule.spaced(pause), while: ({ reason }) => reason === "lost" }),
      Effect.mapError(unreachable)
    )
    const config = asJson(body)
    if (status !== 200 || Option.isNone(config)) {
      return yield* new ProxyUnreachable({ because: `Caddy answered ${status}: ${problemIn(body)}` })
    }
    return { config: config.value as Json, tag: headers.etag }
  })

  const read: Effect.Effect<State, ProxyUnreachable | ProxyRefused> = Effect.gen(function* () {
    const { config, tag } = yield* get("/config/")
    const foreignServers = foreignServersIn(config)
    if (foreignServers.length > 0) {
      const because = `this Caddy already serves other routes (${foreignServers.join(", ")}): use a separate Caddy for Slipway`
      return yield* new ProxyRefused({ because })
    }
    return { config, tag, routes: routesIn(config) }
  })

  /** Sends the configuration for routes to Caddy, unless the current configuration is equal. */
  const write = Effect.fnUntraced(function* ({ config, tag }: State, routes: Routes) {
    const secret = secretIn(config) ?? randomBytes(24).toString("base64url")
    // A Caddy that doesn't know an option reports that, and gets a configuration without it.
    let outlasts = outlastsIn(config) ?? true
    for (;;) {
      const wanted = configOf(
        config,
        { ...places, pointers, outlasts, probe: { listen: listenOf(probe), secret } },
        routes
      )
      if (isDeepStrictEqual(wanted, config)) return
      const { body, status } = yield* ask("POST", "/config/", wanted, tag).pipe(
        // Reading again shows whether it was applied.
        Effect.mapError((error) => (error.reason === "lost" ? new Changed() : unreachable(error)))
      )
      if (status === 412) return yield* new Changed()
      if (status === 200) return
      if (!outlasts || !body.includes(closeDelayOption)) return yield* new ProxyRefused({ because: problemIn(body) })
      outlasts = false
    }
  })

  // Another process was faster, or Caddy was just closing the connection: its configuration may be the wanted one.
  const again = <A, E, R>(effect: Effect.Effect<A, E | Changed | ProxyUnreachable, R>) =>
    effect.pipe(
      Effect.retry({ times: tries, while: (error) => error instanceof Changed }),
      Effect.catchIf(
        (error): error is Changed => error instanceof Changed,
        () => Effect.fail(new ProxyUnreachable({ because: "Caddy's configuration was changed concurrently too often" }))
      )
    ) as Effect.Effect<A, Exclude<E, Changed> | ProxyUnreachable, R>

  const isFollowed = ({ answer }: Route): boolean =>
    pointers !== null && answer._tag === "Forward" && answer.upstreams.length <= 1
  /**
   * Returns a route in the form that the configuration contains: without an upstream if a pointer file contains the
   * target.
   */
  const stored = (route: Route): Route =>
    isFollowed(route) ? { ...route, answer: { ...route.answer, upstreams: [] } as Route["answer"] } : route
  const targetOf = ({ answer }: Route): Upstream | null =>
    answer._tag === "Forward" ? (answer.upstreams[0] ?? null) : null

  const noPointing: Pointing = { pointed: () => null, point: () => Effect.void, forget: () => Effect.void }
  const pointingOf = (application: ApplicationUuid) =>
    pointers === null ? Effect.succeed(noPointing) : pointers.of(application)

  const led = (pointing: Pointing, route: Route): Route => {
    if (route.answer._tag === "Redirect" || route.answer.upstreams.length > 0) return route
    const upstream = pointing.pointed(slotOf(route.address))
    return upstream === null ? route : { ...route, answer: { ...route.answer, upstreams: [upstream] } }
  }
  const followed = (application: ApplicationUuid, routes: ReadonlyArray<Route>) =>
    Effect.map(pointingOf(application), (pointing) => routes.map((route) => led(pointing, route)))
  const slotsOf = (routes: ReadonlyArray<Route>) => new Set(routes.map(({ address }) => slotOf(address)))
  const lead = ({ point }: Pointing, routes: ReadonlyArray<Route>) =>
    point(new Map(routes.filter(isFollowed).map((route) => [slotOf(route.address), targetOf(route)])))

  const check = Effect.fnUntraced(function* (routes: Routes, changed: ReadonlySet<ApplicationUuid>) {
    const holders = new Map<string, ApplicationUuid>()
    for (const [application, each] of routes) {
      if (changed.has(application)) continue
      for (const route of each) holders.set(placeOf(places, route), application)
    }
    for (const application of changed) {
      for (const route of routes.get(application) ?? []) {
        const because = problemOf(places, route)
        if (because !== null) return yield* new ProxyRefused({ because })
        const place = placeOf(places, route)
        const holder = holders.get(place) ?? application
        if (holder !== application) return yield* new RouteTaken({ address: writeAddress(route.address), holder })
        holders.set(place, application)
      }
    }
  })

  /** Replaces the routes of all applications; returns the applications with changed routes. */
  const replace = Effect.fnUntraced(function* (state: State, wanted: Routes, changed: ReadonlySet<ApplicationUuid>) {
    yield* check(wanted, changed)
    const changes = yield* Effect.forEach([...changed], (application) =>
      Effect.map(pointingOf(application), (pointing) => {
        const [present, routes] = [slotsOf(state.routes.get(application) ?? []), wanted.get(application) ?? []]
        const fresh = routes.filter(({ address }) => !present.has(slotOf(address)))
        return { pointing, present, routes, fresh }
      })
    )
    // A pointer that no route uses yet can be switched immediately; one in use only when Caddy has loaded all routes.
    for (const { fresh, pointing, present } of changes) {
      // The pointer of an earlier change, kept for requests that were under way then.
      yield* pointing.forget(present)
      yield* lead(pointing, fresh)
    }
    const storedRoutes = new Map([...wanted].map(([application, routes]) => [application, routes.map(stored)] as const))
    yield* Effect.onError(write(state, storedRoutes), () =>
      Effect.forEach(changes, ({ pointing, present }) => Effect.ignore(pointing.forget(present)))
    )
    for (const { pointing, routes } of changes) yield* lead(pointing, routes)
  })

  const forget = (application: ApplicationUuid) =>
    Effect.flatMap(pointingOf(application), (pointing) => pointing.forget(new Set()))

  const having = (state: State, application: ApplicationUuid, routes: ReadonlyArray<Route>): Routes => {
    const others = [...state.routes].filter(([each]) => each !== application)
    return new Map(routes.length === 0 ? others : [...others, [application, routes]])
  }

  return {
    prepare: again(inTurn(Effect.flatMap(read, (state) => write(state, state.routes)))),
    apply: (application, routes, isWanted = Effect.succeed(true)) =>
      again(
        inTurn(
          Effect.gen(function* () {
            const state = yield* read
            if (yield* isWanted) yield* replace(state, having(state, application, routes), new Set([application]))
          })
        )
      ),
    remove: (application, isWanted = Effect.succeed(true)) =>
      again(
        inTurn(
          Effect.gen(function* () {
            const state = yield* read
            if (!(yield* isWanted)) return false
            yield* Effect.catchTag(
              replace(state, having(state, application, []), new Set([application])),
              "RouteTaken",
              Effect.die
            )
            yield* forget(application)
            return state.routes.has(application)
          })
        )
      ),
    certificates: Effect.gen(function* () {
      if (secure === null) return []
      const { routes } = yield* read
      const hosts = new Map(
        [...routes].flatMap(([application, each]) =>
          each.flatMap(({ address: { host, scheme } }) => (scheme === "https" ? [[host, application] as const] : []))
        )
      )
      return yield* Effect.forEach(
        hosts,
        ([host, application]) =>
          Effect.map(certificateOf(secure, host), (validity) => ({ application, host, validity })),
        { concurrency: handshakes }
      ).pipe(Effect.mapError(unreachable))
    }),
    read: (application) => Effect.flatMap(read, (state) => followed(application, state.routes.get(application) ?? [])),
    probe: (upstream, request) =>
      Effect.gen(function* () {
        const secret = secretOf((yield* get(probePath)).config)
        if (secret === null) return yield* new ProxyUnreachable({ because: "Caddy has lost its server for probes" })
        const { body, headers, status } = yield* exchange(probe, {
          method: request.method,
          path: request.path,
          headers: [
            ["Host", request.host ?? dialOf(upstream)],
            [probeHeaders.secret, secret],
            [probeHeaders.upstream, dialOf(upstream)],
            [probeHeaders.scheme, request.scheme]
          ],
          timeout: request.timeout * 1000,
          limit: largestProbe
        }).pipe(Effect.mapError(({ because }) => new ProbeFailed({ because })))
        const failure = headers[failureHeader.toLowerCase()]
        if (failure !== undefined) return yield* new ProbeFailed({ because: failure })
        return { status, body }
      })
  }
}
