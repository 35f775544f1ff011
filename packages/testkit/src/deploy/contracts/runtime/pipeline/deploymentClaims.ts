import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { DeploymentStore } from "@slipway/domain/deploy/apps"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { moment, newDeployment, newServer, targetOf } from "../../../builders.ts"
import { tenSecondLease } from "../../base/support.ts"

const one = targetOf(1)
const two = targetOf(2)
const uuidsOf = (rows: ReadonlyArray<{ readonly uuid: string } | undefined>) => rows.map((row) => row?.uuid)

/** Contract tests of the store of deployments: workers claim deployments with a lease. */
export const deploymentClaims: Contract<Stores> = {
  port: "DeploymentStore",
  musts: {
    "assign each deployment to one worker until its lease expires": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const { uuid } = yield* store.insert(newDeployment(1, one))
      const ten = Array.from({ length: 10 }, (_, n) => store.claim(tenSecondLease(`worker ${n}`, 100)))
      const taken = (yield* Effect.all(ten, { concurrency: "unbounded" })).filter((row) => row !== undefined)
      assert.deepStrictEqual(uuidsOf(taken), [uuid])
      const { claimedBy, leaseUntil, startedAt, status } = taken[0] ?? assert.fail("the deployment is unclaimed")
      assert.deepStrictEqual([status, startedAt, leaseUntil], ["preparing", moment(100), moment(110)])
      assert.isUndefined(yield* store.claim(tenSecondLease("late", 109)))
      const renewed = yield* store.renew(uuid, tenSecondLease(claimedBy ?? "", 105))
      assert.strictEqual(renewed?.leaseUntil, moment(115))
      assert.isUndefined(yield* store.claim(tenSecondLease("late", 110)))
      const again = yield* store.claim(tenSecondLease("late", 115))
      assert.deepStrictEqual([again?.claimedBy, again?.startedAt], ["late", moment(100)])
      assert.isUndefined(yield* store.renew(uuid, tenSecondLease(claimedBy ?? "", 116)))
    }),
    "reassign released work immediately, and all work after all leases are released": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const over = yield* store.insert(newDeployment(1, two, { status: "finished", leaseUntil: moment(110) }))
      const { uuid } = yield* store.insert(newDeployment(2, one))
      yield* store.claim(tenSecondLease("a", 100))
      yield* store.giveBack(uuid, "b")
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 100)))
      yield* store.giveBack(uuid, "a")
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 100)))?.uuid, uuid)
      yield* store.endLeases
      assert.strictEqual((yield* store.find(over.uuid))?.leaseUntil, moment(110))
      const taken = yield* store.claim(tenSecondLease("c", 100))
      assert.deepStrictEqual([taken?.uuid, taken?.claimedBy, taken?.status], [uuid, "c", "preparing"])
      assert.isUndefined(yield* store.renew(uuid, tenSecondLease("b", 101)))
    }),
    "assign no deployment that waits for an approval, and cancel it at the end of that time": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const until = { approvalUntil: moment(200) }
      const before = yield* store.insert(newDeployment(1, one))
      const waiting = yield* store.insert(newDeployment(2, one, until))
      const approved = yield* store.insert(newDeployment(3, two, until))
      // A waiting deployment supersedes nothing.
      assert.strictEqual((yield* store.claim(tenSecondLease("a", 100)))?.uuid, before.uuid)
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 100)))
      yield* store.replace({ ...approved, approvalUntil: null })
      assert.strictEqual((yield* store.claim(tenSecondLease("a", 101)))?.uuid, approved.uuid)
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 102)))
      yield* store.save({ ...before, status: "finished", finishedAt: moment(103) }, "a")
      yield* store.save({ ...approved, status: "finished", finishedAt: moment(103) }, "a")
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 199)))
      assert.strictEqual((yield* store.find(waiting.uuid))?.status, "queued")
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 200)))
      const { finishedAt, reason, status } = (yield* store.find(waiting.uuid)) ?? assert.fail("it is gone")
      assert.deepStrictEqual(
        [status, reason, finishedAt],
        ["cancelled", "it was not approved within 7 days", moment(200)]
      )
      // A newer deployment supersedes a waiting one.
      const older = yield* store.insert(newDeployment(4, one, { approvalUntil: moment(900) }))
      const newer = yield* store.insert(newDeployment(5, one))
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 201)))?.uuid, newer.uuid)
      assert.strictEqual((yield* store.find(older.uuid))?.reason, "superseded")
    }),
    "find the deployment of an application that waits for an approval": Effect.gen(function* () {
      const store = yield* DeploymentStore
      yield* store.insert(newDeployment(1, one))
      assert.isUndefined(yield* store.awaitingApproval(one.applicationUuid))
      const waiting = yield* store.insert(newDeployment(2, one, { approvalUntil: moment(200) }))
      yield* store.insert(newDeployment(3, two, { approvalUntil: moment(200) }))
      yield* store.insert(newDeployment(4, one))
      assert.deepStrictEqual(yield* store.awaitingApproval(one.applicationUuid), waiting)
      yield* store.replace({ ...waiting, status: "cancelled" })
      assert.isUndefined(yield* store.awaitingApproval(one.applicationUuid))
    }),
    "list the deployments that still wait for an approval after the end of that time": Effect.gen(function* () {
      const store = yield* DeploymentStore
      yield* store.insert(newDeployment(1, one))
      const first = yield* store.insert(newDeployment(2, two, { approvalUntil: moment(200) }))
      const second = yield* store.insert(newDeployment(3, one, { approvalUntil: moment(199) }))
      yield* store.insert(newDeployment(4, one, { approvalUntil: moment(100), status: "cancelled" }))
      assert.deepStrictEqual(yield* store.expiredApprovals(moment(198)), [])
      assert.deepStrictEqual(yield* store.expiredApprovals(moment(199)), [second])
      assert.deepStrictEqual(yield* store.expiredApprovals(moment(200)), [first, second])
    }),
    "cancel deployments that a newer deployment of the application supersedes": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const old = yield* store.insert(newDeployment(1, one))
      const fresh = yield* store.insert(newDeployment(2, one))
      assert.strictEqual((yield* store.claim(tenSecondLease("a", 100)))?.uuid, fresh.uuid)
      const { finishedAt, reason, status } = (yield* store.find(old.uuid)) ?? assert.fail("it is gone")
      assert.deepStrictEqual([status, reason, finishedAt], ["cancelled", "superseded", moment(100)])
    }),
    "assign one deployment of an application at a time, within the build limit of the server": Effect.gen(function* () {
      const server = yield* (yield* ServerStore).insert(newServer(1, { concurrentBuilds: 2 }))
      const store = yield* DeploymentStore
      const on = (n: number) => ({ ...targetOf(n), serverUuid: server.uuid })
      const first = yield* store.insert(newDeployment(1, on(1)))
      assert.strictEqual((yield* store.claim(tenSecondLease("a", 100)))?.uuid, first.uuid)
      const next = yield* store.insert(newDeployment(2, on(1)))
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 100)))
      const second = yield* store.insert(newDeployment(3, on(2)))
      yield* store.insert(newDeployment(4, on(3)))
      assert.strictEqual((yield* store.claim(tenSecondLease("a", 100)))?.uuid, second.uuid)
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 100)))
      const present = (yield* store.find(first.uuid)) ?? assert.fail("it is gone")
      assert.isTrue(yield* store.save({ ...present, status: "failed" }, "a"))
      assert.strictEqual((yield* store.claim(tenSecondLease("a", 101)))?.uuid, next.uuid)
    }),
    "store progress only from the worker that holds the lease": Effect.gen(function* () {
      const store = yield* DeploymentStore
      yield* store.insert(newDeployment(1, one))
      const taken = (yield* store.claim(tenSecondLease("a", 100))) ?? assert.fail("it waits")
      const over = { status: "failed", reason: "it broke", imageId: "sha256:1", finishedAt: moment(101) } as const
      assert.isFalse(yield* store.save({ ...taken, ...over }, "b"))
      assert.deepStrictEqual(yield* store.find(taken.uuid), taken)
      assert.isTrue(yield* store.save({ ...taken, ...over }, "a"))
      assert.deepStrictEqual(yield* store.find(taken.uuid), { ...taken, ...over })
    }),
    "report whether deployments on a server failed or were cancelled since a given time": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const ended = { startedAt: moment(90), finishedAt: moment(100) } as const
      const nothing = (target: typeof one) =>
        Effect.all([99, 100, 101].map((n) => store.cameToNothing(target.serverUuid, moment(n))))
      yield* store.insert(newDeployment(1, one, { ...ended, status: "finished" }))
      yield* store.insert(newDeployment(2, one, { ...ended, startedAt: null, status: "cancelled" }))
      yield* store.insert(newDeployment(3, one))
      assert.deepStrictEqual(yield* nothing(one), [false, false, false])
      yield* store.insert(newDeployment(4, one, { ...ended, status: "failed" }))
      yield* store.insert(newDeployment(5, two, { ...ended, status: "cancelled" }))
      assert.deepStrictEqual(yield* nothing(one), [true, true, false])
      assert.deepStrictEqual(yield* nothing(two), [true, true, false])
      assert.deepStrictEqual(yield* nothing(targetOf(3)), [false, false, false])
    }),
    "cancel a waiting deployment immediately, and request the end of a running one": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const { uuid } = yield* store.insert(newDeployment(1, one))
      yield* store.claim(tenSecondLease("a", 100))
      const waits = yield* store.insert(newDeployment(2, two))
      const ended = yield* store.insert(newDeployment(3, two, { status: "finished" }))
      for (const each of [uuid, waits.uuid, ended.uuid, uuid]) yield* store.requestCancel(each, moment(101))
      const facts = (yield* store.list({ limit: 9 })).map((row) => [row.status, row.cancelRequested])
      assert.deepStrictEqual(facts, [
        ["preparing", true],
        ["cancelled", true],
        ["finished", false]
      ])
    })
  }
}
