import { expect, it } from "@effect/vitest"
import { newSiteSwitches } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { CodeIndexStore, type IndexedFile, ObjectId, RepositoryStore } from "@slipway/domain/forge/code"
import { type UserId, UserStore } from "@slipway/domain/forge/identity"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { pagesRead, recordStatements, seededNumbers, seedLists, testDatabase } from "@slipway/sql/testing"
import { viewing } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onServer } from "../support/engines.ts"

const repositories = 10_000

/** Adds two files to each repository: all have the word `common`, and those of every thousandth one have `rare`. */
const seedCode = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`INSERT INTO code_index (repository_id, run, begun_at) SELECT id, 1, now() FROM repository`.unprepared
  yield* sql`
    INSERT INTO code_file (repository_id, path, blob, size, language, words)
    SELECT repository.id, 'f' || n || '.ts', md5(repository.id || 'f' || n), 100, 'TypeScript', array_to_tsvector(ARRAY[
      'common', 'commonly', 'word' || repository.id % 400, CASE repository.id % 1000 WHEN 7 THEN 'rarely' ELSE 'other' END
    ]) FROM repository, generate_series(1, 2) n`.unprepared
  yield* sql`VACUUM ANALYZE code_file`.unprepared
})

const stores = Layer.provideMerge(
  layerStores,
  Layer.unwrap(Effect.map(testDatabase, (address) => Database.layer(address, { migrations, schema: "test" })))
)

onServer("code search", () => {
  it.live(
    "finds rare and common words among the files of 10,000 repositories with one statement that reads few pages",
    () =>
      Effect.gen(function* () {
        const numbers = yield* seedLists(repositories)
        yield* seedCode
        const { search } = yield* CodeIndexStore
        const user = yield* (yield* UserStore).find(seededNumbers(repositories).ordinary as UserId)
        if (user === undefined) return yield* Effect.die(new Error("the user is missing"))
        const viewer = { ...viewing(user), switches: newSiteSwitches }
        // Each of up to 1,000 counted files needs the facts of its repository.
        for (const [name, words, least, most] of [
          ["a rare word", ["rare"], 3, 400],
          ["the beginning of a common word", ["comm"], 10, 2_500],
          ["a common word", ["common"], 10, 2_500],
          ["two words", ["word7", "other"], 5, 2_500],
          ["no word", ["nothing"], 0, 40]
        ] as const) {
          const found = search({ viewer }, { words }, { page: 1, perPage: 10 })
          const [page, statements] = yield* recordStatements(found)
          expect([name, statements.length]).toEqual([name, 1])
          expect([name, page.rows.length >= least]).toEqual([name, true])
          const [, read] = yield* pagesRead(found)
          expect([name, read <= most], String(read)).toEqual([name, true])
        }
        const own = search({ repositoryId: numbers.repository as never }, { words: ["comm"] }, { page: 1, perPage: 10 })
        expect((yield* own).rows.length).toBe(2)
      }).pipe(Effect.provide(stores)),
    120_000
  )

  it.live(
    "updates of one repository by several processes, and its deletion, neither block nor overwrite each other",
    () =>
      Effect.gen(function* () {
        yield* seedLists(100)
        const store = yield* CodeIndexStore
        const id = 1 as RepositoryId
        const file = (at: number, run: number): IndexedFile => ({
          path: `f${at}.ts`,
          blob: ObjectId.make(String(run).padStart(40, "0")),
          size: 1,
          language: "",
          words: ["word", `run${run}`]
        })
        const update = Effect.gen(function* () {
          const run = yield* store.begin(id, "2026-01-01T00:00:00.000Z")
          if (run === undefined) return false
          for (let from = 0; from < 40; from += 10) {
            const put = Array.from({ length: 10 }, (_, at) => file(from + at, run.run))
            if (!(yield* store.change(run, { put, remove: ["missing.ts"] }))) return false
          }
          return yield* store.finish(run, { commit: null, incomplete: false })
        })
        const updates = Array.from({ length: 8 }, () => update)
        const finished = yield* Effect.all(updates, { concurrency: "unbounded" })
        expect(finished).toContain(true)
        const blobs = new Set((yield* store.files(id)).values())
        expect([...blobs]).toEqual([ObjectId.make("8".padStart(40, "0"))])
        const repositories = yield* RepositoryStore
        yield* Effect.all([...updates, repositories.remove(id), ...updates], { concurrency: "unbounded" })
        expect([(yield* store.files(id)).size, yield* store.begin(id, "2026-01-01T00:00:00.000Z")]).toEqual([
          0,
          undefined
        ])
      }).pipe(Effect.provide(stores))
  )
})
