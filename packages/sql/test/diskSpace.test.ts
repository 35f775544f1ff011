import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Database, DatabaseRoom, layerDatabaseRoom } from "@slipway/sql"
import { postgresMissing, startPostgres } from "@slipway/sql/testing"
import { Effect, Exit, Layer } from "effect"

/** A separate disk in the temporary directory. */
const disk = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-full-server-"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m,mode=0777", "tmpfs", folder])
    return folder
  }),
  (folder) =>
    Effect.sync(() => {
      execFileSync("umount", ["--lazy", folder])
      rmSync(folder, { recursive: true, force: true })
    })
)

describe.skipIf(postgresMissing() !== undefined)("the disk of a PostgreSQL server", () => {
  it.live(
    "is reported as full by every check until it has free space again",
    () =>
      Effect.gen(function* () {
        const folder = yield* disk
        const address = yield* startPostgres({ within: folder })
        const database = Database.layer(address, { schema: "room", migrations: [] })
        yield* Effect.gen(function* () {
          const room = Effect.map(Effect.exit(yield* DatabaseRoom), Exit.isSuccess)
          expect(yield* room).toBe(true)
          const { bavail, bsize } = statfsSync(folder)
          writeFileSync(join(folder, "ballast"), new Uint8Array(bavail * bsize))
          for (const _ of [1, 2, 3]) expect(yield* room).toBe(false)
          rmSync(join(folder, "ballast"))
          expect(yield* room).toBe(true)
        }).pipe(Effect.provide(Layer.provide(layerDatabaseRoom, database)))
      }),
    60_000
  )
})
