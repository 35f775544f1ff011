import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { ProjectStore } from "@slipway/domain/deploy/apps"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { runConcurrently } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import { newProject } from "../../builders.ts"

const insert = (n: number) => Effect.flatMap(ProjectStore, (store) => store.insert(newProject(n)))
const rename = (n: number, name: string) =>
  Effect.gen(function* () {
    const store = yield* ProjectStore
    const row = yield* store.find(newProject(n).uuid)
    if (row !== undefined) yield* store.replace({ ...row, name })
  })
const remove = (n: number) => Effect.flatMap(ProjectStore, (store) => store.remove(newProject(n).uuid))
const names = Effect.flatMap(ProjectStore, (store) =>
  Effect.map(store.list({ limit: 100 }), (rows) => rows.map((row) => row.name))
)
const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

const attempt = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.attempt(effect))

// An insert, an update and a delete: a rollback must undo all three.
const threeWrites = Effect.all([insert(3), rename(1, "renamed"), remove(2)], { discard: true })
const twoProjects = Effect.all([insert(1), insert(2)], { discard: true })
const before = ["project 1", "project 2"]
const after = ["renamed", "project 3"]

const manyReadings = Effect.all(Array.from({ length: 10 }, () => names))

/** Contract tests of transactions, which use projects as sample rows. */
export const transaction: Contract<Stores> = {
  port: "Transaction",
  musts: {
    "keep every write when the effect succeeds": Effect.gen(function* () {
      yield* twoProjects
      assert.strictEqual(yield* run(Effect.as(threeWrites, 42)), 42)
      assert.deepStrictEqual(yield* names, after)
    }),
    "roll back every write when the effect fails": Effect.gen(function* () {
      yield* twoProjects
      assert.strictEqual(yield* Effect.flip(run(Effect.andThen(threeWrites, Effect.fail("no")))), "no")
      assert.deepStrictEqual(yield* names, before)
    }),
    "roll back every write when the effect dies": Effect.gen(function* () {
      yield* twoProjects
      const exit = yield* Effect.exit(run(Effect.andThen(threeWrites, Effect.die("no"))))
      assert.deepStrictEqual(exit, Exit.die("no"))
      assert.deepStrictEqual(yield* names, before)
    }),
    "roll back every write when the effect is interrupted": Effect.gen(function* () {
      yield* twoProjects
      const written = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        run(threeWrites.pipe(Effect.andThen(Deferred.succeed(written, undefined)), Effect.andThen(Effect.never)))
      )
      yield* Deferred.await(written)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* names, before)
      yield* run(insert(3))
      assert.deepStrictEqual(yield* names, [...before, "project 3"])
    }),
    "roll back only the writes of a failed attempt when the transaction continues": {
      failing: Effect.gen(function* () {
        yield* twoProjects
        yield* run(
          Effect.gen(function* () {
            yield* insert(4)
            yield* Effect.flip(attempt(Effect.andThen(threeWrites, Effect.fail("no"))))
            assert.deepStrictEqual(yield* names, [...before, "project 4"])
            yield* attempt(insert(5))
            yield* rename(1, "by the outer one")
          })
        )
        assert.deepStrictEqual(yield* names, ["by the outer one", "project 2", "project 4", "project 5"])
      }),
      dying: Effect.gen(function* () {
        yield* twoProjects
        yield* run(
          Effect.gen(function* () {
            yield* insert(4)
            yield* Effect.exit(attempt(Effect.andThen(threeWrites, Effect.die("no"))))
            yield* insert(5)
          })
        )
        assert.deepStrictEqual(yield* names, [...before, "project 4", "project 5"])
      }),
      "at three levels, where the middle one fails": Effect.gen(function* () {
        yield* twoProjects
        yield* run(
          Effect.gen(function* () {
            yield* insert(4)
            const middle = run(threeWrites).pipe(Effect.andThen(attempt(insert(6))), Effect.andThen(Effect.fail("no")))
            yield* Effect.flip(attempt(middle))
            yield* insert(5)
          })
        )
        assert.deepStrictEqual(yield* names, [...before, "project 4", "project 5"])
      }),
      "outside of a transaction": Effect.gen(function* () {
        yield* twoProjects
        yield* Effect.flip(attempt(Effect.andThen(threeWrites, Effect.fail("no"))))
        assert.deepStrictEqual(yield* names, before)
      })
    },
    "keep no write of a nested run that fails, even if its failure is caught": {
      "when the transaction continues": Effect.gen(function* () {
        yield* twoProjects
        const caught = Effect.exit(run(Effect.andThen(threeWrites, Effect.fail("no"))))
        const exit = yield* Effect.exit(run(insert(4).pipe(Effect.andThen(caught), Effect.andThen(insert(5)))))
        assert.isTrue(Exit.hasDies(exit))
        assert.deepStrictEqual(yield* names, before)
      }),
      "when the transaction fails too": Effect.gen(function* () {
        yield* twoProjects
        yield* Effect.flip(run(run(threeWrites).pipe(Effect.andThen(Effect.fail("no")))))
        assert.deepStrictEqual(yield* names, before)
      }),
      "within an attempt, with only the attempt rolled back": Effect.gen(function* () {
        yield* twoProjects
        const caught = Effect.exit(run(Effect.andThen(threeWrites, Effect.fail("no"))))
        yield* run(insert(4).pipe(Effect.andThen(Effect.exit(attempt(caught))), Effect.andThen(insert(5))))
        assert.deepStrictEqual(yield* names, [...before, "project 4", "project 5"])
      })
    },
    "run after-commit effects when every write is kept, and skip them after a rollback": Effect.gen(function* () {
      const { afterCommit } = yield* Transaction
      const seen: Array<string> = []
      const note = (name: string) => afterCommit(Effect.sync(() => seen.push(name)))
      const hinted = (n: number) => Effect.andThen(insert(n), note(`hint ${n}`))
      yield* hinted(1)
      assert.deepStrictEqual(seen, ["hint 1"])
      yield* run(
        Effect.gen(function* () {
          yield* run(hinted(2))
          yield* attempt(hinted(3))
          yield* Effect.flip(attempt(Effect.andThen(hinted(4), Effect.fail("no"))))
          assert.deepStrictEqual(seen, ["hint 1"])
        })
      )
      assert.deepStrictEqual(seen, ["hint 1", "hint 2", "hint 3"])
      yield* Effect.flip(run(Effect.andThen(hinted(5), Effect.fail("no"))))
      assert.deepStrictEqual(seen, ["hint 1", "hint 2", "hint 3"])
      assert.deepStrictEqual(yield* names, ["project 1", "project 2", "project 3"])
    }),
    "hide the writes of a transaction from other transactions until it ends": {
      "for a transaction that is rolled back": Effect.gen(function* () {
        yield* twoProjects
        const [, seen] = yield* runConcurrently(
          names,
          (held) => Effect.exit(run(threeWrites.pipe(Effect.andThen(held), Effect.andThen(Effect.fail("no"))))),
          manyReadings
        )
        for (const each of seen) assert.deepStrictEqual(each, before)
      }),
      "for a committed transaction, which becomes visible atomically": Effect.gen(function* () {
        yield* twoProjects
        const [, seen] = yield* runConcurrently(
          names,
          (held) =>
            run(insert(3).pipe(Effect.andThen(held), Effect.andThen(rename(1, "renamed")), Effect.andThen(remove(2)))),
          manyReadings
        )
        for (const each of seen) assert.include([before.join(), after.join()], each.join())
        assert.deepStrictEqual(yield* names, after)
      })
    }
  }
}
