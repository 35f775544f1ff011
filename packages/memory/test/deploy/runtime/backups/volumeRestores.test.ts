import { assert, describe, it } from "@effect/vitest"
import { Deployments, Storages } from "@slipway/deploy/apps"
import { DatabaseSettings, Databases, VolumeBackups, VolumeRestores } from "@slipway/deploy/databases"
import { S3Storages } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { DeploymentStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import { archiveOfFiles, type Engine } from "@slipway/domain/deploy/containers"
import {
  RestoreRefused,
  restoreStatus,
  type VolumeBackupRun,
  VolumeBackupStore,
  VolumeRestoreStore
} from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { BucketSimulation, EngineSimulation, runs } from "@slipway/memory/deploy"
import { Effect, Fiber, Redacted, Stream } from "effect"
import { plantDatabase, runDatabase, shownDatabase } from "../support/databaseSupport.ts"
import { pass, place, plantApplication, queue, server, settings, startWorker, world } from "../support/support.ts"

const recipient = `age1${"x".repeat(58)}`
const startRestores = Effect.forkScoped(Pipeline.runVolumeRestores({ ...settings, alone: true }))

/** An S3 storage, and an image that records what is unpacked in its containers. */
const prepared = Effect.fnUntraced(function* (image: string, encrypts: boolean) {
  const unpacked: Array<readonly [volume: string, text: string]> = []
  yield* (yield* EngineSimulation).publish(image, {
    program: () => runs("ready"),
    archive: (path) =>
      path === "/extra"
        ? Effect.runSync(Stream.mkUint8Array(archiveOfFiles({ "extra/file": "content", "extra/deep/er": "more" })))
        : undefined,
    unpack: (directory, bytes, { mounts }) => {
      const mount = mounts.find(({ target }) => target === directory)
      const volume = mount?.source._tag === "Volume" ? mount.source.name : "no volume"
      unpacked.push([volume, new TextDecoder().decode(bytes)])
    }
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
    recipient: encrypts ? recipient : null
  })
  return { s3Storage, unpacked }
})

/** A running database with a storage at `/extra` and a backup of it. */
const running = Effect.fnUntraced(function* (encrypts = false) {
  const { s3Storage, unpacked } = yield* prepared("postgres:17-alpine", encrypts)
  const there = yield* place()
  yield* startWorker()
  const planted = yield* plantDatabase(there)
  const input = { name: "extra", mountPath: "/extra", hostPath: null }
  const storage = yield* DatabaseSettings.createStorage(system("database.update", { database: planted }), input)
  const database = yield* runDatabase(planted)
  const thing = { database, storage }
  yield* VolumeBackups.put(system("database.storage.backup.update", thing), {
    frequency: "yearly",
    timeout: 60,
    s3StorageUuid: s3Storage.uuid
  })
  yield* VolumeBackups.run(system("database.storage.backup.run", thing))
  yield* Effect.forkScoped(Pipeline.runVolumeBackups({ ...settings, alone: false }))
  yield* pass(3)
  const { backup, runs: made } = yield* VolumeBackups.read(system("database.storage.backup.read", thing))
  const [run = assert.fail("a backup was requested")] = made
  assert.strictEqual(run.status, "success", run.message ?? "")
  return { backup, database, run, storage, thing, unpacked }
})

type Running = Effect.Success<ReturnType<typeof running>>

const request = ({ run, thing }: Pick<Running, "run" | "thing">) =>
  VolumeRestores.create(system("database.storage.backup.restore", thing), run.uuid, 90)

const latest = Effect.fnUntraced(function* ({ storage }: Pick<Running, "storage">) {
  const [progress = assert.fail("a restore was requested")] = yield* (yield* VolumeRestoreStore).ofStorage(storage.uuid)
  return [restoreStatus(progress), progress.run?.message ?? null] as const
})

const inventory = Effect.flatMap(EngineSimulation, ({ inventory }) => inventory(server))

const containers = Effect.map(inventory, (found) =>
  found.containers.map(({ name, state }) => [name.split("-").slice(2).join("-"), state])
)

const because = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    error instanceof RestoreRefused ? error.because : assert.fail("it is rejected for another reason")
  )

