import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { container, layer, listening, shown } from "./support/engine.ts"

const text = Buffer.from("2026-11-23T10:25:49.9Z one\n")
const frame = Uint8Array.from([1, 0, 0, 0, 0, 0, 0, text.length, ...text])
const halfWritten = {
  message: "unable to read log file: '2026-11-23T10:25:49.915369929' is not a valid container log line"
}

const readingFrom = Effect.fnUntraced(function* (answer: (tries: number) => { status: number; body: unknown }) {
  let tries = 0
  const { engine } = yield* listening("podman", ({ url }) =>
    url?.includes("/logs") === true ? answer(++tries) : shown("running")
  )
  const read = yield* Effect.result(Stream.runCollect(engine.logs(container)))
  return { read, tries }
})

it.live("reading a log is retried while the container writes a line", () =>
  Effect.gen(function* () {
    const written = yield* readingFrom((tries) =>
      tries < 3 ? { status: 500, body: halfWritten } : { status: 200, body: frame }
    )
    assert.strictEqual(written.tries, 3)
    assert.deepInclude(written.read, {
      _tag: "Success",
      success: [{ at: "2026-11-23T10:25:49.9Z", stream: "stdout", text: "one" }]
    })
    const broken = yield* readingFrom(() => ({ status: 500, body: { message: "the disk is gone" } }))
    assert.strictEqual(broken.tries, 1)
    assert.propertyVal(broken.read._tag === "Failure" ? broken.read.failure : {}, "because", "the disk is gone")
  }).pipe(Effect.scoped, Effect.provide(layer))
)
