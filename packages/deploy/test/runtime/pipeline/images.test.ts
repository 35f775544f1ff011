import { assert, describe, it } from "@effect/vitest"
import type { Image, Progress } from "@slipway/domain/deploy/containers"
import { Effect, Stream } from "effect"
import { imageIn } from "../../../src/runtime/pipeline/images.ts"

const image: Image = { id: "sha256:1", tags: [], size: 1, ports: [] }

describe("the progress of a build", () => {
  it.effect(
    "is stored up to its line limit, so that a build of millions of lines does not block the store (invariant I25)",
    () =>
      Effect.gen(function* () {
        let stored = 0
        const tell = () => Effect.sync(() => void stored++)
        const lines = Stream.map(Stream.range(1, 20_000), (n): Progress => ({ _tag: "Line", text: String(n) }))
        const progress = Stream.concat(lines, Stream.make<[Progress]>({ _tag: "Image", image }))
        const found = yield* imageIn(tell, progress)
        assert.deepStrictEqual([found, stored], [image, 10_000])
      })
  )
})
