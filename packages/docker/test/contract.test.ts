import { afterAll, beforeAll } from "@effect/vitest"
import { layerContainerEngine } from "@slipway/docker"
import { startPodman, startRegistry } from "@slipway/docker/testing"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/deploy"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { otherEngine } from "./support/other.ts"
import { worldOn } from "./support/world.ts"

const scope = Effect.runSync(Scope.make())
const worlds = new Map<string, ReturnType<typeof worldOn>>()
const engine = layerContainerEngine.pipe(Layer.provide(layerSshConnections), Layer.provide(memory))

/** The socket of another engine to run the contract on, next to Podman. */
const socket = process.env.SLIPWAY_ENGINE_SOCKET

beforeAll(() =>
  Effect.gen(function* () {
    const { address, password, reference, username } = yield* startRegistry()
    const credentials = { registry: address, username, password: Redacted.make(password) }
    const published = { reference, credentials }
    const podman = yield* startPodman
    worlds.set("podman", worldOn(podman.image, podman.access, published))
    if (socket === undefined) return
    const other = yield* otherEngine(socket).pipe(Effect.provide(yield* Layer.build(engine)))
    worlds.set(socket, worldOn(other.image, other.access, published))
  }).pipe(Scope.provide(scope), Effect.runPromise)
)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

for (const name of socket === undefined ? ["podman"] : ["podman", socket]) {
  const world = Layer.suspend(() => worlds.get(name) ?? Layer.effectContext(Effect.die(`${name} was not started`)))
  register(name, Layer.merge(engine, world), [Contracts.engine])
}
