import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { Leases } from "@slipway/forge/integrations"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

interface Row extends Leases.Leased {
  readonly said: string
}

const unkept = Layer.succeed(Transaction, {
  run: (effect) => effect,
  attempt: (effect) => effect,
  afterCommit: (effect) => effect
})

const start = () => {
  const due: Row = {
    id: 1,
    url: "",
    dueAt: "1970-01-01T00:00:00.000Z",
    running: false,
    asked: 0,
    lastError: "",
    said: ""
  }
  const kept = { row: due, began: 0, ended: 0 }
  const kind = (perform: Effect.Effect<Partial<Row>>): Leases.LeasedKind<Row, never> => ({
    name: "thing",
    due: () => Effect.succeed([kept.row]),
    lock: () => Effect.sync(() => kept.row),
    patch: (_, change) =>
      Effect.sync(() => {
        kept.row = { ...kept.row, ...change }
      }),
    perform: () =>
      Effect.ensuring(
        Effect.andThen(
          Effect.sync(() => {
            kept.began += 1
          }),
          perform
        ),
        Effect.sync(() => {
          kept.ended += 1
        })
      )
  })
  return { kept, kind }
}

/** Starts a job that ends with the result of the test, when the test says so. */
const begun = Effect.gen(function* () {
  const { kept, kind } = start()
  const done = yield* Deferred.make<Partial<Row>>()
  const running = yield* Effect.forkChild(Leases.runOne(kind(Deferred.await(done)), 1))
  /** Gives the row to another process, like after an expired lease. */
  const taken = Effect.gen(function* () {
    yield* TestClock.adjust("1 second")
    kept.row = { ...kept.row, dueAt: "1970-01-01T00:05:00.000Z" }
    return kept.row
  })
  return { done, kept, kind, running, taken }
})

describe("a leased job", () => {
  it.effect("renews its lease while it runs, and stores its result", () =>
    Effect.gen(function* () {
      const { done, kept, kind, running } = yield* begun
      yield* TestClock.adjust("100 seconds")
      expect(kept.row).toMatchObject({ running: true, dueAt: "1970-01-01T00:02:15.000Z" })
      expect(yield* Leases.runOne(kind(Effect.succeed({ said: "twice" })), 1)).toBe(false)
      yield* Deferred.succeed(done, { said: "done", dueAt: null })
      expect(yield* Fiber.join(running)).toBe(true)
      expect(kept).toMatchObject({ row: { running: false, dueAt: null, said: "done" }, began: 1, ended: 1 })
    }).pipe(Effect.provide(unkept))
  )

  // Prevents: a process that paused for a minute continues next to its successor, and overwrites its result.
  it.effect("is cancelled when the lease expired and another process took it, and stores nothing", () =>
    Effect.gen(function* () {
      const { kept, running, taken } = yield* begun
      const others = yield* taken
      yield* TestClock.adjust("20 seconds")
      expect(yield* Fiber.join(running)).toBe(true)
      expect(kept).toEqual({ row: others, began: 1, ended: 1 })
    }).pipe(Effect.provide(unkept))
  )

  it.effect("does not overwrite the row of another process if it ends before it notices the lost lease", () =>
    Effect.gen(function* () {
      const { done, kept, running, taken } = yield* begun
      const others = yield* taken
      yield* Deferred.succeed(done, { said: "late" })
      yield* Fiber.join(running)
      expect(kept.row).toEqual(others)
    }).pipe(Effect.provide(unkept))
  )
})
