import { assert, describe, it } from "@effect/vitest"
import { Backups } from "@slipway/deploy/databases"
import { S3Storages } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { InvalidInput } from "@slipway/domain"
import type { Command } from "@slipway/domain/deploy/containers"
import {
  type Backup,
  BackupFileUnreachable,
  type BackupInput,
  BackupStore,
  type Database,
  defaultBackup,
  fileOf
} from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import {
  ObjectStorage,
  ObjectStorageFailed,
  type S3Storage,
  S3StorageStore
} from "@slipway/domain/deploy/infrastructure"
import { BucketSimulation, EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber, Redacted, Stream } from "effect"
import { plantDatabase, runDatabase } from "../support/databaseSupport.ts"
import { pass, place, settings, startWorker, world } from "../support/support.ts"

const usual: BackupInput = {
  ...defaultBackup,
  frequency: "yearly",
  keeps: 2,
  savesToS3: true,
  s3Keeps: 2,
  timeout: 60
}

const startBackups = (alone = false) => Effect.forkScoped(Pipeline.runBackups({ ...settings, alone }))
const executionsOf = ({ uuid }: Backup) => Effect.flatMap(BackupStore, (store) => store.executions(uuid))
const objectsOf = Effect.flatMap(BucketSimulation, (buckets) => buckets.objects("bucket"))
const recipient = `age1${"x".repeat(58)}`

const accessOf = ({ bucket, endpoint, region }: Pick<S3Storage, "bucket" | "endpoint" | "region">) => ({
  bucket,
  endpoint,
  region,
  accessKey: Redacted.make("key"),
  secretKey: Redacted.make("secret")
})

const plantStorage = Effect.fnUntraced(function* (facts: Partial<S3Storages.S3StorageInput> = {}) {
  yield* (yield* BucketSimulation).create("bucket", "secret")
  return yield* S3Storages.create(system("s3Storage.create"), {
    name: "off-site",
    description: "",
    endpoint: "https://s3.example",
    region: "eu-north-7",
    bucket: "bucket",
    accessKey: Redacted.make("key"),
    secretKey: Redacted.make("secret"),
    isUsable: true,
    recipient: null,
    ...facts
  })
})

/** A running database. Its dumps contain `dump 1`, `dump 2` and so on, in files that the test reads. */
const running = Effect.fnUntraced(function* (facts: { exitCode?: number } = {}) {
  const files = new Map<string, string>()
  const asked: Array<ReadonlyArray<string>> = []
  let dumps = 0
  const line = (text: string, stream: "stderr" | "stdout" = "stdout") => ({ stream, text })
  const command = ({ argv }: Command) => {
    const words = argv[0] === "timeout" ? argv.slice(4) : argv
    asked.push(words)
    const path = words.find((word) => word.startsWith("--file="))?.slice(7)
    if (words[0]?.startsWith("pg_dump") === true) {
      if (facts.exitCode !== undefined) return { exitCode: facts.exitCode, output: [line("no such table", "stderr")] }
      const text = `dump ${++dumps}`
      if (path === undefined) return { exitCode: 0, output: [line(text)] }
      files.set(path, text)
      return { exitCode: 0, output: [] }
    }
    if (words[0] === "rm") for (const each of words) files.delete(each)
    if (words[0] === "stat")
      return { exitCode: 0, output: [line(String((files.get(words.at(-1) ?? "") ?? "").length))] }
    if (words[0] === "cat") return { exitCode: 0, output: [line(files.get(words.at(-1) ?? "") ?? "")] }
    return { exitCode: 0, output: [] }
  }
  yield* (yield* EngineSimulation).publish("postgres:17-alpine", { command })
  yield* startWorker()
  const database = yield* runDatabase(yield* plantDatabase(yield* place()))
  return { asked, database, facts, files }
})

const schedule = (database: Database, input: Partial<BackupInput>) =>
  Backups.create(system("database.backup.create", { database }), { ...usual, ...input }, true)

const again = Effect.fnUntraced(function* (database: Database, backup: Backup, input: Partial<BackupInput> = {}) {
  yield* Backups.update(system("database.backup.update", { database, backup }), input, true)
  yield* pass(3)
  const [newest = assert.fail("a backup was requested")] = yield* executionsOf(backup)
  return newest
})

const folder = ({ uuid }: Database) => `slipway/databases/${uuid}/`

