import { assert, describe, it } from "@effect/vitest"
import { Backups, Databases, Restores } from "@slipway/deploy/databases"
import { S3Storages } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { InvalidInput, now } from "@slipway/domain"
import type { Command, Engine } from "@slipway/domain/deploy/containers"
import {
  type BackupInput,
  BackupStore,
  type Database,
  type DatabaseUuid,
  defaultBackup,
  fileOf,
  RestoreRefused,
  RestoreRunUuid,
  RestoreStore,
  restoreStatus
} from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { BucketSimulation, EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber, Redacted } from "effect"
import { plantDatabase, runDatabase, shownDatabase } from "../support/databaseSupport.ts"
import { pass, place, settings, startWorker, world } from "../support/support.ts"

const startRestores = (alone = false) => Effect.forkScoped(Pipeline.runRestores({ ...settings, alone }))
const directory = "/var/lib/slipway-backups"
const recipient = `age1${"x".repeat(58)}`

/** Two running databases, of which the first one has a backup. Their containers share the recorded files. */
const running = Effect.fnUntraced(function* (
  facts: { readonly backup?: Partial<BackupInput>; readonly recipient?: string } = {}
) {
  const files = new Map<string, string>()
  const restored: Array<{ readonly argv: ReadonlyArray<string>; readonly text: string | undefined }> = []
  const outcome = { exitCode: 0 }
  const line = (text: string, stream: "stderr" | "stdout" = "stdout") => ({ stream, text })
  const command = ({ argv }: Command) => {
    if (argv[0] === "flock") {
      restored.push({ argv, text: files.get(argv[10] ?? "") })
      if (outcome.exitCode === 0) return { exitCode: 0, output: [] }
      return { exitCode: outcome.exitCode, output: [line("role does not exist", "stderr")] }
    }
    const words = argv[0] === "timeout" ? argv.slice(4) : argv
    const last = words.at(-1) ?? ""
    const path = words.find((word) => word.startsWith("--file="))?.slice(7)
    if (words[0] === "pg_dump" && path === undefined) return { exitCode: 0, output: [line("the dump")] }
    if (path !== undefined) files.set(path, "the dump\n")
    if (words[0] === "rm") for (const each of words) files.delete(each)
    if (words[0] === "stat") return { exitCode: 0, output: [line(String((files.get(last) ?? "").length))] }
    if (words[0] === "cat") return { exitCode: 0, output: [line((files.get(last) ?? "").trimEnd())] }
    return { exitCode: 0, output: [] }
  }
  const file = (path: string, bytes: Uint8Array) => files.set(path, new TextDecoder().decode(bytes))
  for (const tag of ["17-alpine", "16-alpine"]) {
    yield* (yield* EngineSimulation).publish(`postgres:${tag}`, { command, file })
  }
  yield* (yield* BucketSimulation).create("bucket", "secret")
  const storage = yield* S3Storages.create(system("s3Storage.create"), {
    name: "off-site",
    description: "",
    endpoint: "https://s3.example",
    region: "eu-north-7",
    bucket: "bucket",
    accessKey: Redacted.make("key"),
    secretKey: Redacted.make("secret"),
    isUsable: true,
    recipient: facts.recipient ?? null
  })
  yield* startWorker()
  const there = yield* place()
  const source = yield* runDatabase(yield* plantDatabase(there))
  const target = yield* runDatabase(yield* plantDatabase(there, { fields: { postgres_db: "copy" } }))
  const backup = yield* Backups.create(
    system("database.backup.create", { database: source }),
    { ...defaultBackup, frequency: "yearly", timeout: 60, s3StorageUuid: storage.uuid, ...facts.backup },
    true
  )
  yield* Effect.forkScoped(Pipeline.runBackups({ ...settings, alone: false }))
  yield* pass(3)
  const [run = assert.fail("it was requested")] = yield* (yield* BackupStore).executions(backup.uuid)
  assert.strictEqual(run.status, "success")
  return { backup, files, outcome, restored, run, source, target, there }
})

type World = Effect.Success<ReturnType<typeof running>>

const restoreInto = ({ backup, run, source }: Pick<World, "backup" | "run" | "source">, databaseUuid?: DatabaseUuid) =>
  Restores.create(system("database.backup.execution.restore", { database: source, backup, run }), {
    databaseUuid,
    timeout: 90
  })

