import { assert, it } from "@effect/vitest"
import { layerContainerEngine } from "@slipway/docker"
import { startPodman } from "@slipway/docker/testing"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { archiveOfFiles, type BuildOptions, ContainerEngine } from "@slipway/domain/deploy/containers"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { Effect, Layer, Redacted, Stream } from "effect"
import { buildOf } from "./support/build.ts"

const engineLayer = layerContainerEngine.pipe(Layer.provide(layerSshConnections), Layer.provide(memory))

const owner = {
  application: "arguments000000000000001" as ApplicationUuid,
  deployment: "deployment00000000000001" as DeploymentUuid,
  service: null
}

const values = (count: number, length: number): BuildOptions["arguments"] =>
  Array.from({ length: count }, (_, n) => [`BIG_${n}`, Redacted.make("x".repeat(length + n))])

it.live("build arguments that exceed the size of a request are refused immediately, with their names (I25)", () =>
  Effect.gen(function* () {
    const { access } = yield* startPodman
    const engine = yield* (yield* ContainerEngine).open(access)
    const built = (given: BuildOptions["arguments"]) => {
      const dockerfile = ["FROM scratch", ...given.map(([name]) => `ARG ${name}`), "LABEL of=$BIG_0", ""].join("\n")
      return engine
        .build(archiveOfFiles({ Dockerfile: dockerfile }), { ...buildOf(owner), arguments: given })
        .pipe(Stream.runDrain)
    }
    yield* built(values(9, 99_900))
    const refused = yield* Effect.flip(built(values(11, 99_900)))
    assert.strictEqual(refused._tag, "BuildFailed")
    assert.include(refused.because, "engines accept at most 1,000,000")
    assert.include(refused.because, "`BIG_10`, `BIG_9`, `BIG_8`")
    assert.notInclude(refused.because, "xxx")
    // A character that the URL encodes with three characters counts as three.
    const escaped = yield* Effect.flip(built([["QUOTES", Redacted.make('"'.repeat(200_000))]]))
    assert.include(escaped.because, "`QUOTES`")
  }).pipe(Effect.scoped, Effect.provide(engineLayer))
)
