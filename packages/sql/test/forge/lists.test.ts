import { describe, expect, it } from "@effect/vitest"
import type { Page } from "@slipway/domain"
import { UserStore } from "@slipway/domain/forge/identity"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import {
  measuredInterests,
  measuredLists,
  pageGrowthOf,
  pagesRead,
  seedInterests,
  seedLists,
  testDatabase
} from "@slipway/sql/testing"
import { anonymousViewer } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onServer } from "../support/engines.ts"

/**
 * Keeps autovacuum away from the tables of this database.
 *
 * Its ANALYZE holds a snapshot. A VACUUM at that moment leaves dead rows, and the lists read their pages.
 */
const withoutAutovacuum = Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe(`DO $$ DECLARE name regclass; BEGIN
    FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
    END LOOP;
  END $$`)
)

/** Transactions of other tests in the same database would keep VACUUM from marking pages as visible to all. */
const separateDatabase = Layer.unwrap(
  Effect.map(testDatabase, (address) => Database.layer(address, { migrations, schema: "test" }))
)

/** Seeds a site of that many repositories and measures the pages that one request of each list reads. */
const pagesAt = (repositories: number) =>
  Effect.gen(function* () {
    yield* withoutAutovacuum
    const numbers = yield* seedLists(repositories)
    yield* seedInterests(repositories)
    const lists = yield* measuredLists(numbers)
    const pages = new Map<string, number>()
    const shown = new Map<string, Page<unknown>>()
    for (const [name, list] of Object.entries(lists)) {
      const [page, read] = yield* pagesRead(list)
      pages.set(name, read)
      shown.set(name, page)
    }
    // PostgreSQL searches a frequent text differently from a rare one, with the same result.
    for (const list of ["users, anonymous", "repositories by name"]) {
      const sought = list.replace(", anonymous", "").concat(", q with every name")
      expect(shown.get(sought), sought).toEqual(shown.get(list))
    }
    const interests = new Map<string, number>()
    for (const [name, list] of Object.entries(yield* measuredInterests(numbers))) {
      interests.set(name, (yield* pagesRead(list))[1])
    }
    // PostgreSQL expects many repositories of an owner that it learns late, so it scans them in order.
    const sql = yield* SqlClient
    const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": readonly [{ readonly Plan: Record<string, unknown> }] }>(
      "EXPLAIN (FORMAT JSON) SELECT FROM repository WHERE owner_id = (SELECT 1::bigint OFFSET 0)"
    )
    expect(row?.["QUERY PLAN"][0].Plan["Plan Rows"]).toBeGreaterThan(10)
    return { pages, interests }
  }).pipe(Effect.provide(Layer.provideMerge(layerStores, separateDatabase)))

onServer("lists", () => {
  it.live("lists read at most 1.5 times the pages for four times the rows, and almost none without matches", () =>
    Effect.gen(function* () {
      const { pages: few } = yield* pagesAt(2_500)
      const { interests, pages: many } = yield* pagesAt(10_000)
      const grown = [...many].filter(([name, pages]) => pageGrowthOf(few.get(name) ?? 0, pages) > 1.5)
      expect(grown).toEqual([])
      // Nineteen pages for the words, and three for the service's account, which no list of users shows.
      const nothingFound = [...many].filter(([name, pages]) => name.includes("without a hit") && pages > 22)
      expect(nothingFound).toEqual([])
      // 1,000 of 5,000 rows are scanned in an index: a lookup per row would read thousands of pages.
      expect([...interests].filter(([, pages]) => pages > 900)).toEqual([])
    })
  )
})

describe("the pages that a statement reads", () => {
  onServer("on a server", () => {
    it.live("are counted by the server", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`CREATE TABLE filled AS SELECT n FROM generate_series(1, 2260) n`.unprepared
        const [, pages] = yield* pagesRead(sql`SELECT n FROM filled`)
        // A row of one number takes 36 bytes, so 226 rows fill a page with its header of 24 bytes.
        expect(pages).toBe(10)
        const [found] = yield* pagesRead((yield* UserStore).search(anonymousViewer, {}, { page: 1, perPage: 5 }))
        expect(found).toEqual({ rows: [], total: 0 })
      }).pipe(Effect.provide(Layer.provideMerge(layerStores, separateDatabase)))
    )
  })
})
