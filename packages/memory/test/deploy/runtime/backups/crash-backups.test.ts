import { assert, describe, it } from "@effect/vitest"
import { Backups, DatabaseSettings, Restores, VolumeBackups, VolumeRestores } from "@slipway/deploy/databases"
import { S3Storages } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { archiveOfFiles, type Command } from "@slipway/domain/deploy/containers"
import {
  type BackupRun,
  BackupStore,
  defaultBackup,
  fileOf,
  ownerOf,
  RestoreStore,
  restoreStatus,
  type VolumeBackupRun,
  VolumeRestoreStore
} from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { BucketSimulation, EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber, Redacted, Stream } from "effect"
import { plantDatabase, runDatabase } from "../support/databaseSupport.ts"
import { killBeforeEachStep, killProcess } from "../support/killedProcess.ts"
import { pass, place, server, settings, startWorker, world } from "../support/support.ts"

const directory = "/var/lib/slipway-backups"
const restarted = { ...settings, alone: true }
const lost = "the platform exited while it ran; its result is unknown"

/** Two running databases with an S3 storage and a storage at `/extra`. Their containers share the recorded files. */
const running = Effect.gen(function* () {
  const files = new Map<string, string>()
  const restored: Array<string | undefined> = []
  const line = (text: string) => ({ stream: "stdout" as const, text })
  const command = ({ argv }: Command) => {
    if (argv[0] === "flock") restored.push(files.get(argv[10] ?? ""))
    const words = argv[0] === "timeout" ? argv.slice(4) : argv
    const last = words.at(-1) ?? ""
    const path = words.find((word) => word.startsWith("--file="))?.slice(7)
    if (path !== undefined) files.set(path, "the dump\n")
    if (words[0] === "rm") for (const each of words) files.delete(each)
    if (words[0] === "stat") return { exitCode: 0, output: [line(String((files.get(last) ?? "").length))] }
    if (words[0] === "cat") return { exitCode: 0, output: [line((files.get(last) ?? "").trimEnd())] }
    return { exitCode: 0, output: [] }
  }
  yield* (yield* EngineSimulation).publish("postgres:17-alpine", {
    command,
    file: (path, bytes) => files.set(path, new TextDecoder().decode(bytes)),
    unpack: (_, bytes, { mounts }) => {
      const [mount] = mounts
      if (mount?.source._tag === "Volume") files.set(mount.source.name, new TextDecoder().decode(bytes))
    },
    archive: (path) =>
      path === "/extra" ? Effect.runSync(Stream.mkUint8Array(archiveOfFiles({ "extra/file": "content" }))) : undefined
  })
  yield* (yield* BucketSimulation).create("bucket", "secret")
  const s3Storage = yield* S3Storages.create(system("s3Storage.create"), {
    name: "off-site",
    description: "",
    endpoint: "https://s3.example",
    region: "eu-north-7",
    bucket: "bucket",
    accessKey: Redacted.make("key"),
    secretKey: Redacted.make("secret"),
    isUsable: true,
    recipient: null
  })
  const worker = yield* startWorker()
  const there = yield* place()
  const planted = yield* plantDatabase(there)
  const storage = yield* DatabaseSettings.createStorage(system("database.update", { database: planted }), {
    name: "extra",
    mountPath: "/extra",
    hostPath: null
  })
  const database = yield* runDatabase(planted)
  const other = yield* runDatabase(yield* plantDatabase(there, { fields: { postgres_db: "copy" } }))
  return { database, files, other, restored, s3Storage, storage, worker }
})

const objectsOf = Effect.map(
  Effect.flatMap(BucketSimulation, (buckets) => buckets.objects("bucket")),
  (objects) => Object.keys(objects)
)

/** Expects an ended newest backup, and at most one that the kill ended. */
const requireOutcomes = (runs: ReadonlyArray<Pick<BackupRun | VolumeBackupRun, "message" | "status">>) => {
  assert.strictEqual(runs[0]?.status, "success", runs[0]?.message ?? "")
  const failed = runs.filter(({ status }) => status !== "success")
  assert.isAtMost(failed.length, 1)
  for (const { message, status } of failed) assert.deepStrictEqual([status, message], ["failed", lost])
}

const keysOf = (runs: ReadonlyArray<BackupRun | VolumeBackupRun>) =>
  runs.flatMap(({ object, status }) => (status === "success" && object !== null ? [object.key] : []))

/** Kills the process of volume backups, requests another backup, and returns the steps before the kill. */
const backUpVolume = (after: number) =>
  Effect.gen(function* () {
    const { database, s3Storage, storage } = yield* running
    const thing = { database, storage }
    yield* VolumeBackups.put(system("database.storage.backup.update", thing), {
      frequency: "yearly",
      timeout: 60,
      s3StorageUuid: s3Storage.uuid
    })
    const request = VolumeBackups.run(system("database.storage.backup.run", thing))
    yield* request
    const taken = yield* killProcess(Pipeline.runVolumeBackups(restarted), after)
    yield* request
    yield* pass(4)
    const { runs } = yield* VolumeBackups.read(system("database.storage.backup.read", thing))
    requireOutcomes(runs)
    assert.sameMembers(yield* objectsOf, keysOf(runs))
    return taken
  }).pipe(Effect.scoped, Effect.provide(world, { local: true }))

