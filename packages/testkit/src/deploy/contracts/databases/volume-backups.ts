import { assert } from "@effect/vitest"
import { InUse } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { type Storage, StorageStore, type StorageUuid } from "@slipway/domain/deploy/apps"
import {
  mostFailed,
  mostSuccessful,
  type VolumeBackup,
  type VolumeBackupRun,
  type VolumeBackupRunUuid,
  VolumeBackupStore,
  type VolumeBackupUuid
} from "@slipway/domain/deploy/databases"
import { S3StorageStore, type S3StorageUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newS3Storage } from "../../builders.ts"
import { tenSecondLease, twoApplications } from "../base/support.ts"

const storageOf = (n: number, applicationUuid: Storage["applicationUuid"]): Omit<Storage, "id"> => ({
  uuid: `storage${String(n).padStart(17, "0")}` as StorageUuid,
  applicationUuid,
  name: "data",
  mountPath: `/data/${n}`,
  service: null,
  hostPath: null,
  content: null,
  createdAt: moment(n),
  updatedAt: moment(n)
})

/**
 * Stores two storages of one application and an S3 storage. Returns the values of a backup schedule that is not stored
 * yet.
 */
const opened = Effect.gen(function* () {
  const [{ uuid }] = yield* twoApplications
  const storages = yield* StorageStore
  const [mine, other] = yield* storages.insertMany([storageOf(1, uuid), storageOf(2, uuid)])
  const s3Storages = yield* S3StorageStore
  const { uuid: s3StorageUuid } = yield* Effect.orDie(s3Storages.insert(newS3Storage(1)))
  return {
    mine: mine ?? assert.fail(),
    other: other ?? assert.fail(),
    remove: (storage: Storage) => storages.remove(uuid, storage.uuid),
    s3StorageUuid,
    s3Storages,
    store: yield* VolumeBackupStore
  }
})

const backupOf = (
  n: number,
  { uuid }: Storage,
  s3StorageUuid: S3StorageUuid,
  facts: Partial<VolumeBackup> = {}
): Omit<VolumeBackup, "id"> => ({
  uuid: `backup${String(n).padStart(18, "0")}` as VolumeBackupUuid,
  storageUuid: uuid,
  frequency: "0 3 * * *",
  isEnabled: true,
  s3StorageUuid,
  s3Keeps: 7,
  s3KeepsDays: 0,
  s3KeepsGigabytes: 0.5,
  timeout: 60,
  dueAt: moment(500),
  isAsked: false,
  createdAt: moment(n),
  updatedAt: moment(n),
  ...facts
})

const runOf = (n: number, { uuid }: Pick<VolumeBackup, "uuid">): VolumeBackupRun => ({
  uuid: `run${String(n).padStart(21, "0")}` as VolumeBackupRunUuid,
  backupUuid: uuid,
  status: "running",
  message: null,
  size: null,
  object: null,
  startedAt: moment(n),
  finishedAt: null
})

const planted = Effect.fnUntraced(function* (facts: Partial<VolumeBackup> = {}) {
  const world = yield* opened
  const backup = yield* world.store.insert(backupOf(1, world.mine, world.s3StorageUuid, facts))
  return { ...world, backup: backup ?? assert.fail("the storage exists") }
})

