import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Logger } from "effect"
import { logOutages } from "../src/outages.ts"
import { StoreUnavailable } from "../src/StoreUnavailable.ts"

/** Polls once per outcome, and returns the log: level, message and whether a cause was included. */
const logged = (outcomes: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const lines: Array<readonly [string, string, boolean]> = []
    const logger = Logger.make(({ cause, logLevel, message }) => {
      lines.push([logLevel, [message].flat().map(String).join(" "), cause.reasons.length > 0])
    })
    const polling = logOutages("work could not be looked up")
    yield* Effect.forEach(outcomes, (outcome) =>
      polling(outcome === "ok" ? Effect.succeed(1) : Effect.die(outcome))
    ).pipe(Effect.provide(Logger.layer([logger])))
    return lines
  })

const away = (message: string) => new StoreUnavailable({ reason: "away", cause: new Error(message) })

describe("the polling loop of a worker", () => {
  it.effect("logs one line without a stack for a store outage, and one line when the outage ends", () =>
    Effect.gen(function* () {
      const outage = [away("refused\n  at Socket"), away("refused"), away("the connection ended"), away("refused")]
      expect(yield* logged(["ok", ...outage, "ok", "ok", away("refused again"), "ok"])).toEqual([
        ["Error", "work could not be looked up: the data store is unavailable: refused", false],
        ["Info", "work could not be looked up: over", false],
        ["Error", "work could not be looked up: the data store is unavailable: refused again", false],
        ["Info", "work could not be looked up: over", false]
      ])
    })
  )

  it.effect("logs a defect with its stack once, and a different defect separately", () =>
    Effect.gen(function* () {
      const [one, two] = [new Error("one"), new Error("two")]
      expect(yield* logged([one, one, one, two, two, "ok"])).toEqual([
        ["Error", "work could not be looked up", true],
        ["Error", "work could not be looked up", true],
        ["Info", "work could not be looked up: over", false]
      ])
    })
  )

  it.effect("ends on an interruption", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.forever(logOutages("polling")(Effect.sleep("1 hour"))))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
    })
  )
})
