import { assert } from "@effect/vitest"
import { InUse } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import {
  type Backup,
  type BackupRun,
  type BackupRunUuid,
  BackupStore,
  type BackupUuid,
  type Database,
  DatabaseStore,
  defaultBackup,
  mostFailed,
  mostSuccessful
} from "@slipway/domain/deploy/databases"
import { S3StorageStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newS3Storage } from "../../builders.ts"
import { plantTwoDatabases } from "../../world.ts"
import { tenSecondLease } from "../base/support.ts"

const backupOf = (n: number, { uuid }: Database, facts: Partial<Backup> = {}): Omit<Backup, "id"> => ({
  uuid: `backup${String(n).padStart(18, "0")}` as BackupUuid,
  databaseUuid: uuid,
  frequency: "daily",
  ...defaultBackup,
  dueAt: moment(100 + n),
  isAsked: false,
  createdAt: moment(n),
  updatedAt: moment(n),
  ...facts
})

const runOf = (n: number, { uuid }: Pick<Backup, "uuid">): BackupRun => ({
  uuid: `backuprun${String(n).padStart(15, "0")}` as BackupRunUuid,
  backupUuid: uuid,
  status: "running",
  message: null,
  size: null,
  dumpsAll: false,
  databases: [],
  image: null,
  isLocal: null,
  object: null,
  startedAt: moment(n),
  finishedAt: null
})

const twoDatabases = Effect.gen(function* () {
  return { ...(yield* plantTwoDatabases), store: yield* BackupStore }
})

const planted = Effect.fnUntraced(function* (backup: Omit<Backup, "id">) {
  return (yield* (yield* BackupStore).insert(backup)) ?? assert.fail("the database exists")
})

