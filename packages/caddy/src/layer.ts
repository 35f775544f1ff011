import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { Proxy, ProxyUnreachable } from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { makeLock } from "./lock.ts"
import { type Caddy, serverProxyOf } from "./serverProxy.ts"
import type { AdminAddress, CaddySettings } from "./settings.ts"
import { answers, start } from "./start.ts"

/** Returns where the server for probes listens: beside the admin API, where no container reaches it. */
export const probeAddressOf = (admin: AdminAddress): AdminAddress =>
  admin._tag === "Socket"
    ? { _tag: "Socket", path: join(dirname(admin.path), "probe.sock") }
    : { ...admin, port: admin.port + 1 }

const prepareDirectory = (directory: string) =>
  Effect.try({
    try: () => mkdirSync(join(directory, "upstreams"), { recursive: true, mode: 0o700 }),
    catch: (cause) => new ProxyUnreachable({ because: `the directory of the proxy can't be made: ${cause}` })
  })

/** Serves routes by the Caddy of the platform's own machine; on other servers it refuses. */
export const layerCaddy = (settings: CaddySettings): Layer.Layer<Proxy> =>
  Layer.sync(Proxy, () => {
    const { acme, admin, directory, http, https, program, starts } = settings
    let inTurn: Caddy["inTurn"] | undefined
    const open = Effect.gen(function* () {
      if (directory !== null) yield* prepareDirectory(directory)
      inTurn ??= makeLock(directory)
      const pointers = directory === null ? null : { root: join(directory, "upstreams") }
      const proxy = serverProxyOf({
        admin,
        probe: probeAddressOf(admin),
        layout: { http, https, acme, pointers },
        inTurn
      })
      if (starts && directory !== null && admin._tag === "Socket") {
        const startUnlessThere = Effect.gen(function* () {
          if (!(yield* answers(admin))) yield* start({ program, directory, socket: admin.path })
        })
        // Asked again in turn: two processes that find no Caddy must not start two.
        if (!(yield* answers(admin))) yield* inTurn(startUnlessThere)
      }
      yield* Effect.catchTag(proxy.prepare, "ProxyRefused", ({ because }) =>
        Effect.fail(new ProxyUnreachable({ because }))
      )
      return proxy
    })
    return {
      open: (access) =>
        access._tag === "Local" ? open : Effect.fail(new ProxyUnreachable({ because: "not supported by this version" }))
    }
  })
