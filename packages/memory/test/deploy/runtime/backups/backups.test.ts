import { assert, describe, it } from "@effect/vitest"
import { Backups, Databases } from "@slipway/deploy/databases"
import { Pipeline } from "@slipway/deploy/runtime"
import { InvalidInput } from "@slipway/domain"
import { DeletionStore } from "@slipway/domain/deploy/apps"
import type { Command, Engine } from "@slipway/domain/deploy/containers"
import {
  type Backup,
  type BackupInput,
  type BackupRun,
  BackupStore,
  type Database,
  DatabaseStore,
  defaultBackup,
  fileOf,
  ownerOf
} from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { EngineSimulation } from "@slipway/memory/deploy"
import { newDatabase } from "@slipway/testkit/deploy"
import { Effect, Fiber, Redacted } from "effect"
import { plantDatabase, runDatabase } from "../support/databaseSupport.ts"
import { pass, place, server, settings, startWorker, world } from "../support/support.ts"

const startBackups = (alone = false) => Effect.forkScoped(Pipeline.runBackups({ ...settings, alone }))

const usual: BackupInput = { ...defaultBackup, frequency: "* * * * *", keeps: 2, timeout: 60 }

const schedule = (database: Database, input: Partial<BackupInput> = {}, beginsNow = false) =>
  Backups.create(system("database.backup.create", { database }), { ...usual, ...input }, beginsNow)

const nameOf = (run: Pick<BackupRun, "dumpsAll" | "startedAt" | "uuid">) => fileOf("postgresql", run)

const executionsOf = ({ uuid }: Pick<Backup, "uuid">) => Effect.flatMap(BackupStore, (store) => store.executions(uuid))

/** A running database. Its container records its files and commands. */
const running = Effect.fnUntraced(function* (facts: { readonly fails?: boolean } = {}) {
  const files = new Set<string>()
  const asked: Array<Command> = []
  const command = (sent: Command) => {
    asked.push(sent)
    const [program, ...words] = sent.argv[0] === "timeout" ? sent.argv.slice(4) : sent.argv
    const path = words.at(-1)?.replace(/^--file=/, "") ?? ""
    if (program === "pg_dump" && facts.fails === true) {
      return { exitCode: 1, output: [{ stream: "stderr" as const, text: "no such table" }] }
    }
    if (program === "pg_dump") files.add(path)
    if (program === "rm") for (const each of words) files.delete(each)
    return { exitCode: 0, output: program === "stat" ? [{ stream: "stdout" as const, text: "4096" }] : [] }
  }
  yield* (yield* EngineSimulation).publish("postgres:17-alpine", { command })
  yield* startWorker()
  const database = yield* runDatabase(yield* plantDatabase(yield* place()))
  return { database, files, asked }
})

