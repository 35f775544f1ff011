import { afterAll, beforeAll } from "@effect/vitest"
import { layerContainerEngine } from "@slipway/docker"
import { startPodman } from "@slipway/docker/testing"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { engineContracts } from "@slipway/testkit/deploy"
import { Effect, Exit, Layer, Scope } from "effect"
import { registry } from "./support/registry.ts"
import { credentialsFor, worldOn } from "./support/world.ts"

const scope = Effect.runSync(Scope.make())
let world: ReturnType<typeof worldOn> | undefined

beforeAll(() =>
  Effect.gen(function* () {
    const podman = yield* startPodman
    const { address, reference } = yield* registry
    world = worldOn(podman, podman.access, { reference, credentials: credentialsFor(address) })
  }).pipe(Scope.provide(scope), Effect.runPromise)
)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const engine = layerContainerEngine.pipe(Layer.provide(layerSshConnections), Layer.provide(memory))
const tested = Layer.suspend(() => world ?? Layer.effectContext(Effect.die("podman was not started")))

engineContracts("podman", Layer.merge(engine, tested))
