import { expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { layerTransaction } from "@slipway/sql"
import { recordStatements } from "@slipway/sql/testing"
import { Effect, Layer, Schema, Stream } from "effect"
import { SqlResolver } from "effect/sql"
import { SqlClient } from "effect/sql/SqlClient"
import { onEachEngine } from "./support/engines.ts"

onEachEngine(({ database }) => {
  const layer = Layer.provideMerge(layerTransaction, database)

  it.effect("the statement recorder lists each statement that reaches the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { run } = yield* Transaction
      const one = sql`SELECT 1`
      const several = Effect.gen(function* () {
        yield* one
        yield* Effect.all([one, one.values, one.raw, one.unprepared], { concurrency: "unbounded" })
        yield* run(run(one))
        yield* Stream.runDrain(sql`SELECT 2 AS streamed`.stream)
        return "result"
      })
      const [result, statements] = yield* recordStatements(several)
      expect(result).toBe("result")
      expect(statements).toEqual([...Array.from({ length: 6 }, () => "SELECT 1"), "SELECT 2 AS streamed"])
      expect((yield* recordStatements(Effect.void))[1]).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.effect("the statement recorder lists a batch as one statement", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const byId = SqlResolver.findById({
        Id: Schema.Int,
        Result: Schema.Struct({ id: Schema.Int }),
        ResultId: ({ id }) => id,
        execute: (ids) => sql`SELECT id FROM unnest(${[...ids]}::int[]) AS id`
      })
      const lookups = Effect.forEach([1, 2, 3, 4, 5], (id) => SqlResolver.request(id, byId), {
        concurrency: "unbounded"
      })
      expect((yield* recordStatements(lookups))[1]).toHaveLength(1)
    }).pipe(Effect.provide(layer))
  )
})
