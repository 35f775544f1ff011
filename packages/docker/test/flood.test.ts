import { assert, it } from "@effect/vitest"
import { layerContainerEngine } from "@slipway/docker"
import { startPodman } from "@slipway/docker/testing"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type Container,
  ContainerEngine,
  containerName,
  containerSpec,
  startPosition
} from "@slipway/domain/deploy/containers"
import { isLine, linesBeyond, readLast } from "@slipway/domain/deploy/runtime"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { Clock, Effect, Layer, Stream } from "effect"

const engineLayer = layerContainerEngine.pipe(Layer.provide(layerSshConnections), Layer.provide(memory))

const application = "flood0000000000000000001" as ApplicationUuid
const owner = { application, deployment: "deployment00000000000001" as DeploymentUuid, service: null }

const seconds = Effect.map(Clock.currentTimeMillis, (time) => time / 1_000)

it.live("the last lines of an endless log are read immediately, and can be followed", () =>
  Effect.gen(function* () {
    const { access, image } = yield* startPodman
    const engine = yield* (yield* ContainerEngine).open(access)
    const name = containerName(owner)
    const command = ["sh", "-c", "n=0; while :; do echo line $n; n=$((n+1)); done"]
    const container: Container = yield* engine.create({ ...containerSpec({ owner, name, image }), command })
    yield* engine.start({ application, name })
    yield* Effect.sleep("1 second")
    const began = yield* seconds
    const { counter, lines } = yield* readLast(engine, container, startPosition, 100)
    const read = yield* seconds
    assert.strictEqual(lines.length, 100)
    const followed = yield* linesBeyond(engine, container, counter, true).pipe(
      Stream.takeUntil((some) => some.some(isLine)),
      Stream.runCollect
    )
    const heard = yield* seconds
    const numbers = lines.map(({ text }) => Number(text.slice(5)))
    assert.deepStrictEqual(
      numbers,
      Array.from({ length: 100 }, (_, n) => (numbers[0] ?? 0) + n)
    )
    assert.isNotEmpty(followed.flat())
    // Reading all of it again takes minutes.
    assert.isBelow(read - began, 10)
    assert.isBelow(heard - read, 20)
    yield* engine.remove({ application, name })
  }).pipe(Effect.scoped, Effect.provide(engineLayer))
)

// Prevents: a hundred programs with long lines use gigabytes of memory (invariant I25).
it.live("an exec keeps the last mebibyte of output", () =>
  Effect.gen(function* () {
    const { access, image } = yield* startPodman
    const engine = yield* (yield* ContainerEngine).open(access)
    const name = containerName(owner)
    yield* engine.create({ ...containerSpec({ owner, name, image }), command: ["sleep", "1000"] })
    yield* engine.start({ application, name })
    const script = "head -c 4000000 /dev/zero | tr '\\0' x; echo; echo end"
    const { output } = yield* engine.exec({ application, name }, { argv: ["sh", "-c", script] })
    const characters = output.reduce((sum, { text }) => sum + text.length, 0)
    assert.isAtMost(characters, 1_048_576)
    assert.isAtLeast(characters, 1_000_000)
    assert.strictEqual(output.at(-1)?.text, "end")
    yield* engine.remove({ application, name })
  }).pipe(Effect.scoped, Effect.provide(engineLayer))
)
