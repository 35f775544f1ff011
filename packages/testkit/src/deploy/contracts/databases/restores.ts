import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import {
  type BackupRunUuid,
  type BackupUuid,
  type Database,
  DatabaseStore,
  mostRestores,
  type Restore,
  type RestoreRun,
  type RestoreRunUuid,
  RestoreStore,
  type RestoreUuid
} from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment } from "../../builders.ts"
import { plantTwoDatabases } from "../../world.ts"
import { tenSecondLease } from "../base/support.ts"

const restoreOf = (n: number, { uuid }: Database, facts: Partial<Restore> = {}): Omit<Restore, "id"> => ({
  uuid: `restore${String(n).padStart(17, "0")}` as RestoreUuid,
  databaseUuid: uuid,
  source: {
    databaseUuid: uuid,
    backupUuid: "backup".padEnd(24, "0") as BackupUuid,
    runUuid: "run".padEnd(24, "0") as BackupRunUuid
  },
  timeout: 60,
  frequency: "",
  isEnabled: false,
  dueAt: null,
  isAsked: true,
  createdAt: moment(n),
  updatedAt: moment(n),
  ...facts
})

const runOf = (n: number, { uuid }: Pick<Restore, "uuid">): RestoreRun => ({
  uuid: `restorerun${String(n).padStart(14, "0")}` as RestoreRunUuid,
  restoreUuid: uuid,
  status: "running",
  message: null,
  startedAt: moment(n),
  finishedAt: null
})

const twoDatabases = Effect.gen(function* () {
  return { ...(yield* plantTwoDatabases), store: yield* RestoreStore }
})

const planted = Effect.fnUntraced(function* (restore: Omit<Restore, "id">) {
  return (yield* (yield* RestoreStore).insert(restore)) ?? assert.fail("the database exists")
})

/** Contract tests of the store of restores. Every implementation must pass them. */
export const restores: Contract<Stores> = {
  port: "RestoreStore",
  musts: {
    "list the restores of a database with their last attempt, newest first": Effect.gen(function* () {
      const { mine, other, store } = yield* twoDatabases
      const first = yield* planted(restoreOf(1, mine))
      const second = yield* planted(restoreOf(2, mine))
      yield* planted(restoreOf(3, other))
      yield* store.begin(first.uuid, null, runOf(1, first))
      yield* store.begin(first.uuid, null, runOf(2, first))
      const done: RestoreRun = { ...runOf(2, first), status: "failed", message: "why", finishedAt: moment(9) }
      yield* store.finish(done)
      assert.deepStrictEqual(yield* store.ofDatabase(mine.uuid), [
        { restore: second, run: null },
        { restore: { ...first, isAsked: false }, run: done }
      ])
      assert.deepStrictEqual(yield* store.executions(first.uuid), [done, runOf(1, first)])
      assert.isUndefined(yield* store.insert(restoreOf(4, { ...mine, uuid: "gone".padEnd(24, "0") } as Database)))
    }),
    "remove the restores of a removed database": Effect.gen(function* () {
      const { mine, store } = yield* twoDatabases
      const { uuid } = yield* planted(restoreOf(1, mine))
      yield* store.begin(uuid, null, runOf(1, { uuid }))
      yield* Effect.orDie((yield* DatabaseStore).remove(mine.uuid))
      assert.deepStrictEqual(yield* store.ofDatabase(mine.uuid), [])
      assert.deepStrictEqual(yield* store.executions(uuid), [])
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 900)))
    }),
    "assign each requested restore to one worker, one per database at a time": Effect.gen(function* () {
      const { mine, other, store } = yield* twoDatabases
      const first = yield* planted(restoreOf(1, mine))
      const second = yield* planted(restoreOf(2, mine))
      const elsewhere = yield* planted(restoreOf(3, other))
      yield* planted(restoreOf(4, other, { isAsked: false }))
      const claims = yield* Effect.all(
        [1, 2, 3].map((n) => store.claim(tenSecondLease(`w${n}`, 10))),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(claims.map((each) => each?.uuid).toSorted(), [first.uuid, elsewhere.uuid, undefined])
      yield* store.begin(first.uuid, null, runOf(1, first))
      for (const worker of ["w1", "w2", "w3"]) yield* store.giveBack(first.uuid, worker)
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 12)))?.uuid, second.uuid)
    }),
    "reassign a restore after its lease expires, and all restores after all leases are released": Effect.gen(
      function* () {
        const { mine, store } = yield* twoDatabases
        const { uuid } = yield* planted(restoreOf(1, mine))
        yield* store.claim(tenSecondLease("a", 10))
        yield* store.begin(uuid, null, runOf(1, { uuid }))
        assert.isFalse(yield* store.renew(uuid, tenSecondLease("b", 11)))
        assert.isTrue(yield* store.renew(uuid, tenSecondLease("a", 15)))
        assert.isUndefined(yield* store.claim(tenSecondLease("b", 24)))
        assert.strictEqual((yield* store.claim(tenSecondLease("b", 25)))?.uuid, uuid)
        yield* store.endLeases
        assert.strictEqual((yield* store.claim(tenSecondLease("c", 26)))?.uuid, uuid)
      }
    ),
    "keep only the newest restores of a database, and each that waits or runs (invariant I25)": Effect.gen(
      function* () {
        const { mine, store } = yield* twoDatabases
        const waiting = yield* planted(restoreOf(1, mine))
        for (let n = 2; n <= mostRestores + 3; n++) yield* planted(restoreOf(n, mine, { isAsked: false }))
        const remaining = (yield* store.ofDatabase(mine.uuid)).map(({ restore }) => restore.uuid)
        assert.strictEqual(remaining.length, mostRestores + 1)
        assert.strictEqual(remaining.at(-1), waiting.uuid)
        assert.strictEqual(remaining.at(-2), restoreOf(4, mine).uuid)
      }
    )
  }
}
