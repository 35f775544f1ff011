import { assert, describe, it } from "@effect/vitest"
import { mostLines } from "@slipway/domain/deploy/runtime"
import { Effect, Stream } from "effect"
import { processorTime } from "../../../scripts/vitest/processor.ts"
import { progressOf } from "../src/progress.ts"
import { demultiplex, framedLines, linesOf, longestLine, parseTimestamp } from "../src/streams.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

const frame = (stream: 1 | 2, text: string): Uint8Array => {
  const body = bytes(text)
  const whole = new Uint8Array(8 + body.length)
  whole[0] = stream
  new DataView(whole.buffer).setUint32(4, body.length)
  whole.set(body, 8)
  return whole
}

const joined = (...parts: ReadonlyArray<Uint8Array>) => new Uint8Array(Buffer.concat(parts))

/** Splits bytes into chunks of every length from 1 up, like a network. */
const everyCut = (whole: Uint8Array) =>
  Array.from({ length: Math.min(whole.length, 40) }, (_, n) =>
    Stream.fromIterable(
      Array.from({ length: Math.ceil(whole.length / (n + 1)) }, (_, part) =>
        whole.subarray(part * (n + 1), (part + 1) * (n + 1))
      )
    )
  )

describe("the output of a program", () => {
  it.effect("is the same for every split into network chunks", () =>
    Effect.gen(function* () {
      const whole = joined(
        frame(1, "one\ntw"),
        frame(2, "error \u{1f6a2}\r\n"),
        frame(1, ""),
        frame(1, "o\n\nrest \u00e9")
      )
      for (const parts of everyCut(whole)) {
        const lines = yield* Stream.runCollect(framedLines(demultiplex(parts)))
        const of = (stream: string) => lines.filter((line) => line.stream === stream).map(({ text }) => text)
        assert.deepStrictEqual(of("stdout"), ["one", "two", "", "rest \u00e9"])
        assert.deepStrictEqual(of("stderr"), ["error \u{1f6a2}"])
      }
    })
  )

  it.effect("keeps the parts of a long message separate, each with its time", () =>
    Effect.gen(function* () {
      const [early, late] = ["2026-01-02T03:04:05.000000001Z", "2026-01-02T03:04:06+01:00"]
      const whole = joined(frame(1, `${early} aaa`), frame(1, `${late} bbb\n`), frame(2, `${late} \n`))
      for (const parts of everyCut(whole)) {
        assert.deepStrictEqual(yield* Stream.runCollect(parseTimestamp(framedLines(demultiplex(parts), true))), [
          { at: early, stream: "stdout", text: "aaa" },
          { at: late, stream: "stdout", text: "bbb" },
          { at: late, stream: "stderr", text: "" }
        ])
      }
    })
  )

  it.effect("I25: is split into lines of bounded length", () =>
    Effect.gen(function* () {
      const endless = Stream.fromIterable(Array.from({ length: 100 }, () => "x".repeat(1_000)))
      const lines = yield* Stream.runCollect(linesOf(endless))
      assert.isTrue(lines.every((line) => line.length <= longestLine))
      assert.strictEqual(lines.join("").length, 100_000)
    })
  )
})

describe("the progress of a build", () => {
  const told = (...events: ReadonlyArray<object | string>) =>
    progressOf(
      Stream.make(bytes(events.map((event) => (typeof event === "string" ? event : JSON.stringify(event))).join("\n"))),
      (because) => because
    )
  const texts = (stream: ReturnType<typeof told>) =>
    Effect.map(Stream.runCollect(stream), (progress) => progress.map((each) => (each._tag === "Line" ? each.text : "")))

  it.effect("is returned line by line, without progress bars and invalid messages", () =>
    Effect.gen(function* () {
      const lines = yield* texts(
        told(
          { stream: "Step 1" },
          { stream: "/2 : FROM a\n" },
          { status: "Downloading", id: "abc", progress: "[==> ]" },
          { status: "Pull complete", id: "abc" },
          "no json",
          { aux: { ID: "sha256:1" } },
          { stream: "done" }
        )
      )
      assert.deepStrictEqual(lines, ["Step 1/2 : FROM a", "abc: Pull complete", "done"])
    })
  )

  it.effect("ends with the reason of a failed build", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.flip(texts(told({ stream: "a\n" }, { error: "it broke" }))), "it broke")
    })
  )

  it.effect("I25: is limited to the first 8 MiB, while the build continues", () =>
    Effect.gen(function* () {
      const line = { stream: `${"x".repeat(9_999)}\n` }
      const lines = yield* texts(told(...Array.from({ length: 1_000 }, () => line)))
      assert.isBelow(lines.join("\n").length, 8_400_000)
      assert.strictEqual(lines.at(-1), "The rest of the log is omitted because it is too long.")
      assert.strictEqual(lines.filter((text) => text.startsWith("The rest")).length, 1)
    })
  )

  it.live("I25: endless empty lines are read fast, and do not block other work", () =>
    Effect.gen(function* () {
      const part = bytes(`${JSON.stringify({ stream: "\n" })}\r\n`.repeat(4_000))
      const failure = bytes(JSON.stringify({ error: "it broke" }))
      const endless = Stream.concat(Stream.fromIterable(Array.from({ length: 100 }, () => part)), Stream.make(failure))
      const lines: Array<string> = []
      let turns = 0
      const count = () => {
        turns += 1
        next = setImmediate(count)
      }
      let next = setImmediate(count)
      const time = processorTime()
      const failed = yield* progressOf(endless, (because) => because).pipe(
        Stream.runForEach((each) => Effect.sync(() => void (each._tag === "Line" && lines.push(each.text)))),
        Effect.flip
      )
      const used = time()
      clearImmediate(next)
      assert.strictEqual(failed, "it broke")
      assert.deepStrictEqual(lines, [
        ...Array.from({ length: mostLines }, () => ""),
        "The rest of the log is omitted because it is too long."
      ])
      // It took 14 seconds of CPU time.
      assert.isBelow(used, 4_000)
      assert.isAtLeast(turns, 100)
    })
  )
})
