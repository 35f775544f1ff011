import { assert, describe, it } from "@effect/vitest"
import { makeFairQueue, makeThreads, threadModule } from "@slipway/threads"
import { Effect, Fiber } from "effect"
import type { Question } from "./support/testThread.ts"

/** Starts turns of a queue with one slot, each with a duration, and returns the order in which they ran. */
const order = (turns: ReadonlyArray<readonly [name: string, keys: ReadonlyArray<string>, takes?: number]>) =>
  Effect.gen(function* () {
    let at = 0
    const queue = makeFairQueue(1, () => at)
    const had: Array<string> = []
    const work = (name: string, takes: number) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => {
          had.push(name)
          at += takes
        })
      )
    yield* Effect.forEach(turns, ([name, keys, takes = 10]) => queue.withTurn(keys)(work(name, takes)), {
      concurrency: "unbounded"
    })
    return had.join(" ")
  })

describe("a fair queue", () => {
  it.effect("serves another caller before the second turn of a caller with many requests (invariant I25)", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 5 }, (_, n) => [`a${n}`, ["caller:a", "repository:r"]] as const)
      const turns = [
        ...many,
        ["b", ["caller:b", "repository:s"]] as const,
        ["c", ["caller:c", "repository:t"]] as const
      ]
      assert.strictEqual(yield* order(turns), "a0 b c a1 a2 a3 a4")
    })
  )

  it.effect("treats many callers of one repository, and many repositories of one caller, as one group", () =>
    Effect.gen(function* () {
      const callers = Array.from({ length: 4 }, (_, n) => [`r${n}`, [`caller:${n}`, "repository:r"]] as const)
      const repositories = Array.from({ length: 4 }, (_, n) => [`x${n}`, ["caller:x", `repository:${n}`]] as const)
      const turns = [...callers, ...repositories, ["b", ["caller:b", "repository:s"]] as const]
      assert.strictEqual(yield* order(turns), "r0 x0 b r1 x1 r2 x2 r3 x3")
    })
  )

  it.effect("divides the capacity by the duration of turns, not by their number", () =>
    Effect.gen(function* () {
      const long = Array.from({ length: 2 }, (_, n) => [`long${n}`, ["a"], 100] as const)
      const short = Array.from({ length: 4 }, (_, n) => [`s${n}`, ["b"], 10] as const)
      assert.strictEqual(yield* order([...long, ...short]), "long0 s0 s1 s2 s3 long1")
    })
  )

  it.effect("treats all work without a caller and a repository as one caller", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* order([
          ["u0", []],
          ["u1", []],
          ["a", ["a"]]
        ]),
        "u0 a u1"
      )
    })
  )

  it.live("frees the slot of failed and interrupted work, and removes waiting work that is cancelled", () =>
    Effect.gen(function* () {
      const queue = makeFairQueue(1)
      const turn = queue.withTurn(["a"])
      assert.strictEqual(yield* Effect.flip(turn(Effect.fail("broken"))), "broken")
      const running = yield* Effect.forkChild(turn(Effect.never))
      yield* Effect.yieldNow
      const waiting = yield* Effect.forkChild(turn(Effect.succeed("waited")))
      const next = yield* Effect.forkChild(turn(Effect.succeed("next")))
      yield* Effect.sleep("5 millis")
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      assert.strictEqual(yield* Fiber.join(next), "next")
      assert.strictEqual(yield* turn(Effect.succeed("again")), "again")
    })
  )

  it.live("divides threads between the callers of requests", () =>
    Effect.gen(function* () {
      let keys: ReadonlyArray<string> = ["a"]
      const ask = yield* makeThreads<Question, number>(threadModule(import.meta.url, "support/testThread"), {
        threads: 1,
        timeout: "20 seconds",
        memory: 64,
        shares: Effect.sync(() => keys)
      })
      const answers: Array<string> = []
      const asking = (name: string) =>
        Effect.suspend(() => {
          keys = [name]
          return Effect.map(ask("count"), () => answers.push(name))
        })
      yield* Effect.forEach(["a", "a", "a", "b"], asking, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, ["a", "b", "a", "a"])
    }).pipe(Effect.scoped)
  )
})
