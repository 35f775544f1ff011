import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { layerContainerEngine } from "@slipway/docker"
import { type PodmanService, startPodman } from "@slipway/docker/testing"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  archiveOfFiles,
  ContainerEngine,
  type ContainerSpec,
  containerName,
  containerSpec,
  imageReference
} from "@slipway/domain/deploy/containers"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { Effect, Exit, Layer, Scope, Stream } from "effect"
import { healthTestOf } from "../src/healthCheck.ts"
import { buildOf } from "./support/build.ts"

const scope = Effect.runSync(Scope.make())
let podman: PodmanService | undefined

beforeAll(() =>
  Effect.runPromise(
    Effect.gen(function* () {
      podman = yield* startPodman
    }).pipe(Scope.provide(scope))
  )
)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const layer = layerContainerEngine.pipe(Layer.provide(layerSshConnections), Layer.provide(memory))
const owner = {
  application: "a".repeat(24) as ApplicationUuid,
  deployment: "d".repeat(24) as DeploymentUuid,
  service: null
}
const ref = { application: owner.application, name: containerName(owner) }

/** Runs a container with a health check, and returns the result of one probe. */
const probed = (command: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (podman === undefined) return yield* Effect.die("podman was not started")
    const engine = yield* (yield* ContainerEngine).open(podman.access)
    const healthCheck = { command, interval: 60, timeout: 5, retries: 1, startPeriod: 0 }
    const spec = containerSpec({ owner, name: ref.name, image: podman.image, command: ["sleep", "60"], healthCheck })
    yield* Effect.acquireRelease(engine.create(spec), () => Effect.orDie(engine.remove(ref)))
    yield* engine.start(ref)
    yield* engine.probeHealth(ref)
    const { health, healthOutput } = yield* engine.inspect(ref)
    return [health, healthOutput]
  }).pipe(Effect.scoped, Effect.provide(layer))

const shell = (text: string) => ["/bin/sh", "-c", text]

const cases = [
  ["a failing shell text", shell("echo x; exit 1"), ["unhealthy", "x"]],
  ["runs of blanks in a shell text", shell("test \"a  b\" = 'a  b' || exit 1"), ["healthy", null]],
  ["a shell text of several lines", shell("if false\nthen exit 0\nfi\necho \\\\n; exit 1\n"), ["unhealthy", "\\n"]],
  ["words with blanks", ["test", "a 'b'", "=", "a 'b'"], ["healthy", null]],
  ["words with runs of blanks", ["test", "a b", "=", "a  b"], ["unhealthy", null]],
  ["an empty word", ["test", "-z", ""], ["healthy", null]]
] as const

describe("a health check on Podman", () => {
  for (const [what, command, found] of cases) {
    it.live(`passes ${what} to the container unchanged`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* probed(command), [...found])
      })
    )
  }
})

describe("the health check of an image on Podman", () => {
  it.live("runs by default, and not when it is disabled", () =>
    Effect.gen(function* () {
      if (podman === undefined) return yield* Effect.die("podman was not started")
      const engine = yield* (yield* ContainerEngine).open(podman.access)
      const dockerfile = `FROM ${podman.image}\nHEALTHCHECK --interval=60s CMD exit 1\n`
      yield* Stream.runDrain(engine.build(archiveOfFiles({ Dockerfile: dockerfile }), buildOf(owner)))
      const health = Effect.fnUntraced(function* (healthCheck: ContainerSpec["healthCheck"]) {
        const image = imageReference(owner)
        const spec = containerSpec({ owner, name: ref.name, image, command: ["sleep", "60"], healthCheck })
        yield* Effect.acquireRelease(engine.create(spec), () => Effect.orDie(engine.remove(ref)))
        yield* engine.start(ref)
        const { health, healthInterval } = yield* engine.inspect(ref)
        return [health, healthInterval]
      }, Effect.scoped)
      assert.deepStrictEqual(yield* health(null), ["starting", 60])
      assert.deepStrictEqual(yield* health("disabled"), [null, null])
    }).pipe(Effect.provide(layer))
  )
})

describe("a health check on Docker", () => {
  it("is sent as a shell command or as arguments", () => {
    assert.deepStrictEqual(healthTestOf({ command: shell("a  b") }, "docker"), ["CMD-SHELL", "a  b"])
    assert.deepStrictEqual(healthTestOf({ command: ["a", "b  c"] }, "docker"), ["CMD", "a", "b  c"])
  })
})
