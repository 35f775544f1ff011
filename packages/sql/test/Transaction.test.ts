import { expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { layerTransaction, onUnique, orDieSql } from "@slipway/sql"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { BeginTransaction, SqlClient } from "effect/sql/SqlClient"
import { ConnectionError, isSqlError, SerializationError, SqlError } from "effect/sql/SqlError"
import { onEachEngine } from "./support/engines.ts"

const table = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE account (id integer PRIMARY KEY, balance integer NOT NULL)`
  yield* sql`INSERT INTO account VALUES (1, 100), (2, 100)`
})

const add = (id: number) => orDieSql(Effect.flatMap(SqlClient, (sql) => sql`INSERT INTO account VALUES (${id}, 0)`))

const ids = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly id: number }>`SELECT id FROM account WHERE id > 2 ORDER BY id`
  return rows.map(({ id }) => id)
})

const defect = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : expect.fail("it succeeded")

const lost = new SqlError({ reason: new SerializationError({ cause: new Error("lost"), operation: "query" }) })
const gone = new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), operation: "query" }) })

it.effect("a transaction is retried after a lost connection only if it had not begun", () =>
  Effect.gen(function* () {
    let times = 0
    const withTransaction = <A, E, R>(work: Effect.Effect<A, E, R>) => (++times === 1 ? Effect.fail(gone) : work)
    // BOUNDARY: a transaction needs no more of a client.
    const client = Layer.succeed(SqlClient, { withTransaction } as never)
    yield* Effect.gen(function* () {
      const { run } = yield* Transaction
      const done = run(Effect.succeed("done"))
      expect([yield* done, times]).toEqual(["done", 2])
      times = 0
      expect([yield* done, times]).toEqual(["done", 2])
      expect(defect(yield* Effect.exit(run(Effect.die(gone))))).toMatchObject({ reason: "lost" })
      expect(times).toBe(3)
    }).pipe(Effect.provide(Layer.provide(layerTransaction, client)))
  })
)

onEachEngine(({ name, database }) => {
  const layer = Layer.provideMerge(layerTransaction, database)

  it.effect("a transaction commits on success, and rolls back on failure, defect and interruption", () =>
    Effect.gen(function* () {
      yield* table
      const { run } = yield* Transaction
      expect(yield* run(Effect.as(add(3), "done"))).toBe("done")
      expect(yield* Effect.flip(run(Effect.andThen(add(4), Effect.fail("no"))))).toBe("no")
      expect(defect(yield* Effect.exit(run(Effect.andThen(add(5), Effect.die("bug")))))).toBe("bug")
      const written = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        run(add(6).pipe(Effect.andThen(Deferred.succeed(written, undefined)), Effect.andThen(Effect.never)))
      )
      yield* Deferred.await(written)
      yield* Fiber.interrupt(fiber)
      expect(yield* ids).toEqual([3])
    }).pipe(Effect.provide(layer))
  )

  it.effect("a nested attempt runs as a savepoint", () =>
    Effect.gen(function* () {
      yield* table
      const { attempt, run } = yield* Transaction
      yield* run(
        Effect.gen(function* () {
          yield* add(3)
          expect(yield* Effect.flip(attempt(Effect.andThen(add(4), Effect.fail("inner"))))).toBe("inner")
          yield* attempt(add(5))
        })
      )
      expect(yield* ids).toEqual([3, 5])
      yield* Effect.exit(run(Effect.andThen(run(add(6)), Effect.fail("outer"))))
      expect(yield* ids).toEqual([3, 5])
    }).pipe(Effect.provide(layer))
  )

  it.effect("an attempt can recover from an SQL error", () =>
    Effect.gen(function* () {
      yield* table
      const sql = yield* SqlClient
      const { attempt, run } = yield* Transaction
      const taken = sql`INSERT INTO account VALUES (1, 0)`.pipe(
        onUnique("account_pkey", () => "taken" as const),
        orDieSql
      )
      yield* run(
        Effect.gen(function* () {
          yield* add(3)
          expect(yield* Effect.flip(attempt(taken))).toBe("taken")
          yield* add(4)
        })
      )
      expect(yield* ids).toEqual([3, 4])
    }).pipe(Effect.provide(layer))
  )

  it.effect("a transaction fails and commits nothing when an SQL error was caught without an attempt", () =>
    Effect.gen(function* () {
      yield* table
      const sql = yield* SqlClient
      const { run } = yield* Transaction
      const caught = Effect.ignore(sql`INSERT INTO account VALUES (1, 0)`)
      const exit = yield* Effect.exit(run(Effect.andThen(add(3), caught)))
      expect(String(defect(exit))).toContain("COMMIT rolled back an aborted transaction")
      const later = yield* Effect.exit(run(add(4).pipe(Effect.andThen(caught), Effect.andThen(add(5)))))
      expect(isSqlError(defect(later))).toBe(true)
      expect(yield* ids).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.effect("every SQL error becomes a defect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { run } = yield* Transaction
      const exit = yield* Effect.exit(run(sql`SELECT nothing FROM nowhere`))
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause)).toBe(true)
    }).pipe(Effect.provide(layer))
  )

  it.effect("a conflicting transaction runs at most five times, and only the outermost one is retried", () =>
    Effect.gen(function* () {
      yield* table
      const { run } = yield* Transaction
      let outer = 0
      let inner = 0
      const twiceLost = Effect.suspend(() => (++outer < 3 ? Effect.die(lost) : Effect.succeed("won")))
      expect(yield* run(Effect.andThen(add(3), twiceLost))).toBe("won")
      expect([outer, yield* ids]).toEqual([3, [3]])
      outer = 0
      const alwaysLost = Effect.suspend(() => {
        inner++
        return Effect.die(lost)
      })
      const exit = yield* Effect.exit(
        run(
          Effect.suspend(() => {
            outer++
            return Effect.andThen(add(4), run(alwaysLost))
          })
        )
      )
      expect(defect(exit)).toBe(lost)
      expect([outer, inner, yield* ids]).toEqual([5, 5, [3]])
    }).pipe(Effect.provide(layer))
  )

  // The embedded database has one connection, so transactions wait for each other and never conflict.
  if (name === "PostgreSQL server") {
    it.effect("a retry resolves a deadlock", () =>
      Effect.gen(function* () {
        yield* table
        const sql = yield* SqlClient
        const { run } = yield* Transaction
        const meet = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
        let begun = 0
        const transfer = (from: number, to: number, mine: number) =>
          run(
            Effect.gen(function* () {
              begun++
              yield* sql`UPDATE account SET balance = balance - 10 WHERE id = ${from}`
              yield* Deferred.succeed(meet[mine as 0 | 1], undefined)
              yield* Deferred.await(meet[(1 - mine) as 0 | 1])
              yield* sql`UPDATE account SET balance = balance + 10 WHERE id = ${to}`
            })
          )
        yield* Effect.all([transfer(1, 2, 0), transfer(2, 1, 1)], { concurrency: 2 })
        expect(begun).toBeGreaterThan(2)
        expect(yield* sql`SELECT balance FROM account ORDER BY id`).toEqual([{ balance: 100 }, { balance: 100 }])
      }).pipe(Effect.provide(layer))
    )

    it.effect("a retry resolves serialization failures", () =>
      Effect.gen(function* () {
        yield* table
        const sql = yield* SqlClient
        const { run } = yield* Transaction
        const deposit = run(
          Effect.gen(function* () {
            const [row] = yield* sql<{ readonly balance: number }>`SELECT balance FROM account WHERE id = 1`
            yield* sql`SELECT pg_sleep(0.02)`
            yield* sql`UPDATE account SET balance = ${(row?.balance ?? 0) + 1} WHERE id = 1`
          })
        ).pipe(Effect.provideService(BeginTransaction, "BEGIN ISOLATION LEVEL SERIALIZABLE"))
        yield* Effect.all([deposit, deposit, deposit], { concurrency: 3 })
        expect(yield* sql`SELECT balance FROM account WHERE id = 1`).toEqual([{ balance: 103 }])
      }).pipe(Effect.provide(layer))
    )

    it.effect("a transaction that is interrupted during a statement is rolled back", () =>
      Effect.gen(function* () {
        yield* table
        const sql = yield* SqlClient
        const { run } = yield* Transaction
        const fiber = yield* Effect.forkChild(run(Effect.andThen(add(3), sql`SELECT pg_sleep(3600), 'interrupted'`)))
        const sleeping = sql`SELECT 1 FROM pg_stat_activity WHERE query LIKE '%''interrupted''%' AND wait_event = 'PgSleep'`
        while ((yield* sleeping).length === 0) yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
        expect(yield* ids).toEqual([])
      }).pipe(Effect.provide(layer))
    )
  }
})
