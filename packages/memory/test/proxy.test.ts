import { ProxySimulation, proxy } from "@slipway/memory/deploy"
import { register } from "@slipway/testkit"
import { Contracts, ProxyWorld, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"

const server = uuidOf<never>("server", 1)

const world = Layer.effect(
  ProxyWorld,
  Effect.map(ProxySimulation, (simulation) => {
    let containers = 0
    const fresh = () => ({ host: `10.0.0.${++containers}`, port: 3000 })
    return {
      access: { _tag: "Local", server, connectionTimeout: 5, socket: null } as const,
      nowhere: Effect.sync(fresh),
      container: (answer) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            const upstream = fresh()
            return Effect.as(
              simulation.listen(upstream, (request) => ({ status: 200, headers: {}, ...answer(request) })),
              upstream
            )
          }),
          (upstream) => simulation.listen(upstream, null)
        ),
      visit: ({ headers = {}, host, method = "GET", path = "/", port, scheme }) =>
        simulation.visit(server, { scheme, host, port: port ?? (scheme === "http" ? 80 : 443), method, path, headers }),
      origin: (scheme, host) => `${scheme}://${host}`
    }
  })
)

register("memory", Layer.provideMerge(world, proxy), [Contracts.proxy])
