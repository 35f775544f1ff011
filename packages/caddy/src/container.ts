import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  ContainerEngine,
  containerSpec,
  type Engine,
  type LocalAccess,
  noOptions,
  ProxyUnreachable,
  type SshAccess
} from "@slipway/domain/deploy/containers"
import { SshConnections } from "@slipway/ssh"
import { Clock, Effect, Redacted, Schedule, Scope, Stream } from "effect"
import { exchange, hostAt, hostOf, NoAnswer, type Transport } from "./exchange.ts"
import type { SerialRunner } from "./lock.ts"
import { type Directory, pointersIn } from "./pointers.ts"
import type { Caddy } from "./serverProxy.ts"
import { type AdminAddress, type CaddySettings, probeAddressOf, secureAddressOf } from "./settings.ts"
import { isThere } from "./start.ts"

// The owner of proxy containers: no application is given this uuid.
const owner = {
  application: "slipwayproxy000000000000" as ApplicationUuid,
  deployment: "caddy0000000000000000000" as DeploymentUuid,
  service: null
}
const ref = { application: owner.application, name: "slipway-proxy" }
const volume = "slipway-proxy"
const data = "/data"
const mounts = [{ source: { _tag: "Volume", name: volume }, target: data, readOnly: false }] as const
const timeout = 30_000
const pause = 200
/**
 * The time in milliseconds for which a new Caddy must listen before it counts as started. Caddy also listens for a
 * short time before it exits with a rejected configuration.
 */
const steadyAfter = 1_000
/** The time in milliseconds of repeated crashes after which Caddy is started without its saved configuration. */
const endsFor = 2_000
/** The uptime in milliseconds after which a Caddy that listens counts as started. */
const old = 60_000

// The server's own loopback: each container has a separate one.
const adminOf = (port: number): AdminAddress => ({ _tag: "Tcp", host: "127.0.0.1", port })

const spec = ({ adminPort, image }: CaddySettings) =>
  containerSpec({
    owner,
    name: ref.name,
    image,
    entrypoint: ["caddy"],
    // With its last configuration, if there is one.
    command: ["run", "--resume"],
    environment: [
      ["CADDY_ADMIN", Redacted.make(hostOf(adminOf(adminPort)))],
      ["XDG_CONFIG_HOME", Redacted.make(`${data}/config`)],
      ["XDG_DATA_HOME", Redacted.make(data)]
    ],
    mounts,
    restart: { _tag: "UnlessStopped" },
    // The server's ports, and the addresses of all its containers in any network.
    options: { ...noOptions, dangerous: { ...noOptions.dangerous, network: "host" } }
  })

const unreachable = (because: string) => new ProxyUnreachable({ because })
const proxyFailureOf = (error: { readonly _tag: string; readonly because?: string }) =>
  unreachable(`the proxy's container cannot be used: ${error.because ?? error._tag}`)

/**
 * Returns the access to a directory in the container. Programs of its image read and change it without a shell, so
 * arguments need no escaping.
 */
const directoryIn = (engine: Engine, root: string): Directory => {
  const run = (...argv: ReadonlyArray<string>) => Effect.mapError(engine.exec(ref, { argv }), proxyFailureOf)
  const must = Effect.fnUntraced(function* (...argv: ReadonlyArray<string>) {
    const { exitCode, output } = yield* run(...argv)
    if (exitCode !== 0) {
      const because = output.map(({ text }) => text).join(" ")
      return yield* unreachable(`the proxy's container can't ${argv[0]}: ${because}`)
    }
  })
  // A missing path has no lines.
  const lines = (...argv: ReadonlyArray<string>) =>
    Effect.map(run(...argv), ({ output }) => output.flatMap(({ stream, text }) => (stream === "stdout" ? [text] : [])))
  const below = (path: string) => `${root}/${path}`
  return {
    root,
    directories: lines("ls", "-1", root),
    files: (directory) =>
      Effect.map(lines("find", below(directory), "-type", "f"), (paths) =>
        paths.map((path) => path.slice(root.length + 1))
      ),
    make: (files) =>
      Effect.andThen(
        must("mkdir", "-p", ...new Set(files.map(([directory]) => below(directory)))),
        must("touch", ...files.map(([directory, file]) => below(`${directory}/${file}`)))
      ),
    remove: (paths) => must("rm", "-rf", ...paths.map(below))
  }
}

const imageOf = (engine: Engine, reference: string) =>
  Effect.catchTag(engine.inspectImage(reference), "ImageNotFound", () => Stream.runDrain(engine.pull(reference)))

