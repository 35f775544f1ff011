import fs, { mkdtempSync, rmSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Database } from "@slipway/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Counts the calls of fsync until the scope closes. */
const countSyncs = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const original = fs.fsyncSync
      const counter = { calls: 0, original }
      fs.fsyncSync = (handle) => {
        counter.calls++
        original(handle)
      }
      syncBuiltinESMExports()
      return counter
    }),
    ({ original }) =>
      Effect.sync(() => {
        fs.fsyncSync = original
        syncBuiltinESMExports()
      })
  ),
  (counter) => () => counter.calls
)

// kill -9 does not clear the operating system's cache, so only this test shows that a commit survives a power failure.
it.effect("every commit of the embedded database waits for fsync", () =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-durable-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const syncs = yield* countSyncs
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE written (id integer)`
      const before = syncs()
      for (let id = 0; id < 10; id++) yield* sql`INSERT INTO written VALUES (${id})`
      expect(syncs() - before).toBeGreaterThanOrEqual(10)
    }).pipe(Effect.provide(Database.layer({ _tag: "Embedded", directory }, { schema: "test", migrations: [] })))
  })
)