/** Kills the process of database backups, requests another backup, and returns the steps before the kill. */
const backUpDatabase = (after: number) =>
  Effect.gen(function* () {
    const { database, files, s3Storage } = yield* running
    const input = { ...defaultBackup, frequency: "yearly", timeout: 60, s3StorageUuid: s3Storage.uuid, savesToS3: true }
    const backup = yield* Backups.create(system("database.backup.create", { database }), input, true)
    const taken = yield* killProcess(Pipeline.runBackups(restarted), after)
    yield* Backups.update(system("database.backup.update", { database, backup }), {}, true)
    yield* pass(4)
    const runs = yield* (yield* BackupStore).executions(backup.uuid)
    requireOutcomes(runs)
    assert.sameMembers(yield* objectsOf, keysOf(runs))
    const local = runs.filter(({ isLocal }) => isLocal === true)
    assert.sameMembers(
      [...files.keys()],
      local.map((run) => `${directory}/${fileOf("postgresql", run)}`)
    )
    return taken
  }).pipe(Effect.scoped, Effect.provide(world, { local: true }))

/** Kills the process of restores, which then resumes without a request, and returns the steps before the kill. */
const restore = (after: number) =>
  Effect.gen(function* () {
    const { database, files, other, restored, s3Storage } = yield* running
    const input = { ...defaultBackup, frequency: "yearly", timeout: 60, s3StorageUuid: s3Storage.uuid, savesToS3: true }
    const backup = yield* Backups.create(system("database.backup.create", { database }), input, true)
    yield* Effect.forkScoped(Pipeline.runBackups(restarted))
    yield* pass(4)
    const [run = assert.fail("it was requested")] = yield* (yield* BackupStore).executions(backup.uuid)
    const proof = system("database.backup.execution.restore", { database, backup, run })
    yield* Restores.create(proof, { databaseUuid: other.uuid, timeout: 90 })
    const taken = yield* killProcess(Pipeline.runRestores(restarted), after)
    const [progress = assert.fail("it was requested")] = yield* (yield* RestoreStore).ofDatabase(other.uuid)
    assert.deepStrictEqual([restoreStatus(progress), progress.run?.message], ["success", ""])
    // A killed process may have started the program, which waits in the container for no second one.
    assert.isAbove(restored.length, 0)
    for (const text of restored) assert.strictEqual(text, "the dump\n")
    assert.deepStrictEqual([...files.keys()], [`${directory}/${fileOf("postgresql", run)}`])
    return taken
  }).pipe(Effect.scoped, Effect.provide(world, { local: true }))

/** Kills the process of restores of storages, which then resumes, and returns the steps before the kill. */
const restoreVolume = (after: number) =>
  Effect.gen(function* () {
    const { database, files, s3Storage, storage, worker } = yield* running
    const thing = { database, storage }
    yield* VolumeBackups.put(system("database.storage.backup.update", thing), {
      frequency: "yearly",
      timeout: 60,
      s3StorageUuid: s3Storage.uuid
    })
    yield* VolumeBackups.run(system("database.storage.backup.run", thing))
    yield* Effect.forkScoped(Pipeline.runVolumeBackups(restarted))
    yield* pass(4)
    const { runs } = yield* VolumeBackups.read(system("database.storage.backup.read", thing))
    yield* VolumeRestores.create(system("database.storage.backup.restore", thing), runs[0]?.uuid ?? "", 60)
    // Only steps of the restore count.
    yield* Fiber.interrupt(worker)
    const taken = yield* killProcess(Pipeline.runVolumeRestores(restarted), after)
    yield* startWorker()
    yield* pass(8)
    const [progress = assert.fail("it was requested")] = yield* (yield* VolumeRestoreStore).ofStorage(storage.uuid)
    assert.deepStrictEqual([restoreStatus(progress), progress.run?.message], ["success", ""])
    assert.include(files.get(`${database.uuid}_extra`), "content")
    const { containers, volumes } = yield* (yield* EngineSimulation).inventory(server)
    const own = containers.filter(({ owner }) => owner.application === ownerOf(database.uuid))
    assert.deepStrictEqual(
      own.map(({ owner, state }) => [owner.service, state]),
      [[null, "running"]]
    )
    assert.notInclude(
      volumes.map(({ name }) => name),
      `${database.uuid}_restore-${storage.uuid}`
    )
    return taken
  }).pipe(Effect.scoped, Effect.provide(world, { local: true }))

describe("a process that is killed before any step", () => {
  it.effect(
    "of a backup of a volume leaves no object, and the next backup succeeds",
    () => killBeforeEachStep(5, backUpVolume),
    60_000
  )

  it.effect(
    "of a backup of a database leaves no file and no object, and the next backup succeeds",
    () => killBeforeEachStep(6, backUpDatabase),
    60_000
  )

  it.effect("of a restore resumes the restore, and leaves no copy", () => killBeforeEachStep(5, restore), 60_000)

  it.effect(
    "of a restore of a storage resumes the restore, leaves nothing, and starts the container again",
    () => killBeforeEachStep(10, restoreVolume),
    60_000
  )
})
