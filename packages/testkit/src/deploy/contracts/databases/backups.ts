import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import {
  type Backup,
  type BackupRun,
  type BackupRunUuid,
  BackupStore,
  type BackupUuid,
  type Database,
  DatabaseStore,
  mostFailed,
  mostRetained
} from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newDatabase } from "../../builders.ts"
import { plantPlace } from "../../world.ts"
import { tenSecondLease } from "../base/support.ts"

const backupOf = (n: number, { uuid }: Database, facts: Partial<Backup> = {}): Omit<Backup, "id"> => ({
  uuid: `backup${String(n).padStart(18, "0")}` as BackupUuid,
  databaseUuid: uuid,
  frequency: "daily",
  isEnabled: true,
  keeps: 7,
  timeout: 3_600,
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
  startedAt: moment(n),
  finishedAt: null
})

const twoDatabases = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const databases = yield* DatabaseStore
  return {
    mine: yield* databases.insert(newDatabase(1, placement)),
    other: yield* databases.insert(newDatabase(2, placement)),
    store: yield* BackupStore
  }
})

const planted = Effect.fnUntraced(function* (backup: Omit<Backup, "id">) {
  return (yield* (yield* BackupStore).insert(backup)) ?? assert.fail("the database exists")
})

/** The contract of the store of backup schedules. */
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
      yield* store.ask(backup.uuid)
      assert.isDefined(yield* store.claim(tenSecondLease("a", 0)))
      const changed = {
        ...backup,
        frequency: "hourly",
        isEnabled: false,
        keeps: 3,
        timeout: 60,
        dueAt: null,
        updatedAt: moment(9)
      }
      yield* store.replace(changed)
      assert.deepStrictEqual(yield* store.ofDatabase(mine.uuid), [{ ...changed, isAsked: true }])
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 1)))
      yield* store.begin(backup.uuid, moment(500), null)
      yield* store.replace({ ...changed, keeps: 4 })
      const [kept] = yield* store.ofDatabase(mine.uuid)
      assert.deepStrictEqual([kept?.keeps, kept?.dueAt], [4, moment(500)])
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
        finishedAt: moment(99)
      } as const
      yield* store.finish(done)
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [runOf(3, backup), done, runOf(1, backup)])
      yield* store.drop(backup.uuid, [runOf(1, backup).uuid, runOf(3, backup).uuid, runOf(9, another).uuid])
      yield* store.drop(backup.uuid, [])
      assert.deepStrictEqual(yield* store.executions(backup.uuid), [done])
      assert.deepStrictEqual(yield* store.executions(another.uuid), [runOf(9, another)])
    }),
    "keep only the newest failed and the newest successful backups (invariant I25)": Effect.gen(function* () {
      const { mine, store } = yield* twoDatabases
      const backup = yield* planted(backupOf(1, mine))
      const begun = (n: number, status: BackupRun["status"]) =>
        store.begin(backup.uuid, moment(7), { ...runOf(n, backup), status })
      for (let n = 1; n <= mostRetained + 1; n++) yield* begun(n, "success")
      for (let n = 201; n <= 201 + mostFailed; n++) yield* begun(n, "failed")
      for (const [n, status] of [
        [301, "success"],
        [302, "failed"]
      ] as const) {
        yield* begun(n, "running")
        yield* store.finish({ ...runOf(n, backup), status, finishedAt: moment(400) })
      }
      const kept = yield* store.executions(backup.uuid)
      const first = (status: BackupRun["status"]) => {
        const alike = kept.filter((each) => each.status === status)
        return [alike.length, alike.at(-1)?.uuid]
      }
      assert.deepStrictEqual(first("success"), [mostRetained, runOf(3, backup).uuid])
      assert.deepStrictEqual(first("failed"), [mostFailed, runOf(203, backup).uuid])
    })
  }
}