/** Creates and starts the proxy's container unless it runs. It never uses a Caddy that Slipway did not create. */
const startIn = (engine: Engine, settings: CaddySettings) =>
  Effect.gen(function* () {
    const isRunning = yield* engine.inspect(ref).pipe(
      Effect.map(({ state }) => state === "running"),
      Effect.catchTag("ContainerNotFound", () =>
        Effect.gen(function* () {
          yield* engine.ensureVolume(owner.application, volume)
          yield* imageOf(engine, settings.image)
          yield* engine.create(spec(settings))
          return false
        })
      )
    )
    if (!isRunning) yield* engine.start(ref)
  }).pipe(Effect.mapError(proxyFailureOf))

// Its last configuration, which Caddy saves itself.
const saved = `${data}/config/caddy/autosave.json`
const helper = { ...ref, name: `${ref.name}-saved` }

/**
 * Renames the saved configuration with which the proxy fails to start; returns false if there is no saved
 * configuration.
 */
const setAside = (engine: Engine, { image }: CaddySettings) =>
  Effect.gen(function* () {
    yield* engine.stop(ref)
    // A helper left by a killed process, which may have finished or not.
    yield* engine.remove(helper)
    yield* engine.create(
      containerSpec({
        owner,
        name: helper.name,
        image,
        entrypoint: ["mv"],
        command: ["-f", saved, `${saved}.unusable`],
        mounts
      })
    )
    yield* engine.start(helper)
    const exitCode = yield* engine.wait(helper)
    yield* engine.remove(helper)
    return exitCode === 0
  }).pipe(Effect.mapError(proxyFailureOf))

/** Number of restarts after which the proxy counts as unable to start. */
const mostRestarts = 2

/**
 * Makes an effect that returns the state of the proxy: `there` if it listens, `ended` if it exited or keeps restarting,
 * and `busy` otherwise.
 */
const makeLooks = (engine: Engine, transport: Transport) => {
  let last = { startedAt: "", since: 0 }
  return Effect.gen(function* () {
    const listens = yield* isThere(transport)
    const { restarts, startedAt, state } = yield* Effect.mapError(engine.inspect(ref), proxyFailureOf)
    if (state !== "running") return "ended"
    const now = yield* Clock.currentTimeMillis
    if (startedAt !== last.startedAt) last = { startedAt: startedAt ?? "", since: now }
    // The server's clock may differ from this one; then the check waits longer.
    const isOld = now - Date.parse(last.startedAt) >= old
    if (isOld || now - last.since >= steadyAfter) return listens ? "there" : "busy"
    return restarts > mostRestarts ? "ended" : "busy"
  })
}

const lastLine = (engine: Engine) =>
  engine.logs(ref, { tail: 1 }).pipe(
    Stream.runFold(
      () => "",
      (_, { text }) => text
    ),
    Effect.catch(() => Effect.succeed(""))
  )

const openTransport = (access: LocalAccess | SshAccess, address: AdminAddress) =>
  Effect.gen(function* () {
    if (access._tag === "Local") return { address, connect: null } satisfies Transport
    const connections = yield* SshConnections
    const scope = yield* Effect.scope
    const connect = Scope.provide(connections.open(access), scope).pipe(
      Effect.flatMap((connection) => connection.stream(address._tag === "Socket" ? { socket: address.path } : address)),
      Effect.mapError((error) => {
        const because = error._tag === "HostKeyChanged" ? `the server shows another key: ${error.shown}` : error.because
        return new NoAnswer({ because, reason: "absent" })
      })
    )
    return { address, connect } satisfies Transport
  })

/**
 * A reserved host name that does not resolve. No browser request or redirect by host name can therefore reach the admin
 * API.
 */
const reservedHost = "slipway-proxy.invalid"

/**
 * Returns whether a Caddy has no apps, from its answer to `GET /config/apps`: `null`, or 400 without any configuration,
 * where the path leads nowhere.
 */
export const isFresh = ({ body, status }: { readonly body: string; readonly status: number }): boolean =>
  status === 400 || body.trim() === "null"

/**
 * Restricts the admin API in a container to requests with a reserved `Host` header.
 *
 * The API listens at the loopback address of the server. Container engines also use that address to fetch the URLs in a
 * Dockerfile, so a build could otherwise reach the API.
 */
