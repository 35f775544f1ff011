import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Database, type DatabaseLocked, DatabaseUnusable } from "@slipway/sql"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { runs } from "../../../scripts/vitest/runs.ts"
import { EMBEDDED_POSTGRES } from "../src/database/embeddedPostgres.ts"
import { unpackTemplate } from "../src/database/template.ts"
import { startProgram } from "./support/processes.ts"

const directories: Array<string> = []
const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-embedded-"))
  directories.push(directory)
  return join(directory, "deep", "data")
}
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

const open = (directory: string) =>
  Layer.fresh(Database.layer({ _tag: "Embedded", directory }, { schema: "test", migrations: [] }))

const fails = (directory: string) => Effect.flip(Effect.scoped(Layer.build(open(directory))))

describe("embedded database", () => {
  it.effect("keeps committed rows in the service's schema, with fsync", () =>
    Effect.gen(function* () {
      const directory = newDirectory()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`CREATE TABLE kept (text text)`
        yield* sql`INSERT INTO kept VALUES ('tæxt 🚢')`
        expect(
          yield* sql`SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
          current_setting('synchronous_commit') AS commit, current_schemas(false)::text[] AS schemas`
        ).toEqual([{ fsync: "on", pages: "on", commit: "on", schemas: ["test"] }])
      }).pipe(Effect.provide(open(directory)))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        expect(yield* sql`SELECT * FROM kept`).toEqual([{ text: "tæxt 🚢" }])
      }).pipe(Effect.provide(open(directory)))
      expect(statSync(directory).mode & 0o777).toBe(0o700)
      expect(statSync(join(directory, "postgres")).mode & 0o077).toBe(0)
    })
  )

  it.effect("starts again when creating the files was interrupted", () =>
    Effect.gen(function* () {
      const directory = newDirectory()
      mkdirSync(join(directory, "postgres.new", "base"), { recursive: true })
      writeFileSync(join(directory, "postgres.new", "PG_VERSION"), "half")
      yield* Effect.scoped(Layer.build(open(directory)))
      expect(existsSync(join(directory, "postgres.new"))).toBe(false)
    })
  )

  // Prevents: a start that creates its directory never ends and ignores signals. A separate process keeps the test stoppable.
  it("reports that it cannot create a folder, even if the parent exists", () => {
    const makes = `import(${JSON.stringify(new URL("../src/database/makeFolder.ts", import.meta.url).href)})
      .then(({ makeFolder }) => makeFolder("/proc/nowhere/deep")).catch(({ message }) => console.log(message))`
    const { signal, stdout } = spawnSync(process.execPath, ["-e", makes], { encoding: "utf8", timeout: 20_000 })
    expect([signal, stdout]).toEqual([null, "the directory cannot be created\n"])
  })

  it("has a template in the version of PGlite", () => {
    const directory = newDirectory()
    mkdirSync(directory, { recursive: true })
    unpackTemplate(join(directory, "postgres"))
    expect(readFileSync(join(directory, "postgres", "PG_VERSION"), "utf8").trim()).toBe(EMBEDDED_POSTGRES)
  })

  it.effect("refuses the files of another version of PostgreSQL", () =>
    Effect.gen(function* () {
      const directory = newDirectory()
      mkdirSync(directory, { recursive: true })
      unpackTemplate(join(directory, "postgres"))
      writeFileSync(join(directory, "postgres", "PG_VERSION"), "17\n")
      const error = yield* fails(directory)
      expect(error).toBeInstanceOf(DatabaseUnusable)
      expect(error.message).toContain("have the format of PostgreSQL 17; this version needs PostgreSQL 18")
    })
  )

  it.effect("reports an error if its path is a file", () =>
    Effect.gen(function* () {
      const directory = newDirectory()
      mkdirSync(join(directory, ".."), { recursive: true })
      writeFileSync(directory, "")
      const error = yield* fails(directory)
      expect(error).toBeInstanceOf(DatabaseUnusable)
      expect(error.message).toContain("it is a file, or inside of one")
    })
  )

  // Prevents: "unable to open database file" without a reason.
  it.effect("reports an error if its directory is not writable", () =>
    Effect.gen(function* () {
      // Root may write anywhere by permissions, but still cannot create a file there.
      const problem = process.getuid?.() === 0 ? "files cannot be created in it" : "this user has no write permission"
      expect((yield* fails("/proc")).message).toBe(`the database directory \`/proc\` cannot be used: ${problem}`)
    })
  )

  it.effect("is used by only one layer at a time, even within one process", () =>
    Effect.gen(function* () {
      const directory = newDirectory()
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(open(directory), scope)
      const error = yield* fails(directory)
      expect((error as DatabaseLocked)._tag).toBe("DatabaseLocked")
      yield* Scope.close(scope, Exit.void)
      yield* Effect.scoped(Layer.build(open(directory)))
    })
  )
})

describe("embedded database and other processes", () => {
  it("refuses a second process, and accepts the next one after kill -9", async () => {
    const directory = newDirectory()
    const first = startProgram("writer.ts", directory)
    await first.line((line) => line.startsWith("wrote"))
    const second = startProgram("writer.ts", directory)
    expect(await second.end).toBe(1)
    expect(second.lines.join()).toContain(`\`${directory}\` is in use by another process`)
    await first.kill9()
    const third = startProgram("writer.ts", directory)
    await third.line((line) => line.startsWith("kept"))
    await third.kill9()
  })

  it("loses no acknowledged write to kill -9", async () => {
    const directory = newDirectory()
    const acknowledged = new Set<string>()
    const rounds = runs(2)
    for (let round = 0; round < rounds; round++) {
      const program = startProgram("writer.ts", directory)
      const kept = (await program.line((line) => line.startsWith("kept"))).slice("kept ".length).split(",")
      for (const id of acknowledged) expect(kept).toContain(id)
      // Each round is killed at another point of the write.
      await program.line((line) => line.startsWith("wrote"))
      await new Promise((resolve) => setTimeout(resolve, 37 * (round % 6)))
      await program.kill9()
      for (const line of program.lines) if (line.startsWith("wrote ")) acknowledged.add(line.slice("wrote ".length))
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(rounds)
  }, 120_000)
})
