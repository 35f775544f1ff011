import { assert, describe, it } from "@effect/vitest"
import { Database, Table } from "@slipway/memory"
import { Deferred, Effect, Exit, Fiber, Result } from "effect"

interface Word {
  readonly id: number
  readonly text: string
  readonly parts: ReadonlyArray<{ readonly text: string }>
}

const make = () => {
  const database = new Database()
  const words = new Table<Word>("word", [{ of: "word.text", key: (row) => row.text }])
  const insert = (text: string) => database.write((snapshot) => words.insert(snapshot, { text, parts: [] }))
  const texts = database.read((snapshot) => words.list(snapshot, { limit: 100 }).map((row) => row.text))
  return { database, words, insert, texts }
}

describe("Database", () => {
  it.effect("rolls back a statement that fails after a write", () =>
    Effect.gen(function* () {
      const { database, texts, words } = make()
      const failing = database.write((snapshot) => {
        words.insert(snapshot, { text: "a", parts: [] })
        return Result.fail("no")
      })
      const dying = database.write((): Result.Result<void> => {
        throw new Error("no")
      })
      assert.strictEqual(yield* Effect.flip(failing), "no")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(dying)))
      assert.deepStrictEqual(yield* texts, [])
    })
  )

  it.effect("restores the committed rows of a checkpoint, any number of times", () =>
    Effect.gen(function* () {
      const { database, insert, texts } = make()
      yield* insert("a")
      const restore = yield* database.checkpoint
      for (const text of ["b", "c"]) {
        yield* insert(text)
        assert.deepStrictEqual(yield* texts, ["a", text])
        yield* restore
      }
      assert.deepStrictEqual(yield* texts, ["a"])
    })
  )

  it.effect("continues after a transaction was interrupted while it waited", () =>
    Effect.gen(function* () {
      const { database, insert, texts } = make()
      const gate = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(database.run(Effect.andThen(insert("a"), Deferred.await(gate))), {
        startImmediately: true
      })
      const second = yield* Effect.forkChild(database.run(insert("b")), { startImmediately: true })
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      yield* insert("c")
      assert.deepStrictEqual(yield* texts, ["a", "c"])
    })
  )

  it.effect("runs concurrent nested transactions one after the other", () =>
    Effect.gen(function* () {
      const { database, insert, texts } = make()
      const inner = (name: string, ends: Effect.Effect<unknown, string>) =>
        database
          .run(
            Effect.gen(function* () {
              yield* insert(`${name}1`)
              yield* Effect.yieldNow
              yield* insert(`${name}2`)
              yield* ends
            })
          )
          .pipe(Effect.exit)
      yield* database.run(
        Effect.all([inner("a", Effect.void), inner("b", Effect.fail("no")), inner("c", Effect.void), insert("d")], {
          concurrency: "unbounded"
        })
      )
      assert.deepStrictEqual((yield* texts).toSorted(), ["a1", "a2", "c1", "c2", "d"])
    })
  )

  it.effect("rejects writes in a transaction that has ended", () =>
    Effect.gen(function* () {
      const { database, insert, texts } = make()
      const gate = yield* Deferred.make<void>()
      const afterwards = [insert("late"), Effect.asVoid(texts), database.run(insert("later"))]
      const late = yield* database.run(
        Effect.forkDetach(
          Effect.forEach(afterwards, (each) =>
            Effect.andThen(Deferred.await(gate), Effect.exit<unknown, unknown, never>(each))
          )
        )
      )
      yield* Deferred.succeed(gate, undefined)
      for (const exit of yield* Fiber.join(late)) assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(yield* texts, [])
    })
  )

  it.effect("keeps the rows and the transactions of two databases separate", () =>
    Effect.gen(function* () {
      const one = make()
      const other = make()
      yield* Effect.exit(
        one.database.run(Effect.all([one.insert("a"), other.database.run(other.insert("b")), Effect.fail("no")]))
      )
      assert.deepStrictEqual([yield* one.texts, yield* other.texts], [[], ["b"]])
    })
  )

  it.effect("copies rows, so that callers cannot change stored ones", () =>
    Effect.gen(function* () {
      const { database, words } = make()
      const part = { text: "kept" }
      const row = { text: "a", parts: [part] }
      yield* database.write((snapshot) => words.insert(snapshot, row))
      part.text = "changed"
      row.text = "changed"
      const stored = yield* database.read((snapshot) => words.find(snapshot, "a"))
      assert.deepStrictEqual(stored, { id: 1, text: "a", parts: [{ text: "kept" }] })
      assert.throws(() => Object.assign(stored ?? {}, { text: "changed" }), TypeError)
      assert.throws(() => Object.assign(stored?.parts[0] ?? {}, { text: "changed" }), TypeError)
    })
  )
})
