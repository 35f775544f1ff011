import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import {
  type DeploymentStatus,
  DeploymentStore,
  type PendingReport,
  PendingReportStore
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import type { ForgeAppUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newDeployment, targetOf, uuidOf } from "../../builders.ts"
import { tenSecondLease } from "../base/support.ts"

const sha = "5d41402abc4b2a76b9719d911017c592aaaaaaaa"
const forgeLink = { forgeAppUuid: uuidOf<ForgeAppUuid>("forgeApp", 1), owner: "acme", name: "site" }

const newReport = (n: number, facts: Partial<PendingReport> = {}): PendingReport => ({
  uuid: uuidOf<DeploymentUuid>("deployment", n),
  forgeLink,
  reported: null,
  attempts: 0,
  dueAt: moment(0),
  createdAt: moment(0),
  ...facts
})

const plant = Effect.fnUntraced(function* (n: number, commit: string, status: DeploymentStatus) {
  yield* (yield* DeploymentStore).insert(newDeployment(n, targetOf(n), { commit, status }))
})

/** Contract tests of the store of pending reports: deployment states that are still to be sent to a forge. */
export const commitReports: Contract<Stores> = {
  port: "PendingReportStore",
  musts: {
    "keep only the newest report of each deployment": Effect.gen(function* () {
      const store = yield* PendingReportStore
      yield* plant(1, sha, "finished")
      yield* store.insert(newReport(1, { reported: "pending", attempts: 2 }))
      const newest = newReport(1, { dueAt: moment(5), createdAt: moment(5) })
      yield* store.insert(newest)
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("a", 100)), newest)
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 100)))
    }),
    "assign a report that replaces a claimed one after that lease expires, and keep it when that worker finishes":
      Effect.gen(function* () {
        const store = yield* PendingReportStore
        yield* plant(1, sha, "finished")
        yield* store.insert(newReport(1))
        const taken = (yield* store.claim(tenSecondLease("a", 10))) ?? assert.fail("it waits")
        const replacement = newReport(1, { dueAt: moment(12), createdAt: moment(12) })
        yield* store.insert(replacement)
        assert.isFalse(yield* store.remove(taken.uuid, "a"))
        assert.isFalse(yield* store.save({ ...taken, reported: "success" }, "a"))
        assert.isUndefined(yield* store.claim(tenSecondLease("b", 19)))
        assert.deepStrictEqual(yield* store.claim(tenSecondLease("b", 20)), replacement)
      }),
    "assign each report to one worker once its deployment has a new state or is removed": Effect.gen(function* () {
      const store = yield* PendingReportStore
      // Each with the state that was reported before, and whether a report is due.
      const cases = [
        ["HEAD", "queued", null, false],
        ["HEAD", "building", null, false],
        [sha, "queued", null, true],
        [sha, "checking", "pending", false],
        [sha, "finished", "pending", true],
        [sha, "failed", null, true],
        ["HEAD", "cancelled", null, true],
        [sha.slice(0, 7), "building", null, false],
        [`${sha}${sha}`.slice(0, 64), "switching", null, true]
      ] as const
      for (const [n, [commit, status, reported]] of cases.entries()) {
        yield* plant(n, commit, status)
        yield* store.insert(newReport(n, { reported, dueAt: moment(n) }))
      }
      const orphan = newReport(404, { dueAt: moment(90) })
      yield* store.insert(orphan)
      const expected = [
        ...cases.flatMap(([, , reported, isDue], n) => (isDue ? [newReport(n, { reported, dueAt: moment(n) })] : [])),
        orphan
      ]
      const taken: Array<PendingReport | undefined> = []
      for (const worker of expected.keys()) taken.push(yield* store.claim(tenSecondLease(String(worker), 100)))
      assert.deepStrictEqual(taken, expected)
      assert.isUndefined(yield* store.claim(tenSecondLease("last", 109)))
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("last", 110)), expected[0])
    }),
    "assign no report before it is due": Effect.gen(function* () {
      const store = yield* PendingReportStore
      yield* plant(1, sha, "queued")
      yield* store.insert(newReport(1, { dueAt: moment(50) }))
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 49)))
      assert.strictEqual((yield* store.claim(tenSecondLease("a", 50)))?.uuid, newReport(1).uuid)
    }),
    "reassign a released report immediately, and all reports after all leases are released": Effect.gen(function* () {
      const store = yield* PendingReportStore
      yield* plant(1, sha, "queued")
      const { uuid } = newReport(1)
      yield* store.insert(newReport(1))
      yield* store.claim(tenSecondLease("a", 10))
      yield* store.giveBack(uuid, "b")
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 10)))
      yield* store.giveBack(uuid, "a")
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 10)))?.uuid, uuid)
      yield* store.endLeases
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 10)))?.uuid, uuid)
    }),
    "let only the worker that claimed a report save or remove it": Effect.gen(function* () {
      const store = yield* PendingReportStore
      yield* plant(1, sha, "queued")
      yield* store.insert(newReport(1))
      const taken = (yield* store.claim(tenSecondLease("a", 10))) ?? assert.fail("it waits")
      const tried = { ...taken, attempts: 3, dueAt: moment(20) }
      assert.isFalse(yield* store.save(tried, "b"))
      assert.isFalse(yield* store.remove(taken.uuid, "b"))
      assert.isTrue(yield* store.save(tried, "a"))
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 19)))
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("b", 20)), tried)
      assert.isTrue(yield* store.remove(taken.uuid, "b"))
      assert.isUndefined(yield* store.claim(tenSecondLease("c", 100)))
    })
  }
}