describe("backups of a database", () => {
  it.effect("are created in the container on schedule and on request, and only the newest ones are kept", () =>
    Effect.gen(function* () {
      const { asked, database, files } = yield* running()
      const backup = yield* schedule(database)
      yield* startBackups()
      yield* pass(65)
      const [first = assert.fail("one was due")] = yield* executionsOf(backup)
      assert.deepStrictEqual([first.status, first.message, first.size], ["success", "", 4_096])
      assert.deepStrictEqual([...files], [`/var/lib/slipway-backups/${nameOf(first)}`])
      const [dump = assert.fail("it was asked")] = asked
      // An abandoned dump would run next to the next one, and fill the volume (invariant I25).
      assert.deepStrictEqual(dump.argv.slice(0, 6), ["timeout", "-s", "KILL", "60", "pg_dump", "--format=custom"])
      assert.match(Redacted.value(dump.environment?.[0]?.[1] ?? assert.fail("it is told")), /^[a-zA-Z0-9]{40}$/)
      yield* pass(120)
      yield* Backups.update(system("database.backup.update", { database, backup }), { isEnabled: false }, true)
      yield* pass(65)
      const kept = yield* executionsOf(backup)
      assert.deepStrictEqual(
        kept.map(({ status }) => status),
        ["success", "success"]
      )
      assert.deepStrictEqual([...files].map((path) => path.slice(25)).toSorted(), kept.map(nameOf).toSorted())
      assert.notInclude(kept.map(nameOf), nameOf(first))
    }).pipe(Effect.provide(world))
  )

  it.effect("report the reason of a failure, and leave no partial file", () =>
    Effect.gen(function* () {
      const { asked, database } = yield* running({ fails: true })
      const backup = yield* schedule(database, { frequency: "yearly" }, true)
      yield* startBackups()
      yield* pass(3)
      const [failed = assert.fail("it was asked for")] = yield* executionsOf(backup)
      assert.deepStrictEqual([failed.status, failed.message], ["failed", "no such table\nthe program exited with 1"])
      assert.deepStrictEqual(
        asked.map(({ argv }) => argv[0]),
        ["timeout", "rm"]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("are skipped on schedule while the database is stopped, but fail when they are requested", () =>
    Effect.gen(function* () {
      const database = yield* plantDatabase(yield* place())
      const due = yield* schedule(database)
      const asked = yield* schedule(database, { frequency: "yearly" }, true)
      yield* startBackups()
      yield* pass(125)
      assert.deepStrictEqual(yield* executionsOf(due), [])
      assert.deepStrictEqual(
        (yield* executionsOf(asked)).map(({ message, status }) => [status, message]),
        [["failed", "the database is not running"]]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("are marked as failed when their process was killed, and the next backups run", () =>
    Effect.gen(function* () {
      const { asked, database } = yield* running()
      const simulation = yield* EngineSimulation
      const backup = yield* schedule(database, { frequency: "yearly" }, true)
      yield* simulation.onCall((_, operation: keyof Engine) => (operation === "exec" ? Effect.never : Effect.void))
      const doomed = yield* startBackups()
      yield* pass(3)
      assert.deepStrictEqual(
        (yield* executionsOf(backup)).map(({ status }) => status),
        ["running"]
      )
      yield* Fiber.interrupt(doomed)
      yield* simulation.onCall(() => Effect.void)
      yield* Backups.update(system("database.backup.update", { database, backup }), {}, true)
      yield* startBackups(true)
      yield* pass(3)
      assert.deepStrictEqual(
        (yield* executionsOf(backup)).map(({ status }) => status),
        ["success", "failed"]
      )
      const [, lost = assert.fail("it is told of")] = yield* executionsOf(backup)
      assert.deepStrictEqual(asked[0]?.argv, ["rm", "-f", `/var/lib/slipway-backups/${nameOf(lost)}`])
    }).pipe(Effect.provide(world))
  )

  // Prevents: each failing backup leaves a file, until the disk is full.
  it.effect("leave no file when they fail, even if no later backup succeeds (invariant I25)", () =>
    Effect.gen(function* () {
      const { database, files } = yield* running({ fails: true })
      const simulation = yield* EngineSimulation
      const backup = yield* schedule(database, { frequency: "yearly" }, true)
      yield* simulation.onCall((_, operation: keyof Engine) => (operation === "exec" ? Effect.never : Effect.void))
      yield* startBackups()
      yield* pass(80)
      const [late = assert.fail("it was asked for")] = yield* executionsOf(backup)
      assert.strictEqual(late.status, "failed")
      assert.match(late.message ?? "", /^it took longer than/)
      // The partial file of the killed program.
      files.add(`/var/lib/slipway-backups/${nameOf(late)}`)
      yield* simulation.onCall(() => Effect.void)
      yield* Backups.update(system("database.backup.update", { database, backup }), {}, true)
      yield* pass(3)
      assert.deepStrictEqual(
        (yield* executionsOf(backup)).map(({ status }) => status),
        ["failed", "failed"]
      )
      assert.deepStrictEqual([...files], [])
    }).pipe(Effect.provide(world))
  )

  it.effect("stop when their database is deleted, and those of other databases continue", () =>
    Effect.gen(function* () {
      const { database, files } = yield* running()
      const other = yield* runDatabase(yield* plantDatabase({ placement: database.placement }))
      const simulation = yield* EngineSimulation
      yield* schedule(database, { frequency: "yearly", timeout: 3_600 }, true)
      yield* simulation.onCall((_, operation: keyof Engine) => (operation === "exec" ? Effect.never : Effect.void))
      yield* startBackups()
      yield* pass(3)
      yield* simulation.onCall(() => Effect.void)
      const everything = { deleteConfigurations: true, dockerCleanup: true, deleteConnectedNetworks: true }
      const { uuid } = yield* Databases.remove(system("database.delete", { database }), {
        ...everything,
        deleteVolumes: true
      })
      yield* pass(20)
      const deletion = yield* (yield* DeletionStore).find(uuid)
      assert.deepStrictEqual([deletion?.status, deletion?.left], ["finished", []])
      const { containers, volumes } = yield* simulation.inventory(server)
      assert.deepStrictEqual(
        [containers.map(({ owner }) => owner.application), volumes.map(({ application }) => application)],
        [[ownerOf(other.uuid)], [ownerOf(other.uuid), ownerOf(other.uuid)]]
      )
      const backup = yield* schedule(other, { frequency: "yearly" }, true)
      yield* pass(3)
      assert.deepStrictEqual(
        (yield* executionsOf(backup)).map(({ status }) => status),
        ["success"]
      )
      assert.strictEqual(files.size, 1)
    }).pipe(Effect.provide(world))
  )

  it.effect("are refused for unsupported database types, and beyond ten schedules", () =>
    Effect.gen(function* () {
      const there = yield* place()
      const problems = (database: Database) =>
        Effect.map(Effect.flip(schedule(database)), (error) =>
          error instanceof InvalidInput ? error.problems : assert.fail(error._tag)
        )
      const keydb = yield* (yield* DatabaseStore).insert(newDatabase(1, there.placement, { kind: "keydb" }))
      assert.deepStrictEqual(yield* problems(keydb), {
        frequency: ["Backups support postgresql, mysql, mariadb, redis, mongodb, not keydb."]
      })
      const database = yield* plantDatabase(there)
      yield* Effect.forEach(Array.from({ length: 10 }), () => schedule(database))
      assert.deepStrictEqual(yield* problems(database), {
        frequency: ["A database has at most 10 backup schedules."]
      })
    }).pipe(Effect.provide(world))
  )
})