/** Contract tests of the store of backup schedules of storages (persistent volumes). */
export const volumeBackups: Contract<Stores> = {
  port: "VolumeBackupStore",
  musts: {
    "keep one schedule per storage, and change its settings without affecting the worker that runs it": Effect.gen(
      function* () {
        const { backup, mine, other, s3StorageUuid, store } = yield* planted({ dueAt: moment(10) })
        assert.isUndefined(yield* store.insert(backupOf(2, mine, s3StorageUuid)))
        const elsewhere = yield* store.insert(backupOf(3, other, s3StorageUuid))
        yield* store.claim(tenSecondLease("a", 10))
        yield* store.begin(backup.uuid, moment(600), null)
        const settings = { s3Keeps: 2, s3KeepsDays: 3, s3KeepsGigabytes: 1.5, timeout: 90, updatedAt: moment(11) }
        yield* store.replace({ ...backup, ...settings })
        assert.deepStrictEqual(yield* store.ofStorage(mine.uuid), { ...backup, ...settings, dueAt: moment(600) })
        assert.isTrue(yield* store.renew(backup.uuid, tenSecondLease("a", 15)))
        yield* store.replace({ ...backup, frequency: "daily", isEnabled: false, dueAt: null })
        const changed = { ...backup, frequency: "daily", isEnabled: false, dueAt: null }
        assert.deepStrictEqual(yield* store.ofStorage(mine.uuid), changed)
        assert.deepStrictEqual(yield* store.ofStorage(other.uuid), elsewhere)
        assert.isFalse(yield* store.remove(other.uuid, backup.uuid))
        assert.isTrue(yield* store.remove(mine.uuid, backup.uuid))
        assert.isUndefined(yield* store.ofStorage(mine.uuid))
      }
    ),
    "remove the schedule of a removed storage with its backups": Effect.gen(function* () {
      const { backup, mine, remove, s3StorageUuid, store } = yield* planted()
      yield* store.begin(backup.uuid, null, runOf(1, backup))
      assert.isTrue(yield* remove(mine))
      assert.isUndefined(yield* store.ofStorage(mine.uuid))
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [])
      assert.isUndefined(yield* store.insert(backupOf(2, mine, s3StorageUuid)))
    }),
    "assign a due or requested schedule to one worker until its lease expires": Effect.gen(function* () {
      const { backup, store } = yield* planted()
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 10)))
      yield* store.ask(backup.uuid)
      const claims = yield* Effect.all(
        [1, 2, 3].map((n) => store.claim(tenSecondLease(`w${n}`, 10))),
        { concurrency: 3 }
      )
      assert.strictEqual(claims.filter((each) => each?.uuid === backup.uuid).length, 1)
      yield* store.begin(backup.uuid, moment(500), null)
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 19)))
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 20)))?.uuid, backup.uuid)
      yield* store.giveBack(backup.uuid, "b")
      assert.isUndefined(yield* store.claim(tenSecondLease("c", 40)))
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 500)))?.uuid, backup.uuid)
      yield* store.endLeases
      assert.strictEqual((yield* store.claim(tenSecondLease("d", 501)))?.uuid, backup.uuid)
    }),
    "store the result of a backup, and list results newest first": Effect.gen(function* () {
      const { backup, s3StorageUuid, store } = yield* planted()
      const object = { storageUuid: s3StorageUuid, key: "slipway/storages/x" }
      const begun = { ...runOf(1, backup), object }
      yield* store.begin(backup.uuid, moment(7), begun)
      yield* store.begin(backup.uuid, moment(8), runOf(2, backup))
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [runOf(2, backup), begun])
      const done = { ...begun, status: "success", message: "", size: 5_000_000_000, finishedAt: moment(9) } as const
      yield* store.finish(done)
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [runOf(2, backup), done])
    }),
    "remove successful backups without their object, and keep failed ones": Effect.gen(function* () {
      const { backup, s3StorageUuid, store } = yield* planted()
      const object = { storageUuid: s3StorageUuid, key: "slipway/storages/x" }
      for (const [n, status] of (["success", "failed", "running", "success"] as const).entries()) {
        yield* store.begin(backup.uuid, null, { ...runOf(n, backup), object })
        if (status !== "running") yield* store.finish({ ...runOf(n, backup), object, status })
      }
      yield* store.cleared(
        backup.uuid,
        [0, 1, 2].map((n) => runOf(n, backup).uuid)
      )
      yield* store.cleared(backup.uuid, [])
      assert.deepStrictEqual(
        (yield* store.executions(backup.uuid)).map((run) => [run.uuid, run.object !== null]),
        [
          [runOf(3, backup).uuid, true],
          [runOf(2, backup).uuid, true],
          [runOf(1, backup).uuid, false]
        ]
      )
    }),
    "prevent the removal of an S3 storage that a schedule of a storage uses": Effect.gen(function* () {
      const { backup, mine, s3StorageUuid, s3Storages, store } = yield* planted()
      assert.instanceOf(yield* Effect.flip(s3Storages.remove(s3StorageUuid)), InUse)
      assert.isTrue(yield* store.remove(mine.uuid, backup.uuid))
      assert.isTrue(yield* Effect.orDie(s3Storages.remove(s3StorageUuid)))
    }),
    "keep only the newest failed and the newest successful backups of a storage (invariant I25)": Effect.gen(
      function* () {
        const { backup, store } = yield* planted()
        const begun = (n: number, status: VolumeBackupRun["status"]) =>
          store.begin(backup.uuid, moment(7), { ...runOf(n, backup), status })
        for (let n = 1; n <= mostSuccessful + 1; n++) yield* begun(n, "success")
        for (let n = 301; n <= 301 + mostFailed; n++) yield* begun(n, "failed")
        for (const [n, status] of [
          [401, "success"],
          [402, "failed"]
        ] as const) {
          yield* begun(n, "running")
          yield* store.finish({ ...runOf(n, backup), status, finishedAt: moment(500) })
        }
        const executions = yield* store.executions(backup.uuid)
        const last = (status: VolumeBackupRun["status"]) =>
          executions.filter((each) => each.status === status).at(-1)?.uuid
        assert.deepStrictEqual([last("success"), last("failed")], [runOf(3, backup).uuid, runOf(303, backup).uuid])
        assert.strictEqual(executions.length, mostSuccessful + mostFailed)
      }
    )
  }
}
