import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { eventStream } from "../../src/server/wire/eventStream.ts"

it.effect("an idle stream of events sends a keep-alive every fifteen seconds", () =>
  Effect.gen(function* () {
    const { body } = yield* eventStream(Stream.never)
    if (body._tag !== "Stream") return expect.fail(body._tag)
    const heard: Array<string> = []
    const reading = yield* body.stream.pipe(
      Stream.decodeText,
      Stream.runForEach((text) => Effect.sync(() => void heard.push(text))),
      Effect.forkChild({ startImmediately: true })
    )
    yield* TestClock.adjust("14 seconds")
    expect(heard.join("")).toBe("retry: 2000\n\n")
    for (let n = 1; n <= 3; n += 1) {
      yield* TestClock.adjust("15 seconds")
      expect(heard.join("")).toBe(`retry: 2000\n\n${": keep-alive\n\n".repeat(n)}`)
    }
    yield* Fiber.interrupt(reading)
  })
)
