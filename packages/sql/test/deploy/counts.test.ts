import { expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { ApplicationStore, EnvironmentStore, ProjectStore } from "@slipway/domain/deploy/apps"
import { migrations } from "@slipway/sql/deploy"
import { newApplication, newEnvironment, newProject, plantPlace } from "@slipway/testkit/deploy"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { blockSize } from "../../src/collection/counts.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"
import { multiply } from "./support.ts"

const really = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM application`
  return row?.total
})

onOneEngine((engine) => {
  const layer = layerEmptied(engine)

  it.live("the count matches all rows after concurrent inserts, deletes and rollbacks", () =>
    Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const store = yield* ApplicationStore
      const { run } = yield* Transaction
      // Every third insert is rolled back, and every fifth row is deleted again.
      yield* Effect.forEach(
        Array.from({ length: 60 }, (_, index) => index + 1),
        (n) =>
          Effect.exit(
            run(
              Effect.gen(function* () {
                const { uuid } = yield* store.insert(newApplication(n, placement))
                if (n % 5 === 0) yield* Effect.ignore(run(Effect.andThen(store.remove(uuid), Effect.fail("kept"))))
                if (n % 5 === 0) yield* store.remove(uuid)
                if (n % 3 === 0) return yield* Effect.fail("undone")
              })
            )
          ),
        { concurrency: 10, discard: true }
      )
      expect(yield* store.count).toBe(32)
      expect(yield* really).toBe(32)
    }).pipe(Effect.provide(layer))
  )

  it.live("a transaction counts its own changes, and no uncommitted changes of others", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore
      const { run } = yield* Transaction
      yield* projects.insert(newProject(1))
      yield* run(
        Effect.gen(function* () {
          const { uuid } = yield* projects.insert(newProject(2))
          expect(yield* projects.count).toBe(2)
          yield* projects.remove(uuid)
          expect(yield* projects.count).toBe(1)
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("rows deleted by a cascade are no longer counted", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore
      const environments = yield* EnvironmentStore
      const project = yield* projects.insert(newProject(1))
      for (const n of [1, 2, 3]) yield* environments.insert(newEnvironment(n, project))
      expect(yield* environments.count).toBe(3)
      yield* projects.remove(project.uuid)
      expect(yield* environments.count).toBe(0)
    }).pipe(Effect.provide(layer))
  )

  it.live("a page deep in a long list returns the same rows as an offset scan, gaps included", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { placement } = yield* plantPlace()
      const store = yield* ApplicationStore
      yield* store.insert(newApplication(1, placement))
      yield* multiply(5 * blockSize)
      // One empty block, one with every second row, and some rows at the edges.
      yield* sql`
        DELETE FROM application
        WHERE id / ${blockSize} = 1 OR id / ${blockSize} = 2 AND id % 2 = 0 OR id % ${blockSize} IN (0, ${blockSize - 1})`
      const ids = (yield* sql<{ readonly id: number }>`SELECT id::int AS id FROM application ORDER BY id`).map(
        ({ id }) => id
      )
      expect(yield* store.count).toBe(ids.length)
      const edges = Array.from({ length: 6 }, (_, block) => block * blockSize)
      for (const skip of [...edges, ids.length].flatMap((edge) => [edge - 2, edge - 1, edge, edge + 1, edge * 0.5])) {
        if (skip < 0 || !Number.isInteger(skip)) continue
        const page = yield* store.list({ skip, limit: 3 })
        expect(
          page.map(({ id }) => id),
          `behind ${skip} rows`
        ).toEqual(ids.slice(skip, skip + 3))
      }
    }).pipe(Effect.provide(layer))
  )
}, migrations)