const reserve = Effect.fnUntraced(function* (open: Transport, inTurn: SerialRunner) {
  const admin: Transport = { ...open, host: reservedHost }
  const ask = (to: Transport, method: string, path: string, body = "") =>
    exchange(to, {
      method,
      path,
      headers: [
        ["Host", hostAt(to)],
        ["Content-Type", "application/json"]
      ],
      body,
      timeout: 10_000,
      limit: 65_536
    }).pipe(
      // Caddy closes its admin connections and reopens the listener whenever it loads a configuration.
      Effect.retry({ times: 5, schedule: Schedule.spaced(pause), while: ({ reason }) => reason !== "other" }),
      Effect.mapError(({ because }) => unreachable(`Caddy doesn't answer: ${because}`))
    )
  const isReserved = Effect.map(ask(admin, "GET", "/config/admin"), ({ status }) => status !== 403)
  const reserveHost = Effect.gen(function* () {
    if (yield* isReserved) return
    const settings = { listen: hostOf(open.address), origins: [reservedHost] }
    const [path, body] = isFresh(yield* ask(open, "GET", "/config/apps"))
      ? (["/config/", { admin: settings }] as const)
      : (["/config/admin", settings] as const)
    // Later requests show whether the change was applied.
    yield* Effect.ignore(ask(open, "POST", path, JSON.stringify(body)))
    for (let waited = 0; !(yield* isReserved); waited += pause) {
      if (waited >= timeout)
        return yield* unreachable("Caddy's admin API cannot be restricted to its reserved host name")
      yield* Effect.sleep(pause)
    }
  })
  if (!(yield* isReserved)) yield* inTurn(reserveHost)
  return admin
})

/**
 * Removes a stopped proxy container that has a different image than the chosen one. Its volume with the configuration
 * stays.
 */
const removeOther = (engine: Engine, { image }: CaddySettings) =>
  Effect.gen(function* () {
    const wanted = yield* engine.inspectImage(image)
    const present = yield* engine.inspect(ref)
    if (present.image !== wanted.id) yield* engine.remove(ref)
  }).pipe(
    // Without a container, the start creates one.
    Effect.catchTag("ContainerNotFound", () => Effect.void),
    Effect.mapError(proxyFailureOf)
  )

/**
 * Restarts the proxy container of a server with the chosen image; starts it if there is none.
 *
 * One lock covers the stop and the start. Without it, another process could see the stopped proxy, and conclude that
 * the proxy cannot start with its saved configuration.
 */
export const restartContainer = Effect.fnUntraced(
  function* (settings: CaddySettings, access: LocalAccess | SshAccess, inTurn: SerialRunner) {
    const engine = yield* (yield* ContainerEngine).open(access)
    const stopped = Effect.catchTag(engine.stop(ref), "ContainerNotFound", () => Effect.void)
    yield* inTurn(
      Effect.gen(function* () {
        // Before the stop: visitors should not wait for a pull.
        yield* Effect.mapError(imageOf(engine, settings.image), proxyFailureOf)
        yield* stopped
        yield* removeOther(engine, settings)
        yield* startIn(engine, settings)
      })
    )
  },
  Effect.scoped,
  Effect.mapError((error) => (error._tag === "ProxyUnreachable" ? error : proxyFailureOf(error)))
)

/**
 * Connects to Caddy in the proxy container of a server; starts the container if there is none.
 *
 * If Caddy rejects its saved configuration, the file is renamed, and the caller must restore the routes.
 */
export const containerCaddy = Effect.fnUntraced(function* (
  settings: CaddySettings,
  access: LocalAccess | SshAccess,
  inTurn: SerialRunner
) {
  const engine = yield* Effect.mapError((yield* ContainerEngine).open(access), proxyFailureOf)
  const admin = adminOf(settings.adminPort)
  const transport = yield* openTransport(access, admin)
  yield* startIn(engine, settings)
  let isAside = false
  const look = makeLooks(engine, transport)
  for (let waited = 0; ; waited += pause) {
    const stage = yield* look
    if (stage === "there") break
    if (stage === "ended" && !isAside && waited >= endsFor) {
      isAside = true
      const because = yield* lastLine(engine)
      const repaired = Effect.gen(function* () {
        // Another process may have restarted it in the meantime; its routes must stay.
        if ((yield* look) !== "ended") return true
        const isThere = yield* setAside(engine, settings)
        if (isThere) yield* startIn(engine, settings)
        return isThere
      })
      if (!(yield* inTurn(repaired))) return yield* unreachable(`the proxy's container exits: ${because}`)
      yield* Effect.logWarning(`the proxy rejects its last configuration and starts without it: ${because}`)
    }
    if (waited >= timeout) {
      return yield* unreachable(`the proxy's container doesn't answer: ${yield* lastLine(engine)}`)
    }
    yield* Effect.sleep(pause)
  }
  const { http, https } = access._tag === "Local" ? settings : settings.servers
  const secure = secureAddressOf(https)
  const caddy: Omit<Caddy, "inTurn"> = {
    admin: yield* reserve(transport, inTurn),
    probe: yield* openTransport(access, probeAddressOf(admin)),
    secure: secure === null ? null : yield* openTransport(access, secure),
    layout: { http, https, acme: settings.acme },
    pointers: pointersIn(directoryIn(engine, `${data}/slipway/upstreams`))
  }
  return caddy
})
