import { readlinkSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { startPodman } from "@slipway/docker/testing"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { archiveOfFiles, ContainerEngine, type Engine } from "@slipway/domain/deploy/containers"
import { Effect, Stream } from "effect"
import { buildOf } from "./support/build.ts"
import { layer, listening } from "./support/engine.ts"

const owner = {
  application: "network00000000000000001" as ApplicationUuid,
  deployment: "deployment00000000000001" as DeploymentUuid,
  service: null
}

const linesOf = (engine: Engine, dockerfile: string) =>
  engine.build(archiveOfFiles({ Dockerfile: dockerfile }), buildOf(owner)).pipe(
    Stream.runCollect,
    Effect.map((steps) => [...steps].flatMap((step) => (step._tag === "Line" ? step.text.split("\n") : [])))
  )

// Prevents: Dockerfile steps reach listeners on the server's loopback, such as the admin API of its proxy,
// although no container may join the host network.
it.live("build steps run in a separate network without the server's loopback (I14)", () =>
  Effect.gen(function* () {
    const { access, image } = yield* startPodman
    const engine = yield* (yield* ContainerEngine).open(access)
    const lines = yield* linesOf(
      engine,
      `FROM ${image}\nRUN echo "net=$(readlink /proc/self/ns/net)"; echo "listening=$(tail -n +2 /proc/net/tcp | wc -l)"\n`
    )
    const said = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)
    assert.match(said("net") ?? "", /^net:\[\d+\]$/)
    assert.notStrictEqual(said("net"), readlinkSync("/proc/self/ns/net"))
    assert.strictEqual(said("listening"), "0")
  }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live("build steps use Docker's default network, which Docker isolates unless configured otherwise", () =>
  Effect.gen(function* () {
    const { asked, engine } = yield* listening("docker")
    yield* Effect.ignore(linesOf(engine, "FROM scratch\n"))
    const [{ searchParams }] = asked.map(({ url }) => new URL(url ?? "", "http://engine")) as [URL]
    assert.deepStrictEqual([searchParams.get("networkmode"), searchParams.get("nsoptions")], [null, null])
  }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live("a build that fails because Podman killed a step is retried once", () =>
  Effect.gen(function* () {
    const because = 'building at STEP "RUN sleep 4": while running runtime: signal: killed'
    const body = new TextEncoder().encode(`${JSON.stringify({ error: because })}\n`)
    for (const [product, builds] of [
      ["podman", 2],
      ["docker", 1]
    ] as const) {
      const { asked, engine } = yield* listening(product, () => ({ status: 200, body }))
      const failed = yield* Effect.flip(linesOf(engine, "FROM scratch\n"))
      assert.strictEqual(failed._tag, "BuildFailed")
      assert.strictEqual(asked.filter(({ url }) => url?.includes("/build?")).length, builds, product)
    }
  }).pipe(Effect.scoped, Effect.provide(layer))
)
