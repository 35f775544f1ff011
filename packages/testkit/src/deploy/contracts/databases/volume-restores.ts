import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { type Storage, StorageStore, type StorageUuid } from "@slipway/domain/deploy/apps"
import {
  mostRestores,
  type VolumeBackupRunUuid,
  type VolumeBackupUuid,
  type VolumeRestore,
  type VolumeRestoreRun,
  type VolumeRestoreRunUuid,
  VolumeRestoreStore,
  type VolumeRestoreUuid
} from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment } from "../../builders.ts"
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

const restoreOf = (n: number, { uuid }: Storage, facts: Partial<VolumeRestore> = {}): Omit<VolumeRestore, "id"> => ({
  uuid: `restore${String(n).padStart(17, "0")}` as VolumeRestoreUuid,
  storageUuid: uuid,
  source: {
    backupUuid: "backup".padEnd(24, "0") as VolumeBackupUuid,
    runUuid: "run".padEnd(24, "0") as VolumeBackupRunUuid
  },
  timeout: 60,
  image: null,
  frequency: "",
  isEnabled: false,
  dueAt: null,
  isAsked: true,
  createdAt: moment(n),
  updatedAt: moment(n),
  ...facts
})

const runOf = (n: number, { uuid }: Pick<VolumeRestore, "uuid">): VolumeRestoreRun => ({
  uuid: `restorerun${String(n).padStart(14, "0")}` as VolumeRestoreRunUuid,
  restoreUuid: uuid,
  status: "running",
  message: null,
  startedAt: moment(n),
  finishedAt: null
})

/** Stores a storage of each of two applications. */
const opened = Effect.gen(function* () {
  const [one, two] = yield* twoApplications
  const storages = yield* StorageStore
  const [mine, other] = yield* storages.insertMany([storageOf(1, one.uuid), storageOf(2, two.uuid)])
  return {
    mine: mine ?? assert.fail(),
    other: other ?? assert.fail(),
    remove: (storage: Storage) => storages.remove(storage.applicationUuid, storage.uuid),
    store: yield* VolumeRestoreStore
  }
})

const planted = Effect.fnUntraced(function* (restore: Omit<VolumeRestore, "id">) {
  return (yield* (yield* VolumeRestoreStore).insert(restore)) ?? assert.fail("the storage exists")
})

/** Contract tests of the store of restores of storages. Every implementation must pass them. */
export const volumeRestores: Contract<Stores> = {
  port: "VolumeRestoreStore",
  musts: {
    "list the restores of a storage with their last attempt, newest first": Effect.gen(function* () {
      const { mine, other, store } = yield* opened
      const first = yield* planted(restoreOf(1, mine))
      const second = yield* planted(restoreOf(2, mine))
      yield* planted(restoreOf(3, other))
      yield* store.begin(first.uuid, null, runOf(1, first))
      yield* store.begin(first.uuid, null, runOf(2, first))
      const done: VolumeRestoreRun = { ...runOf(2, first), status: "failed", message: "why", finishedAt: moment(9) }
      yield* store.finish(done)
      assert.deepStrictEqual(yield* store.ofStorage(mine.uuid), [
        { restore: second, run: null },
        { restore: { ...first, isAsked: false }, run: done }
      ])
      assert.deepStrictEqual(yield* store.executions(first.uuid), [done, runOf(1, first)])
    }),
    "remove the restores of a removed storage": Effect.gen(function* () {
      const { mine, remove, store } = yield* opened
      const { uuid } = yield* planted(restoreOf(1, mine))
      yield* store.begin(uuid, null, runOf(1, { uuid }))
      yield* remove(mine)
      assert.deepStrictEqual(yield* store.ofStorage(mine.uuid), [])
      assert.deepStrictEqual(yield* store.executions(uuid), [])
      assert.isUndefined(yield* store.insert(restoreOf(2, mine)))
    }),
    "assign each requested restore of a storage to one worker, one per storage at a time": Effect.gen(function* () {
      const { mine, other, store } = yield* opened
      const first = yield* planted(restoreOf(1, mine))
      const second = yield* planted(restoreOf(2, mine))
      const elsewhere = yield* planted(restoreOf(3, other))
      const claims = yield* Effect.all(
        [1, 2, 3].map((n) => store.claim(tenSecondLease(`w${n}`, 10))),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(claims.map((each) => each?.uuid).toSorted(), [first.uuid, elsewhere.uuid, undefined])
      yield* store.begin(first.uuid, null, runOf(1, first))
      for (const worker of ["w1", "w2", "w3"]) yield* store.giveBack(first.uuid, worker)
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 12)))?.uuid, second.uuid)
    }),
    "store the image of a restore": Effect.gen(function* () {
      const { mine, store } = yield* opened
      const restore = yield* planted(restoreOf(1, mine))
      yield* store.setImage(restore.uuid, "sha256:1")
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("a", 10)), { ...restore, image: "sha256:1" })
    }),
    "list the resources with a restore that waits or runs": Effect.gen(function* () {
      const { mine, other, store } = yield* opened
      assert.deepStrictEqual([...(yield* store.restoring)], [])
      const waiting = yield* planted(restoreOf(1, mine))
      const { uuid } = yield* planted(restoreOf(2, other))
      yield* store.begin(uuid, null, runOf(1, { uuid }))
      const both = [mine.applicationUuid, other.applicationUuid].toSorted()
      assert.deepStrictEqual([...(yield* store.restoring)].toSorted(), both)
      yield* store.finish({ ...runOf(1, { uuid }), status: "success", finishedAt: moment(9) })
      assert.deepStrictEqual([...(yield* store.restoring)], [mine.applicationUuid])
      yield* store.begin(waiting.uuid, null, null)
      assert.deepStrictEqual([...(yield* store.restoring)], [])
    }),
    "keep only the newest restores of a storage, and each that waits or runs (invariant I25)": Effect.gen(function* () {
      const { mine, store } = yield* opened
      const waiting = yield* planted(restoreOf(1, mine))
      for (let n = 2; n <= mostRestores + 3; n++) yield* planted(restoreOf(n, mine, { isAsked: false }))
      const remaining = (yield* store.ofStorage(mine.uuid)).map(({ restore }) => restore.uuid)
      assert.strictEqual(remaining.length, mostRestores + 1)
      assert.strictEqual(remaining.at(-1), waiting.uuid)
      assert.strictEqual(remaining.at(-2), restoreOf(4, mine).uuid)
    })
  }
}
