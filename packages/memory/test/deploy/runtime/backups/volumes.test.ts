import { assert, describe, it } from "@effect/vitest"
import { Storages } from "@slipway/deploy/apps"
import { DatabaseSettings, VolumeBackups } from "@slipway/deploy/databases"
import { S3Storages } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { InvalidInput } from "@slipway/domain"
import type { Storage } from "@slipway/domain/deploy/apps"
import { archiveOfFiles } from "@slipway/domain/deploy/containers"
import type { Database, VolumeBackupInput, VolumeBackupRun } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { BucketSimulation, EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted, Stream } from "effect"
import { plantDatabase, runDatabase } from "../support/databaseSupport.ts"
import { pass, place, plantApplication, queue, settings, startWorker, world } from "../support/support.ts"

const objectsOf = Effect.flatMap(BucketSimulation, (buckets) => buckets.objects("bucket"))

const plantS3Storage = Effect.fnUntraced(function* (facts: Partial<S3Storages.S3StorageInput> = {}) {
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

/** Publishes an image with content at `/extra`, as a tar archive. */
const publish = Effect.fnUntraced(function* (image: string) {
  let version = 0
  yield* (yield* EngineSimulation).publish(image, {
    archive: (path) =>
      path === "/extra"
        ? Effect.runSync(Stream.mkUint8Array(archiveOfFiles({ "extra/file": `content ${++version}` })))
        : undefined
  })
})

/** A running database with a storage at `/extra`. */
const running = Effect.fnUntraced(function* (mountPath = "/extra") {
  yield* publish("postgres:17-alpine")
  const there = yield* place()
  yield* startWorker()
  const database = yield* plantDatabase(there)
  const proof = system("database.update", { database })
  const storage = yield* DatabaseSettings.createStorage(proof, { name: "extra", mountPath, hostPath: null })
  yield* runDatabase(database)
  yield* Effect.forkScoped(Pipeline.runVolumeBackups({ ...settings, alone: false }))
  return { database, storage }
})

type Planted = { readonly database: Database; readonly storage: Storage }

const schedule = (thing: Planted, input: Partial<VolumeBackupInput>) =>
  VolumeBackups.put(system("database.storage.backup.update", thing), { frequency: "yearly", timeout: 60, ...input })

/** Requests a backup, and returns all backups. */
const back = Effect.fnUntraced(function* (thing: Planted, seconds = 3) {
  yield* VolumeBackups.run(system("database.storage.backup.run", thing))
  yield* pass(seconds)
  return (yield* VolumeBackups.read(system("database.storage.backup.read", thing))).runs
})

const statusesOf = (runs: ReadonlyArray<VolumeBackupRun>) => runs.map(({ message, status }) => [status, message])

describe("backups of storages", () => {
  it.effect("upload the directory as a tar archive, and keep only the newest ones", () =>
    Effect.gen(function* () {
      const s3Storage = yield* plantS3Storage()
      const thing = yield* running()
      yield* schedule(thing, { s3StorageUuid: s3Storage.uuid, s3Keeps: 2 })
      const [first = assert.fail("a backup was requested")] = yield* back(thing)
      assert.deepStrictEqual([first.status, first.message, first.size], ["success", "", 2_048])
      assert.match(
        first.object?.key ?? "",
        new RegExp(`^slipway/storages/${thing.storage.uuid}/\\d{8}T\\d{6}Z-[a-z0-9]{8}\\.tar$`)
      )
      const objects = yield* objectsOf
      assert.include(objects[first.object?.key ?? ""] ?? "", "content 1")
      yield* back(thing)
      const runs = yield* back(thing)
      assert.strictEqual(runs.length, 2)
      assert.sameMembers(
        Object.keys(yield* objectsOf),
        runs.map(({ object }) => object?.key ?? "")
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("fail if no container mounts the storage, such as before the next start of the database", () =>
    Effect.gen(function* () {
      const s3Storage = yield* plantS3Storage()
      const { database } = yield* running()
      const proof = system("database.update", { database })
      const input = { name: "later", mountPath: "/extra/later", hostPath: null }
      const thing = { database, storage: yield* DatabaseSettings.createStorage(proof, input) }
      yield* schedule(thing, { s3StorageUuid: s3Storage.uuid })
      assert.deepStrictEqual(statusesOf(yield* back(thing)), [
        ["failed", "no container mounts the storage: deploy or start the resource"]
      ])
    }).pipe(Effect.provide(world))
  )

  it.effect("are encrypted for the recipient of the S3 storage", () =>
    Effect.gen(function* () {
      const s3Storage = yield* plantS3Storage({ recipient: `age1${"x".repeat(58)}` })
      const thing = yield* running()
      yield* schedule(thing, { s3StorageUuid: s3Storage.uuid })
      const [run] = yield* back(thing)
      assert.strictEqual(run?.object?.key.endsWith(".tar.age"), true)
      assert.match(Object.values(yield* objectsOf)[0] ?? "", /^simulated age for age1x+ and age1/)
    }).pipe(Effect.provide(world))
  )

  it.effect("fail with the reason if the path, the S3 storage or the server cannot be read", () =>
    Effect.gen(function* () {
      const s3Storage = yield* plantS3Storage()
      const thing = yield* running("/missing")
      yield* schedule(thing, { s3StorageUuid: s3Storage.uuid })
      assert.deepStrictEqual(statusesOf(yield* back(thing)), [["failed", "/missing: no such file or directory"]])
      yield* S3Storages.update(system("s3Storage.update", { s3Storage }), { isUsable: false })
      assert.deepStrictEqual(statusesOf(yield* back(thing))[0], [
        "failed",
        'the S3 storage "off-site" is not usable: validate it'
      ])
      assert.deepStrictEqual(yield* objectsOf, {})
    }).pipe(Effect.provide(world))
  )

  // Prevents: an object of an upload without a response stays in S3 forever.
  it.effect("remove the object of a failed upload with the next backup", () =>
    Effect.gen(function* () {
      const s3Storage = yield* plantS3Storage()
      const thing = yield* running()
      const { onRequest } = yield* BucketSimulation
      yield* schedule(thing, { s3StorageUuid: s3Storage.uuid })
      yield* onRequest(() => Effect.never)
      const [slow] = yield* back(thing, 100)
      assert.deepStrictEqual([slow?.status, slow?.object === null], ["failed", false])
      yield* onRequest(() => Effect.void)
      const [next, failed] = yield* back(thing)
      assert.deepStrictEqual([next?.status, failed?.status, failed?.object], ["success", "failed", null])
      assert.deepStrictEqual(Object.keys(yield* objectsOf), [next?.object?.key])
    }).pipe(Effect.provide(world))
  )

  it.effect("run on their schedule for storages of applications, and end with the storage", () =>
    Effect.gen(function* () {
      const s3Storage = yield* plantS3Storage()
      const there = yield* place()
      const application = yield* plantApplication(there, 1, {})
      yield* startWorker()
      const update = system("application.update", { application })
      const storage = yield* Storages.create(update, {
        name: "extra",
        mountPath: "/extra",
        hostPath: null,
        service: null
      })
      yield* queue(1, application)
      yield* pass(10)
      yield* Effect.forkScoped(Pipeline.runVolumeBackups({ ...settings, alone: false }))
      const thing = { application, storage }
      yield* VolumeBackups.put(system("application.storage.backup.update", thing), {
        frequency: "every_minute",
        s3StorageUuid: s3Storage.uuid
      })
      yield* pass(70)
      const { runs } = yield* VolumeBackups.read(system("application.storage.backup.read", thing))
      assert.deepStrictEqual(statusesOf(runs), [["failed", "/extra: no such file or directory"]])
      yield* Storages.remove(system("application.storage.delete", thing))
      const gone = yield* Effect.flip(VolumeBackups.read(system("application.storage.backup.read", thing)))
      assert.strictEqual(gone._tag, "VolumeBackupNotFound")
    }).pipe(Effect.provide(world))
  )

  it.effect("need a frequency and an S3 storage of the team at first, and keep omitted settings later", () =>
    Effect.gen(function* () {
      const s3Storage = yield* plantS3Storage()
      const thing = yield* running()
      const proof = system("database.storage.backup.update", thing)
      const problemsOf = (input: Partial<VolumeBackupInput>) =>
        Effect.map(Effect.flip(VolumeBackups.put(proof, input)), (error) =>
          error instanceof InvalidInput ? error.problems : assert.fail("another error")
        )
      const required = "Is required for the first backup schedule of a storage."
      assert.deepStrictEqual(yield* problemsOf({}), { frequency: [required] })
      assert.deepStrictEqual(yield* problemsOf({ frequency: "daily" }), { s3_storage_uuid: [required] })
      yield* VolumeBackups.put(proof, { frequency: "daily", s3StorageUuid: s3Storage.uuid, s3KeepsDays: 9 })
      const changed = yield* VolumeBackups.put(proof, { isEnabled: false })
      assert.deepStrictEqual(
        [changed.frequency, changed.s3KeepsDays, changed.s3Keeps, changed.dueAt],
        ["daily", 9, 7, null]
      )
    }).pipe(Effect.provide(world))
  )
})