describe("restores of storages", () => {
  it.effect("unpack the archive into a second volume, then replace the volume, and start the container again", () =>
    Effect.gen(function* () {
      const made = yield* running()
      const { onCall } = yield* EngineSimulation
      const steps: Array<string> = []
      const changes = ["create", "remove", "removeVolume", "start", "stop", "unpack"]
      yield* onCall((_, operation: keyof Engine) =>
        Effect.sync(() => void (changes.includes(operation) && steps.push(operation)))
      )
      yield* request(made)
      assert.deepStrictEqual(yield* latest(made), ["queued", null])
      yield* startRestores
      yield* pass(5)
      assert.deepStrictEqual(yield* latest(made), ["success", ""])
      const { uuid } = made.database
      assert.deepStrictEqual(
        made.unpacked.map(([volume]) => volume),
        [`${uuid}_restore-${made.storage.uuid}`, `${uuid}_extra`]
      )
      for (const [, text] of made.unpacked) {
        assert.include(text, "content")
        assert.include(text, "deep/er")
        assert.notInclude(text, "extra/")
      }
      const first = steps.indexOf("unpack")
      assert.deepStrictEqual(steps.slice(first, first + 6), [
        "unpack",
        "stop",
        "remove",
        "removeVolume",
        "create",
        "unpack"
      ])
      yield* pass(5)
      const database = yield* shownDatabase(made.database)
      assert.deepStrictEqual([database.action, database.state], ["repair", "done"])
      assert.deepStrictEqual(yield* containers, [["", "running"]])
      assert.notInclude(
        (yield* inventory).volumes.map(({ name }) => name),
        `${uuid}_restore-${made.storage.uuid}`
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("decrypt the archive, and keep a stopped database stopped", () =>
    Effect.gen(function* () {
      const made = yield* running(true)
      yield* Databases.stop(system("database.deploy", { database: made.database }))
      yield* pass(15)
      yield* request(made)
      yield* startRestores
      yield* pass(5)
      assert.deepStrictEqual(yield* latest(made), ["success", ""])
      assert.include(made.unpacked.at(-1)?.[1] ?? "", "content")
      assert.deepStrictEqual(yield* containers, [])
      assert.isNull((yield* shownDatabase(made.database)).servingUuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("change nothing if the archive is damaged or missing", () =>
    Effect.gen(function* () {
      const made = yield* running()
      const store = yield* VolumeBackupStore
      const damaged: VolumeBackupRun = { ...made.run, size: 7 }
      yield* store.finish(damaged)
      yield* request(made)
      yield* startRestores
      yield* pass(5)
      assert.deepStrictEqual(yield* latest(made), ["failed", "the backup is damaged: it has 3072 bytes instead of 7"])
      assert.deepStrictEqual(made.unpacked, [])
      assert.deepStrictEqual(yield* containers, [["", "running"]])
      yield* request(made)
      yield* store.cleared(made.backup.uuid, [made.run.uuid])
      yield* pass(5)
      assert.deepStrictEqual(yield* latest(made), ["failed", "the backup was deleted"])
      assert.deepStrictEqual(yield* containers, [["", "running"]])
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "remove their copy and start the container again after the timeout, and explain failed backups meanwhile",
    () =>
      Effect.gen(function* () {
        const made = yield* running()
        const { onCall } = yield* EngineSimulation
        let unpacks = 0
        yield* onCall((_, operation: keyof Engine) =>
          operation === "unpack" && ++unpacks === 2 ? Effect.never : Effect.void
        )
        yield* request(made)
        yield* startRestores
        yield* pass(10)
        yield* VolumeBackups.run(system("database.storage.backup.run", made.thing))
        yield* pass(5)
        const { runs: backups } = yield* VolumeBackups.read(system("database.storage.backup.read", made.thing))
        assert.deepInclude(backups[0], {
          status: "failed",
          message: "a restore replaces a storage of the resource: run the backup again afterwards"
        })
        yield* pass(85)
        assert.deepStrictEqual(yield* latest(made), [
          "failed",
          "it took longer than 90 seconds; the volume can be incomplete: restore again"
        ])
        assert.notInclude(
          (yield* inventory).volumes.map(({ name }) => name),
          `${made.database.uuid}_restore-${made.storage.uuid}`
        )
        assert.deepStrictEqual(yield* containers, [["", "running"]])
      }).pipe(Effect.provide(world))
  )

  it.effect("delay starts of the database", () =>
    Effect.gen(function* () {
      const made = yield* running()
      const simulation = yield* EngineSimulation
      yield* simulation.onCall((_, operation: keyof Engine) => (operation === "unpack" ? Effect.never : Effect.void))
      yield* request(made)
      const restores = yield* startRestores
      yield* pass(3)
      yield* Databases.restart(system("database.deploy", { database: made.database }))
      yield* pass(5)
      const { reason, state } = yield* shownDatabase(made.database)
      assert.deepStrictEqual([state, reason], ["working", "waiting for the restore of a storage"])
      assert.strictEqual(yield* because(request(made)), "a start or stop of the database runs: wait until it ends")
      yield* Fiber.interrupt(restores)
      assert.deepStrictEqual(yield* latest(made), ["queued", "the platform was stopped while it ran"])
      yield* simulation.onCall(() => Effect.void)
      yield* startRestores
      yield* pass(10)
      assert.deepStrictEqual(yield* latest(made), ["success", ""])
      assert.strictEqual((yield* shownDatabase(made.database)).state, "done")
      assert.deepStrictEqual(
        (yield* containers).filter(([, each]) => each === "running"),
        [["", "running"]]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("delay deployments of an application, and start its containers again", () =>
    Effect.gen(function* () {
      const { s3Storage, unpacked } = yield* prepared("unused:1", false)
      const there = yield* place()
      const application = yield* plantApplication(there, 1, {})
      yield* startWorker()
      const input = { name: "extra", mountPath: "/extra", hostPath: null, service: null }
      const storage = yield* Storages.create(system("application.update", { application }), input)
      yield* queue(1, application)
      yield* pass(10)
      const thing = { application, storage }
      yield* VolumeBackups.put(system("application.storage.backup.update", thing), {
        frequency: "yearly",
        s3StorageUuid: s3Storage.uuid
      })
      const store = yield* VolumeBackupStore
      const backup = (yield* store.ofStorage(storage.uuid)) ?? assert.fail("no schedule")
      const key = "slipway/storages/one.tar"
      const bytes = yield* Stream.mkUint8Array(archiveOfFiles({ "extra/file": "content" }))
      yield* S3Storages.update(system("s3Storage.update", { s3Storage }), {})
      const objects = yield* BucketSimulation
      assert.deepStrictEqual(yield* objects.objects("bucket"), {})
      const run: VolumeBackupRun = {
        uuid: "run000000000000000000000" as VolumeBackupRun["uuid"],
        backupUuid: backup.uuid,
        status: "success",
        message: "",
        size: bytes.length,
        object: { storageUuid: s3Storage.uuid, key },
        startedAt: "2026-11-27T03:00:00.000Z",
        finishedAt: "2026-11-27T03:00:01.000Z"
      }
      yield* store.begin(backup.uuid, null, run)
      const restore = VolumeRestores.create(system("application.storage.backup.restore", thing), run.uuid, 60)
      yield* restore
      const deployment = yield* Deployments.deploy(system("application.deploy", { application }), false)
      yield* pass(3)
      const held = yield* (yield* DeploymentStore).find(deployment.uuid)
      assert.deepStrictEqual([held?.status, held?.reason], ["queued", "waiting for the restore of a storage"])
      yield* startRestores
      yield* pass(20)
      assert.deepStrictEqual(unpacked, [])
      const [progress] = yield* (yield* VolumeRestoreStore).ofStorage(storage.uuid)
      assert.deepStrictEqual(progress?.run?.message, "the S3 server responds with 404: NoSuchKey")
      assert.strictEqual((yield* (yield* DeploymentStore).find(deployment.uuid))?.status, "finished")
      assert.strictEqual((yield* (yield* ReleaseStore).serving(application.uuid))?.deploymentUuid, deployment.uuid)
    }).pipe(Effect.provide(world))
  )

  it.effect("are rejected for directories of the server, incomplete backups, and while another one runs", () =>
    Effect.gen(function* () {
      const made = yield* running()
      const { database, storage } = made
      const onHost = { database, storage: { ...storage, hostPath: "/srv" } }
      assert.strictEqual(
        yield* because(request({ ...made, thing: onHost })),
        "the storage is a directory of the server, not a volume: unpack the archive there"
      )
      const store = yield* VolumeBackupStore
      yield* store.finish({ ...made.run, status: "failed" })
      assert.strictEqual(yield* because(request(made)), "the backup is not complete: its status is failed")
      yield* store.finish(made.run)
      yield* request(made)
      assert.strictEqual(
        yield* because(request(made)),
        "another restore of the storage waits or runs: wait until it ends"
      )
      const missing = { ...made, run: { ...made.run, uuid: "nothing" as VolumeBackupRun["uuid"] } }
      assert.strictEqual((yield* Effect.flip(request(missing)))._tag, "BackupRunNotFound")
    }).pipe(Effect.provide(world))
  )
})