const latest = Effect.fnUntraced(function* ({ uuid }: Pick<Database, "uuid">) {
  const [progress = assert.fail("a restore was requested")] = yield* (yield* RestoreStore).ofDatabase(uuid)
  return [restoreStatus(progress), progress.run?.message ?? null] as const
})

const problemsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error instanceof InvalidInput ? error.problems : error))

describe("restores of backups", () => {
  it.effect("read the local file of the same database, with its owners", () =>
    Effect.gen(function* () {
      const made = yield* running()
      yield* restoreInto(made)
      assert.deepStrictEqual(yield* latest(made.source), ["queued", null])
      yield* startRestores()
      yield* pass(3)
      assert.deepStrictEqual(yield* latest(made.source), ["success", ""])
      const [restored = assert.fail("it ran")] = made.restored
      const { argv, text } = restored
      assert.strictEqual(text, "the dump\n")
      assert.deepStrictEqual(argv.slice(0, 8), [
        "flock",
        `${directory}/.restore`,
        "timeout",
        "-s",
        "TERM",
        "90",
        "sh",
        "-c"
      ])
      const path = `${directory}/${fileOf("postgresql", made.run)}`
      assert.deepStrictEqual(argv.slice(9), ["restore", path, "postgres", "same", "postgres"])
      assert.deepStrictEqual([...made.files.keys()], [path])
    }).pipe(Effect.provide(world))
  )

  it.effect("copy the file into another database, without owners, and remove the copy", () =>
    Effect.gen(function* () {
      const made = yield* running()
      yield* restoreInto(made, made.target.uuid)
      yield* startRestores()
      yield* pass(3)
      assert.deepStrictEqual(yield* latest(made.target), ["success", ""])
      const [restored = assert.fail("it ran")] = made.restored
      assert.strictEqual(restored.text, "the dump\n")
      assert.match(restored.argv[10] ?? "", /^\/var\/lib\/slipway-backups\/restore-[a-z0-9]{24}$/)
      assert.deepStrictEqual(restored.argv.slice(11), ["copy", "other", "postgres"])
      assert.deepStrictEqual([...made.files.keys()], [`${directory}/${fileOf("postgresql", made.run)}`])
    }).pipe(Effect.provide(world))
  )

  it.effect("decrypt an S3 object, also after the database of the backup was stopped", () =>
    Effect.gen(function* () {
      const made = yield* running({ backup: { savesToS3: true, isOnlyInS3: true }, recipient })
      yield* Databases.stop(system("database.deploy", { database: made.source }))
      yield* pass(15)
      assert.isNull((yield* shownDatabase(made.source)).servingUuid)
      yield* restoreInto(made, made.target.uuid)
      yield* startRestores()
      yield* pass(3)
      assert.deepStrictEqual(yield* latest(made.target), ["success", ""])
      assert.deepStrictEqual(
        made.restored.map(({ text }) => text),
        ["the dump\n"]
      )
      assert.deepStrictEqual([...made.files.keys()], [])
    }).pipe(Effect.provide(world))
  )

  it.effect("report the reason of a failure, and a damaged backup", () =>
    Effect.gen(function* () {
      const made = yield* running()
      made.outcome.exitCode = 1
      yield* startRestores()
      yield* restoreInto(made)
      yield* pass(3)
      assert.deepStrictEqual(yield* latest(made.source), ["failed", "role does not exist\nthe program exited with 1"])
      made.files.set(`${directory}/${fileOf("postgresql", made.run)}`, "the\n")
      yield* restoreInto(made, made.target.uuid)
      yield* pass(3)
      assert.deepStrictEqual(yield* latest(made.target), [
        "failed",
        "the backup is damaged: it has another size than 9 bytes"
      ])
      yield* (yield* BackupStore).drop(made.backup.uuid, [made.run.uuid])
      yield* restoreInto(made)
      yield* pass(3)
      assert.deepStrictEqual(yield* latest(made.source), ["failed", "the backup was deleted"])
    }).pipe(Effect.provide(world))
  )

  it.effect("are resumed after their process was killed, without the copy of the killed one, at most 5 times", () =>
    Effect.gen(function* () {
      const made = yield* running()
      const store = yield* RestoreStore
      const { uuid } = yield* restoreInto(made, made.target.uuid)
      // As killed processes leave it: running attempts with an expired lease.
      const leave = Effect.fnUntraced(function* (n: number) {
        const at = yield* now
        const run = RestoreRunUuid.make(`killed${n}`.padEnd(24, "0"))
        yield* store.ask(uuid)
        assert.isDefined(yield* store.claim({ worker: "killed", at, until: at }))
        const facts = { status: "running", message: null, startedAt: at, finishedAt: null } as const
        yield* store.begin(uuid, null, { uuid: run, restoreUuid: uuid, ...facts })
        return run
      })
      made.files.set(`${directory}/restore-${yield* leave(1)}`, "the d")
      const worker = yield* startRestores()
      yield* pass(3)
      const outcomes = Effect.map(store.executions(uuid), (runs) => runs.map(({ message }) => message))
      const killed = "the platform exited while it ran; its result is unknown"
      assert.deepStrictEqual(yield* outcomes, ["", killed])
      assert.deepStrictEqual(
        made.restored.map(({ text }) => text),
        ["the dump\n"]
      )
      assert.deepStrictEqual([...made.files.keys()], [`${directory}/${fileOf("postgresql", made.run)}`])
      yield* Fiber.interrupt(worker)
      for (const n of [2, 3, 4]) yield* leave(n)
      yield* startRestores()
      yield* pass(3)
      assert.deepStrictEqual(yield* outcomes, [killed, killed, killed, "", killed])
      assert.deepStrictEqual(yield* latest(made.target), ["failed", killed])
    }).pipe(Effect.provide(world))
  )

  it.effect("wait again after the platform was stopped, and run at its next start", () =>
    Effect.gen(function* () {
      const made = yield* running()
      const simulation = yield* EngineSimulation
      yield* restoreInto(made, made.target.uuid)
      yield* simulation.onCall((_, operation: keyof Engine) => (operation === "writeFile" ? Effect.never : Effect.void))
      const stopped = yield* startRestores()
      yield* pass(3)
      assert.deepStrictEqual(yield* latest(made.target), ["running", null])
      yield* Fiber.interrupt(stopped)
      assert.deepStrictEqual(yield* latest(made.target), ["queued", "the platform was stopped while it ran"])
      yield* simulation.onCall(() => Effect.void)
      yield* startRestores()
      yield* pass(3)
      assert.deepStrictEqual(yield* latest(made.target), ["success", ""])
    }).pipe(Effect.provide(world))
  )

  it.effect("are rejected if the type or the version does not fit, and while another one runs", () =>
    Effect.gen(function* () {
      const made = yield* running()
      const redis = yield* plantDatabase(made.there, {}, "redis")
      const old = yield* runDatabase(yield* plantDatabase(made.there, { image: "postgres:16-alpine" }))
      const into = (uuid?: DatabaseUuid, run = made.run) => problemsOf(restoreInto({ ...made, run }, uuid))
      assert.deepStrictEqual(
        yield* Effect.all([
          into("gone".padEnd(24, "0") as DatabaseUuid),
          into(old.uuid),
          into(undefined, { ...made.run, dumpsAll: true })
        ]),
        [
          { database_uuid: ["There is no such database."] },
          {
            database_uuid: [
              "Must have the version of the backup or a newer one: the backup is from postgres:17-alpine, the database has postgres:16-alpine."
            ]
          },
          {
            execution_uuid: [
              "Backups of postgresql with dump_all cannot be restored by the API: run psql with the file."
            ]
          }
        ]
      )
      const because = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(effect), (error) =>
          error instanceof RestoreRefused ? error.because : assert.fail("it is rejected for another reason")
        )
      assert.strictEqual(
        yield* because(restoreInto(made, redis.uuid)),
        "the database is stopped: start it before the restore"
      )
      yield* restoreInto(made)
      assert.strictEqual(
        yield* because(restoreInto(made)),
        "another restore of the database waits or runs: wait until it ends"
      )
      assert.strictEqual(
        yield* because(restoreInto({ ...made, run: { ...made.run, status: "failed" } })),
        "the backup is not complete: its status is failed"
      )
    }).pipe(Effect.provide(world))
  )
})
