import { expect, it } from "@effect/vitest"
import { RequestCounts } from "@slipway/domain"
import { Database, layerRequestCounts, requestCountTable } from "@slipway/sql"
import { testSchema, testServer } from "@slipway/sql/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onServer } from "./support/engines.ts"

onServer("request counts of all processes", () => {
  it.effect("are summed per caller across processes until the period of the first report ends", () =>
    Effect.gen(function* () {
      const address = yield* testServer
      const schema = testSchema()
      const migrations = [{ name: "0001_counts", up: [requestCountTable] }]
      const connected = () => Layer.fresh(Database.layer(address, { schema, migrations }))
      const counting = Effect.flatMap(RequestCounts, (counts) =>
        Effect.succeed(counts?.add ?? (() => Effect.die("none")))
      )
      const process = Layer.build(Layer.provideMerge(layerRequestCounts, connected()))
      const [one, other] = yield* Effect.all([process, process])
      const told = (caller: string, count: number, endsIn = 60_000) => ({ caller, count, endsIn })
      const add = (from: typeof one, ...counts: ReadonlyArray<ReturnType<typeof told>>) =>
        Effect.flatMap(counting, (add) => add(counts)).pipe(Effect.provideContext(from))

      expect(yield* add(one, told("ann", 3), told("bob", 1))).toMatchObject([
        { caller: "ann", count: 3 },
        { caller: "bob", count: 1 }
      ])
      const [ann] = yield* add(other, told("ann", 4, 600_000))
      expect(ann).toMatchObject({ caller: "ann", count: 7 })
      expect(ann?.endsIn).toBeLessThanOrEqual(60_000)
      expect(ann?.endsIn).toBeGreaterThan(30_000)

      // Concurrent updates in opposite orders must not deadlock.
      const names = Array.from({ length: 50 }, (_, index) => `caller ${index}`)
      const all = names.map((name) => told(name, 1))
      yield* Effect.all(
        Array.from({ length: 20 }, (_, turn) =>
          add(turn % 2 === 0 ? one : other, ...(turn % 2 === 0 ? all : all.toReversed()))
        ),
        { concurrency: "unbounded" }
      )
      const totals = yield* add(one, ...all)
      expect(new Set(totals.map(({ count }) => count))).toEqual(new Set([21]))

      const over = Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`UPDATE request_count SET ends_at = now() - interval '1 second'`
      }).pipe(Effect.provideContext(one))
      yield* over
      expect(yield* add(one, told("ann", 2))).toMatchObject([{ caller: "ann", count: 2 }])
    })
  )
})
