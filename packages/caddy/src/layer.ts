import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { type LocalAccess, Proxy, ProxyUnreachable, type ServerProxy } from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import type { Way } from "./exchange.ts"
import { makeLock } from "./lock.ts"
import { localDirectory, pointersIn } from "./pointers.ts"
import { type PreparedProxy, serverProxyOf } from "./serverProxy.ts"
import type { AdminAddress, CaddySettings } from "./settings.ts"
import { answers, start } from "./start.ts"

/** Returns where the server for probes listens: beside the admin API, where no container reaches it. */
export const probeAddressOf = (admin: AdminAddress): AdminAddress =>
  admin._tag === "Socket"
    ? { _tag: "Socket", path: join(dirname(admin.path), "probe.sock") }
    : { ...admin, port: admin.port + 1 }

/** Brings a proxy up to date, so that it can be used. */
export const prepared = (proxy: PreparedProxy): Effect.Effect<ServerProxy, ProxyUnreachable> =>
  proxy.prepare.pipe(
    Effect.catchTag("ProxyRefused", ({ because }) => Effect.fail(new ProxyUnreachable({ because }))),
    Effect.as(proxy)
  )

const makeDirectory = (directory: string) =>
  Effect.try({
    try: () => mkdirSync(join(directory, "upstreams"), { recursive: true, mode: 0o700 }),
    catch: (cause) => new ProxyUnreachable({ because: `the directory of the proxy can't be made: ${cause}` })
  })

const local = ({ acme, admin, directory, http, https, program, starts }: CaddySettings) => {
  const way: Way = { address: admin, connect: null }
  // Made once, when the directory is there: whoever asks later waits for those of this process without the file.
  let inTurn: ReturnType<typeof makeLock> | undefined
  return Effect.gen(function* () {
    if (directory !== null) yield* makeDirectory(directory)
    inTurn ??= makeLock(directory)
    if (starts && directory !== null && admin._tag === "Socket" && !(yield* answers(way))) {
      const startUnlessThere = Effect.gen(function* () {
        if (!(yield* answers(way))) yield* start({ program, directory, socket: admin.path })
      })
      // Asked again in turn: two processes that find no Caddy must not start two.
      yield* inTurn(startUnlessThere)
    }
    const pointers = directory === null ? null : pointersIn(localDirectory(join(directory, "upstreams")))
    const probe: Way = { address: probeAddressOf(admin), connect: null }
    return yield* prepared(serverProxyOf({ admin: way, probe, layout: { http, https, acme }, pointers, inTurn }))
  })
}

/** How the proxy of the platform's own machine is opened. */
export const openLocal = (settings: CaddySettings) => {
  const opened = local(settings)
  return (_: LocalAccess): Effect.Effect<ServerProxy, ProxyUnreachable> => opened
}

/** Serves routes by the Caddy of the platform's own machine, and refuses to on other servers. */
export const layerLocalCaddy = (settings: CaddySettings): Layer.Layer<Proxy> =>
  Layer.sync(Proxy, () => {
    const open = openLocal(settings)
    const because = "routes are served on the platform's own machine alone"
    return {
      open: (access) => (access._tag === "Local" ? open(access) : Effect.fail(new ProxyUnreachable({ because })))
    }
  })