/** Contract tests of the store of backup schedules. Every implementation must pass them. */
export const backups: Contract<Stores> = {
  port: "BackupStore",
  musts: {
    "list only the schedules of the given database, in the order of insertion": Effect.gen(function* () {
      const { mine, other, store } = yield* twoDatabases
      const second = yield* planted(backupOf(2, mine, { isEnabled: false, dueAt: null }))
      yield* planted(backupOf(3, other))
      const first = yield* planted(backupOf(1, mine))
      assert.deepStrictEqual(yield* store.ofDatabase(mine.uuid), [second, first])
      assert.isUndefined(yield* store.insert(backupOf(4, { ...mine, uuid: "gone".padEnd(24, "0") } as Database)))
    }),
    "change the settings of a schedule without affecting the worker that runs it": Effect.gen(function* () {
      const { mine, store } = yield* twoDatabases
      const backup = yield* planted(backupOf(1, mine))
      const storage = yield* Effect.orDie((yield* S3StorageStore).insert(newS3Storage(1)))
      yield* store.ask(backup.uuid)
      assert.isDefined(yield* store.claim(tenSecondLease("a", 0)))
      const changed = {
        ...backup,
        frequency: "hourly",
        isEnabled: false,
        keeps: 3,
        keepsDays: 4,
        keepsGigabytes: 0.5,
        s3StorageUuid: storage.uuid,
        savesToS3: true,
        isOnlyInS3: true,
        s3Keeps: 5,
        s3KeepsDays: 6,
        s3KeepsGigabytes: 1.25,
        databases: ["a", "b"],
        dumpsAll: true,
        timeout: 60,
        dueAt: null,
        updatedAt: moment(9)
      }
      yield* store.replace(changed)
      assert.deepStrictEqual(yield* store.ofDatabase(mine.uuid), [{ ...changed, isAsked: true }])
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 1)))
      yield* store.begin(backup.uuid, moment(500), null)
      yield* store.replace({ ...changed, keeps: 4 })
      const [schedule] = yield* store.ofDatabase(mine.uuid)
      assert.deepStrictEqual([schedule?.keeps, schedule?.dueAt], [4, moment(500)])
    }),
    "remove a schedule with its backups, only through its database": Effect.gen(function* () {
      const { mine, other, store } = yield* twoDatabases
      const backup = yield* planted(backupOf(1, mine))
      yield* store.begin(backup.uuid, null, runOf(1, backup))
      assert.isFalse(yield* store.remove(other.uuid, backup.uuid))
      assert.isTrue(yield* store.remove(mine.uuid, backup.uuid))
      assert.isFalse(yield* store.remove(mine.uuid, backup.uuid))
      assert.deepStrictEqual(yield* store.ofDatabase(mine.uuid), [])
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [])
    }),
    "remove the schedules of a removed database": Effect.gen(function* () {
      const { mine, store } = yield* twoDatabases
      const backup = yield* planted(backupOf(1, mine))
      yield* store.begin(backup.uuid, null, runOf(1, backup))
      yield* Effect.orDie((yield* DatabaseStore).remove(mine.uuid))
      assert.deepStrictEqual(yield* store.ofDatabase(mine.uuid), [])
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [])
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 900)))
    }),
    "assign each due or requested schedule to one worker, one per database at a time": Effect.gen(function* () {
      const { mine, other, store } = yield* twoDatabases
      const due = yield* planted(backupOf(1, mine, { dueAt: moment(10) }))
      const asked = yield* planted(backupOf(2, other, { dueAt: null }))
      const second = yield* planted(backupOf(3, mine, { dueAt: moment(10) }))
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 9)))
      yield* store.ask(asked.uuid)
      const claims = yield* Effect.all(
        [1, 2, 3].map((n) => store.claim(tenSecondLease(`w${n}`, 10))),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(claims.map((each) => each?.uuid).toSorted(), [due.uuid, asked.uuid, undefined])
      yield* store.begin(due.uuid, moment(500), null)
      for (const worker of ["w1", "w2", "w3"]) yield* store.giveBack(due.uuid, worker)
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 12)))?.uuid, second.uuid)
    }),
    "reassign work after its lease expires, and all work after all leases are released": Effect.gen(function* () {
      const { mine, store } = yield* twoDatabases
      const { uuid } = yield* planted(backupOf(1, mine, { dueAt: moment(10) }))
      yield* store.claim(tenSecondLease("a", 10))
      yield* store.begin(uuid, moment(500), null)
      assert.isFalse(yield* store.renew(uuid, tenSecondLease("b", 11)))
      assert.isTrue(yield* store.renew(uuid, tenSecondLease("a", 15)))
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 24)))
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 25)))?.uuid, uuid)
      yield* store.endLeases
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 26)))?.uuid, uuid)
    }),
    "store the result of a backup, and list results newest first until they are removed": Effect.gen(function* () {
      const { mine, other, store } = yield* twoDatabases
      const backup = yield* planted(backupOf(1, mine))
      const another = yield* planted(backupOf(2, other))
      yield* store.begin(another.uuid, moment(7), runOf(9, another))
      for (const n of [1, 2, 3]) yield* store.begin(backup.uuid, moment(7), runOf(n, backup))
      const done = {
        ...runOf(2, backup),
        status: "success",
        message: "done",
        size: 5_000_000_000,
        isLocal: true,
        object: { storageUuid: newS3Storage(1).uuid, key: "slipway/databases/x" },
        finishedAt: moment(99)
      } as const
      yield* store.finish(done)
      const begun = { ...runOf(4, backup), dumpsAll: true, object: done.object }
      yield* store.begin(backup.uuid, moment(7), begun)
      assert.deepStrictEqual((yield* store.executions(backup.uuid))[0], begun)
      yield* store.drop(backup.uuid, [begun.uuid])
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [runOf(3, backup), done, runOf(1, backup)])
      yield* store.drop(backup.uuid, [runOf(1, backup).uuid, runOf(3, backup).uuid, runOf(9, another).uuid])
      yield* store.drop(backup.uuid, [])
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [done])
      assert.deepStrictEqual(yield* store.executions(another.uuid), [runOf(9, another)])
    }),
    "record whether the file or the S3 object of a backup was removed, and remove a backup without both": Effect.gen(
      function* () {
        const { mine, store } = yield* twoDatabases
        const backup = yield* planted(backupOf(1, mine))
        const object = { storageUuid: newS3Storage(1).uuid, key: "slipway/databases/x" }
        const make = Effect.fnUntraced(function* (n: number, facts: Partial<BackupRun>) {
          const run: BackupRun = { ...runOf(n, backup), status: "success", ...facts }
          yield* store.begin(backup.uuid, moment(7), { ...run, status: "running" })
          if (run.status !== "running") yield* store.finish(run)
          return run
        })
        const both = yield* make(1, { isLocal: true, object })
        const local = yield* make(2, { isLocal: true })
        const failed = yield* make(3, { status: "failed", object })
        const running = yield* make(4, { status: "running", object })
        const all = [both, local, failed, running].map(({ uuid }) => uuid)
        yield* store.cleared(backup.uuid, "local", all)
        assert.deepStrictEqual(yield* store.executions(backup.uuid), [
          running,
          { ...failed, isLocal: false },
          { ...both, isLocal: false }
        ])
        yield* store.cleared(backup.uuid, "s3", all)
        yield* store.cleared(backup.uuid, "s3", [])
        assert.deepStrictEqual(yield* store.executions(backup.uuid), [
          running,
          { ...failed, isLocal: false, object: null }
        ])
      }
    ),
    "prevent the removal of an S3 storage that a schedule uses": Effect.gen(function* () {
      const { mine, store } = yield* twoDatabases
      const storages = yield* S3StorageStore
      const { uuid } = yield* Effect.orDie(storages.insert(newS3Storage(1)))
      const backup = yield* planted(backupOf(1, mine, { s3StorageUuid: uuid }))
      assert.deepStrictEqual(yield* Effect.flip(storages.remove(uuid)), new InUse({ by: "backup" }))
      assert.isDefined(yield* storages.find(uuid))
      yield* store.replace({ ...backup, s3StorageUuid: null })
      assert.isTrue(yield* Effect.orDie(storages.remove(uuid)))
    }),
    "keep only the newest failed and the newest successful backups (invariant I25)": Effect.gen(function* () {
      const { mine, store } = yield* twoDatabases
      const backup = yield* planted(backupOf(1, mine))
      const begun = (n: number, status: BackupRun["status"]) =>
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
      const first = (status: BackupRun["status"]) => {
        const alike = executions.filter((each) => each.status === status)
        return [alike.length, alike.at(-1)?.uuid]
      }
      assert.deepStrictEqual(first("success"), [mostSuccessful, runOf(3, backup).uuid])
      assert.deepStrictEqual(first("failed"), [mostFailed, runOf(303, backup).uuid])
    })
  }
}
