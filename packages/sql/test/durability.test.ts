import { Database } from "@slipway/sql"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fsyncSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"

vi.mock("node:fs", { spy: true })

// kill -9 leaves the cache of the operating system alone, so only this tells whether a commit survives a power failure.
it.effect("every commit of the embedded database waits for the disk", () =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-durable-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE written (id integer)`
      const before = vi.mocked(fsyncSync).mock.calls.length
      for (let id = 0; id < 10; id++) yield* sql`INSERT INTO written VALUES (${id})`
      expect(vi.mocked(fsyncSync).mock.calls.length - before).toBeGreaterThanOrEqual(10)
    }).pipe(Effect.provide(Database.layer({ _tag: "Embedded", directory }, { schema: "test", migrations: [] })))
  })
)