describe("backups to S3", () => {
  it.effect("upload the local file, and keep only the newest files locally and in S3", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage()
      const { database, files } = yield* running()
      const backup = yield* schedule(database, { s3StorageUuid: storage.uuid, keeps: 1, s3Keeps: 2 })
      yield* startBackups()
      yield* pass(3)
      const [first = assert.fail("it was requested")] = yield* executionsOf(backup)
      const name = fileOf("postgresql", first)
      assert.deepStrictEqual([first.status, first.message, first.size, first.isLocal], ["success", "", 6, true])
      assert.deepStrictEqual(yield* objectsOf, { [`${folder(database)}${name}`]: "dump 1\n" })
      assert.deepStrictEqual([...files], [[`/var/lib/slipway-backups/${name}`, "dump 1"]])
      yield* again(database, backup)
      yield* again(database, backup)
      assert.deepStrictEqual(Object.values(yield* objectsOf), ["dump 2\n", "dump 3\n"])
      assert.deepStrictEqual([...files.values()], ["dump 3"])
      assert.deepStrictEqual(
        (yield* executionsOf(backup)).map(({ isLocal, object }) => [isLocal, object !== null]),
        [
          [true, true],
          [false, true]
        ]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "are streamed from the dump program without a local file, and encrypted for the recipient and the platform",
    () =>
      Effect.gen(function* () {
        const storage = yield* plantStorage({ recipient })
        const { asked, database, files } = yield* running()
        const backup = yield* schedule(database, { s3StorageUuid: storage.uuid, isOnlyInS3: true })
        yield* startBackups()
        yield* pass(3)
        const [run = assert.fail("it was requested")] = yield* executionsOf(backup)
        assert.deepStrictEqual([run.status, run.size, run.isLocal], ["success", 7, false])
        const key = `${folder(database)}${fileOf("postgresql", run)}.age`
        assert.deepStrictEqual(yield* objectsOf, {
          [key]: `simulated age for ${recipient} and age1${"q".repeat(57)}0\ndump 1\n`
        })
        assert.strictEqual(files.size, 0)
        assert.deepStrictEqual(asked, [
          ["pg_dump", "--format=custom", "--username", "postgres", "--dbname", "postgres"]
        ])
      }).pipe(Effect.provide(world))
  )

  it.effect("keep the local file if the upload fails, and report the reason", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage({ secretKey: Redacted.make("wrong") })
      const { database, files } = yield* running()
      const backup = yield* schedule(database, { s3StorageUuid: storage.uuid })
      yield* startBackups()
      yield* pass(3)
      const [run = assert.fail("it was requested")] = yield* executionsOf(backup)
      assert.deepStrictEqual(
        [run.status, run.isLocal, run.object?.isLeftover, run.message],
        ["success", true, true, "the upload to S3 failed: the S3 server responds with 403: SignatureDoesNotMatch"]
      )
      assert.deepStrictEqual([...files.values()], ["dump 1"])
      const problem = yield* S3Storages.validate(system("s3Storage.validate", { s3Storage: storage }))
      assert.strictEqual(problem, "the S3 server responds with 403: SignatureDoesNotMatch")
      assert.isFalse((yield* (yield* S3StorageStore).find(storage.uuid))?.isUsable)
      const { message, status } = yield* again(database, backup, { isOnlyInS3: true })
      assert.deepStrictEqual([status, message], ["failed", 'the S3 storage "off-site" is not usable: validate it'])
    }).pipe(Effect.provide(world))
  )

  it.effect("keep the local file if the upload takes too long, or the platform exits during the upload", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage()
      const { database, files } = yield* running()
      const { onRequest } = yield* BucketSimulation
      yield* onRequest(() => Effect.never)
      const backup = yield* schedule(database, { s3StorageUuid: storage.uuid })
      const doomed = yield* startBackups()
      yield* pass(70)
      const [slow = assert.fail("it was requested")] = yield* executionsOf(backup)
      assert.deepStrictEqual(
        [slow.status, slow.isLocal, slow.object?.isLeftover, slow.message],
        ["success", true, true, "the upload to S3 failed: it took longer than 60 seconds"]
      )
      yield* again(database, backup)
      yield* Fiber.interrupt(doomed)
      yield* onRequest(() => Effect.void)
      yield* startBackups(true)
      yield* again(database, backup)
      assert.deepStrictEqual(
        (yield* executionsOf(backup)).map(({ isLocal, status }) => [status, isLocal]),
        [
          ["success", true],
          ["failed", true]
        ]
      )
      // Two local files are kept.
      assert.deepStrictEqual([...files.values()], ["dump 2", "dump 3"])
    }).pipe(Effect.provide(world))
  )

  // Prevents: an upload that the server completed without a response stays in S3 forever.
  it.effect("remove the object of an upload without a response with the next backup", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage()
      const { database } = yield* running()
      const { onRequest } = yield* BucketSimulation
      const backup = yield* schedule(database, { s3StorageUuid: storage.uuid })
      yield* onRequest(() => Effect.never)
      yield* startBackups()
      yield* pass(70)
      const [slow = assert.fail("it was requested")] = yield* executionsOf(backup)
      yield* onRequest(() => Effect.void)
      const { key } = slow.object ?? assert.fail("the key is kept")
      yield* (yield* ObjectStorage).write(accessOf(storage), key, Stream.make(new Uint8Array([1])))
      const next = yield* again(database, backup)
      assert.deepStrictEqual(Object.keys(yield* objectsOf), [next.object?.key])
      assert.deepStrictEqual(
        (yield* executionsOf(backup)).map(({ isLocal, object }) => [isLocal, object?.key]),
        [
          [true, next.object?.key],
          [true, undefined]
        ]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("prevent the deletion of the objects of their schedule while one of them runs", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage()
      const { database } = yield* running()
      const { onRequest } = yield* BucketSimulation
      const backup = yield* schedule(database, { s3StorageUuid: storage.uuid })
      yield* onRequest(() => Effect.never)
      yield* startBackups()
      yield* pass(3)
      const proof = system("database.backup.delete", { database, backup })
      const refused = yield* Effect.flip(Backups.remove(proof, true))
      assert.deepStrictEqual(
        refused,
        new BackupFileUnreachable({ because: "a backup of the schedule is running: wait until it ends" })
      )
      yield* Backups.remove(proof, false)
      assert.deepStrictEqual(yield* executionsOf(backup), [])
    }).pipe(Effect.provide(world))
  )

  it.effect("fail without an S3 object if the dump program fails or writes nothing", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage()
      const { database, facts } = yield* running({ exitCode: 3 })
      const backup = yield* schedule(database, { s3StorageUuid: storage.uuid, isOnlyInS3: true })
      yield* startBackups()
      yield* pass(3)
      const [run = assert.fail("it was requested")] = yield* executionsOf(backup)
      assert.deepStrictEqual([run.status, run.message], ["failed", "no such table\nthe program exited with 3"])
      facts.exitCode = 0
      const empty = yield* again(database, backup)
      assert.deepStrictEqual([empty.status, empty.message], ["failed", "the dump is empty"])
      assert.deepStrictEqual(yield* objectsOf, {})
    }).pipe(Effect.provide(world))
  )

  it.effect("leave no S3 object when their process is killed after the upload", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage()
      const { database } = yield* running()
      const backup = yield* schedule(database, { s3StorageUuid: storage.uuid, isOnlyInS3: true })
      const doomed = yield* startBackups()
      yield* pass(3)
      const [lost = assert.fail("it was requested")] = yield* executionsOf(backup)
      yield* Fiber.interrupt(doomed)
      // As a process leaves it that was killed between the last byte and the stored result.
      const stored = { ...lost, status: "running", isLocal: null, finishedAt: null } as const
      yield* (yield* BackupStore).finish(stored)
      assert.deepStrictEqual(Object.values(yield* objectsOf), ["dump 1\n"])
      yield* Backups.update(system("database.backup.update", { database, backup }), {}, true)
      yield* startBackups(true)
      yield* pass(3)
      assert.deepStrictEqual(
        (yield* executionsOf(backup)).map(({ object, status }) => [status, object !== null]),
        [
          ["success", true],
          ["failed", false]
        ]
      )
      assert.deepStrictEqual(Object.values(yield* objectsOf), ["dump 2\n"])
    }).pipe(Effect.provide(world))
  )

  it.effect("are deleted with their local file, and on request also with their S3 object", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage()
      const { database, files } = yield* running()
      const backup = yield* schedule(database, { s3StorageUuid: storage.uuid })
      yield* startBackups()
      yield* pass(3)
      yield* again(database, backup)
      const [second = assert.fail("two"), first = assert.fail("two")] = yield* executionsOf(backup)
      const proof = (run: typeof first) => system("database.backup.execution.delete", { database, backup, run })
      yield* Backups.removeExecution(proof(first), true)
      assert.deepStrictEqual([...files.values()], ["dump 2"])
      assert.deepStrictEqual(Object.values(yield* objectsOf), ["dump 2\n"])
      yield* (yield* BucketSimulation).onRequest(() =>
        Effect.fail(new ObjectStorageFailed({ because: "nothing answers" }))
      )
      // A failure deletes nothing from the list.
      const failure = yield* Effect.flip(Backups.remove(system("database.backup.delete", { database, backup }), true))
      assert.strictEqual(failure._tag, "ObjectStorageFailed")
      assert.deepStrictEqual(yield* executionsOf(backup), [second])
      const stopped = { ...database, servingUuid: null }
      const refused = yield* Effect.flip(
        Backups.removeExecution(
          system("database.backup.execution.delete", { database: stopped, backup, run: second }),
          false
        )
      )
      assert.strictEqual(refused._tag, "BackupFileUnreachable")
      yield* Backups.removeExecution(proof(second), false)
      assert.deepStrictEqual([...files.values()], [])
      assert.deepStrictEqual(Object.values(yield* objectsOf), ["dump 2\n"])
      assert.deepStrictEqual(yield* executionsOf(backup), [])
    }).pipe(Effect.provide(world))
  )

  it.effect("dump only the chosen databases, or all databases", () =>
    Effect.gen(function* () {
      const { asked, database } = yield* running()
      const backup = yield* schedule(database, { savesToS3: false, databases: ["shop"] })
      yield* startBackups()
      yield* pass(3)
      const { dumpsAll, ...run } = yield* again(database, backup, { databases: [], dumpsAll: true })
      assert.isTrue(dumpsAll)
      const programs = asked.filter(([program]) => program?.startsWith("pg_dump") === true)
      assert.deepStrictEqual(programs[0]?.slice(0, -1), [
        "pg_dump",
        "--format=custom",
        "--username",
        "postgres",
        "--dbname=shop"
      ])
      assert.deepStrictEqual(programs[1], [
        "pg_dumpall",
        "--clean",
        "--if-exists",
        "--username",
        "postgres",
        `--file=/var/lib/slipway-backups/postgresql-${run.startedAt.slice(0, 19).replaceAll(":", "-")}-${run.uuid}.sql`
      ])
    }).pipe(Effect.provide(world))
  )

  it.effect("are rejected without a usable selection of databases or S3 storage, and change nothing", () =>
    Effect.gen(function* () {
      const storage = yield* plantStorage()
      const there = yield* place()
      const postgres = yield* plantDatabase(there)
      const redis = yield* plantDatabase(there, {}, "redis")
      const problems = (database: Database, input: Partial<BackupInput>) =>
        Effect.map(Effect.flip(schedule(database, input)), (error) =>
          error instanceof InvalidInput ? error.problems : assert.fail(error._tag)
        )
      const off = { savesToS3: false }
      assert.deepStrictEqual(
        yield* Effect.all([
          problems(postgres, {}),
          problems(postgres, { s3StorageUuid: "gone".padEnd(24, "0") as typeof storage.uuid }),
          problems(postgres, { ...off, isOnlyInS3: true }),
          problems(postgres, { ...off, databases: ["a", "b"] }),
          problems(postgres, { ...off, databases: ["a"], dumpsAll: true }),
          problems(redis, { ...off, databases: ["a"] })
        ]),
        [
          { s3_storage_uuid: ["Must name an S3 storage if save_s3 is true."] },
          { s3_storage_uuid: ["There is no such S3 storage."] },
          { disable_local_backup: ["Must be false unless save_s3 is true."] },
          {
            databases_to_backup: ["Must name at most 1 of postgresql: create one schedule for each, or set dump_all."]
          },
          { databases_to_backup: ["Must be empty if dump_all is true."] },
          { databases_to_backup: ["Must be empty: a backup of redis contains all of its data."] }
        ]
      )
      assert.deepStrictEqual(yield* (yield* BackupStore).ofDatabase(postgres.uuid), [])
      const backup = yield* schedule(postgres, { s3StorageUuid: storage.uuid })
      const removal = Effect.flip(S3Storages.remove(system("s3Storage.delete", { s3Storage: storage })))
      assert.strictEqual((yield* removal)._tag, "InUse")
      yield* Backups.remove(system("database.backup.delete", { database: postgres, backup }), true)
      yield* S3Storages.remove(system("s3Storage.delete", { s3Storage: storage }))
    }).pipe(Effect.provide(world))
  )
})
