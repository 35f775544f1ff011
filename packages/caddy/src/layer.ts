import { mkdirSync } from "node:fs"
import { join } from "node:path"
import {
  type ContainerEngine,
  type LocalAccess,
  Proxy,
  ProxyRefused,
  ProxyUnreachable,
  type ServerAccess,
  type ServerProxy,
  type SshAccess
} from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import type { SshConnections } from "@slipway/ssh"
import { type Duration, Effect, Layer } from "effect"
import { containerCaddy, restartContainer } from "./container.ts"
import type { Transport } from "./exchange.ts"
import { makeLock, type SerialRunner } from "./lock.ts"
import { localDirectory, pointersIn } from "./pointers.ts"
import { type PreparedProxy, serverProxyOf } from "./serverProxy.ts"
import { type CaddySettings, probeAddressOf, secureAddressOf } from "./settings.ts"
import { end, isThere, start, wasStarted } from "./start.ts"

/** Applies the current listeners and settings to a proxy, and returns the proxy. */
export const prepareProxy = (proxy: PreparedProxy): Effect.Effect<ServerProxy, ProxyUnreachable> =>
  proxy.prepare.pipe(
    Effect.catchTag("ProxyRefused", ({ because }) => Effect.fail(new ProxyUnreachable({ because }))),
    Effect.as(proxy)
  )

const makeDirectory = (directory: string) =>
  Effect.try({
    try: () => mkdirSync(join(directory, "upstreams"), { recursive: true, mode: 0o700 }),
    catch: (cause) => new ProxyUnreachable({ because: `the directory of the proxy cannot be created: ${cause}` })
  })

const looksAreApart: Duration.Input = "5 seconds"

const makeLocal = Effect.fnUntraced(function* (settings: CaddySettings, apart = looksAreApart) {
  const { acme, admin, directory, http, https, mode, program } = settings
  const transport: Transport = { address: admin, connect: null }
  const probe: Transport = { address: probeAddressOf(admin), connect: null }
  const pointers = directory === null ? null : pointersIn(localDirectory(join(directory, "upstreams")))
  const inTurn = makeLock(directory)
  const secure = secureAddressOf(https)
  const proxy = serverProxyOf({
    admin: transport,
    probe,
    secure: secure === null ? null : { address: secure, connect: null },
    layout: { http, https, acme },
    pointers,
    inTurn
  })

  const startUnlessThere = Effect.gen(function* () {
    if (mode !== "spawn" || directory === null || admin._tag !== "Socket" || (yield* isThere(transport))) return false
    const startUnlessOthersDid = Effect.gen(function* () {
      if (yield* isThere(transport)) return false
      yield* start({ program, directory, socket: admin.path })
      return true
    })
    // Checked again within the turn: two processes that find no Caddy must not both start one.
    return yield* inTurn(startUnlessOthersDid)
  })
  if (mode === "spawn" && directory !== null) {
    // Restarts a Caddy that exits while applications are served; nothing else does.
    const watch = Effect.gen(function* () {
      if (!wasStarted(directory)) return
      if (yield* startUnlessThere) yield* Effect.logWarning("Caddy had exited and was restarted")
    }).pipe(Effect.catchTag("ProxyUnreachable", ({ because }) => Effect.logError(`Caddy exited: ${because}`)))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(apart), watch)))
  }
  const open = Effect.gen(function* () {
    if (directory !== null) yield* makeDirectory(directory)
    yield* startUnlessThere
    return yield* prepareProxy(proxy)
  })
  const restart = Effect.gen(function* () {
    if (mode !== "spawn" || directory === null || admin._tag !== "Socket") {
      return yield* new ProxyRefused({ because: "DEPLOY_PROXY is external: another process starts this proxy" })
    }
    const what = { program, directory, socket: admin.path }
    yield* makeDirectory(directory)
    yield* inTurn(Effect.andThen(end(what), start(what)))
    yield* prepareProxy(proxy)
  })
  return { open, restart }
})

const because = "routes cannot be served on servers with a TCP engine: connect to the engine by SSH"

/**
 * Serves routes with Caddy. On the platform's own machine, `settings` decides how Caddy runs. On servers that are
 * reached over SSH, the platform starts Caddy in a container.
 */
export const layerCaddy = (settings: CaddySettings): Layer.Layer<Proxy, never, ContainerEngine | SshConnections> =>
  Layer.effect(
    Proxy,
    Effect.gen(function* () {
      const context = yield* Effect.context<ContainerEngine | SshConnections>()
      const here = yield* makeLocal(settings)
      const locks = new Map<ServerUuid, SerialRunner>()
      const turnsOf = ({ server }: LocalAccess | SshAccess) => {
        const inTurn = locks.get(server) ?? makeLock(null)
        locks.set(server, inTurn)
        return inTurn
      }
      /** Returns the proxy settings with the image that a server selects. */
      const settingsOf = ({ proxyImage }: ServerAccess): CaddySettings =>
        proxyImage === undefined ? settings : { ...settings, image: proxyImage }
      const inContainer = Effect.fnUntraced(function* (access: LocalAccess | SshAccess) {
        const inTurn = turnsOf(access)
        return yield* prepareProxy(
          serverProxyOf({ ...(yield* containerCaddy(settingsOf(access), access, inTurn)), inTurn })
        )
      }, Effect.provideContext(context))
      const isHere = ({ _tag }: ServerAccess) => _tag === "Local" && settings.mode !== "container"
      return {
        takesImage: (access) => access._tag !== "Tcp" && !isHere(access),
        open: (access) => {
          if (access._tag === "Tcp") return Effect.fail(new ProxyUnreachable({ because }))
          return isHere(access) ? here.open : inContainer(access)
        },
        restart: (access) => {
          if (access._tag === "Tcp") return Effect.fail(new ProxyUnreachable({ because }))
          if (isHere(access)) return here.restart
          const restarted = Effect.provideContext(
            restartContainer(settingsOf(access), access, turnsOf(access)),
            context
          )
          return Effect.scoped(Effect.andThen(restarted, Effect.asVoid(inContainer(access))))
        }
      }
    })
  )

/**
 * Serves routes with a Caddy on the platform's own machine, without a container engine. `apart` is the interval between
 * health checks of Caddy.
 */
export const layerLocalCaddy = (settings: CaddySettings, apart?: Duration.Input): Layer.Layer<Proxy> =>
  Layer.effect(
    Proxy,
    Effect.map(makeLocal(settings, apart), (here) => {
      const because = "routes are only served on the machine of the platform"
      const onlyHere = <A, E>({ _tag }: ServerAccess, asked: Effect.Effect<A, E>) =>
        _tag === "Local" ? asked : Effect.fail(new ProxyUnreachable({ because }))
      return {
        takesImage: () => false,
        open: (access) => onlyHere(access, here.open),
        restart: (access) => onlyHere(access, here.restart)
      }
    })
  )
