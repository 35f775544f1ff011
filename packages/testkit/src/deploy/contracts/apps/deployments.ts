import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { type DeploymentStatus, DeploymentStore } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { systemCaller, visibleTo } from "@slipway/domain/deploy/entry"
import { everything, ownerAccess, rootTeam, TeamStore } from "@slipway/domain/deploy/identity"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newDeployment, newServer, targetOf, uuidOf } from "../../builders.ts"
import { newTeam } from "../../people.ts"
import { tenSecondLease } from "../base/support.ts"

const one = targetOf(1)
const other = targetOf(2)

/** Contract tests of the store of deployments, in addition to the contract of every collection. */
export const deployments: Contract<Stores> = {
  port: "DeploymentStore",
  musts: {
    "list and count only the deployments of the given application, newest first": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const rows = yield* Effect.forEach([8, 7, 6, 5, 4, 3, 2, 1], (n) =>
        store.insert(newDeployment(n, n % 2 === 0 ? one : other, { createdAt: moment(0) }))
      )
      const mine = rows.filter((row) => row.applicationUuid === one.applicationUuid).reverse()
      assert.deepStrictEqual(yield* store.ofApplication(one.applicationUuid, { limit: 10 }), mine)
      assert.deepStrictEqual(yield* store.ofApplication(one.applicationUuid, { skip: 1, limit: 2 }), mine.slice(1, 3))
      assert.deepStrictEqual(
        yield* store.ofApplication(one.applicationUuid, { after: mine[0]?.id, limit: 2 }),
        mine.slice(1, 3)
      )
      assert.deepStrictEqual(
        yield* store.ofApplication(one.applicationUuid, { after: mine[0]?.id, skip: 2, limit: 9 }),
        mine.slice(3)
      )
      assert.strictEqual(yield* store.countOf(one.applicationUuid), 4)
      assert.strictEqual(yield* store.countOf(targetOf(404).applicationUuid), 0)
      assert.deepStrictEqual(yield* store.ofApplication(targetOf(404).applicationUuid, { limit: 10 }), [])
    }),
    "list and count only the deployments of a selection that a caller sees, newest first": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const { id: teamId } = yield* (yield* TeamStore).insert(newTeam(1))
      const { uuid: serverUuid } = yield* (yield* ServerStore).insert(newServer(7, { teamId }))
      const add = (n: number, status: DeploymentStatus, target = one) =>
        store.insert(newDeployment(n, target, { status }))
      const queued = yield* add(9, "queued")
      const failed = yield* add(8, "failed")
      yield* add(7, "finished")
      yield* add(6, "cancelled")
      const theirs = yield* add(5, "failed", { ...targetOf(7), serverUuid })
      const building = yield* add(4, "building", other)
      assert.deepStrictEqual(yield* store.selected("open", everything, { limit: 10 }), [building, queued])
      assert.deepStrictEqual(yield* store.selected("failed", everything, { limit: 10 }), [theirs, failed])
      assert.deepStrictEqual(yield* store.selected("failed", everything, { skip: 1, limit: 1 }), [failed])
      assert.deepStrictEqual(yield* store.selected("failed", everything, { after: theirs.id, limit: 9 }), [failed])
      assert.strictEqual(yield* store.countSelected("open", everything), 2)
      const owner = visibleTo({ ...systemCaller, access: ownerAccess(rootTeam) }, "deployment.read")
      assert.deepStrictEqual(yield* store.selected("failed", owner, { limit: 10 }), [failed])
      assert.strictEqual(yield* store.countSelected("failed", owner), 1)
    }),
    "count the applications that wait for a server, except for the given ones and for those that need an approval":
      Effect.gen(function* () {
        const store = yield* DeploymentStore
        const third = { ...targetOf(3), serverUuid: one.serverUuid }
        const { applicationUuid: mine, serverUuid: server } = one
        yield* store.insert(newDeployment(90, { ...targetOf(90), serverUuid: server }, { approvalUntil: moment(900) }))
        assert.strictEqual(yield* store.waitingFor(server, [mine]), 0)
        for (const [n, of] of [one, one, third, third, other].entries()) yield* store.insert(newDeployment(n, of))
        for (const [n, status] of (["building", "finished", "failed", "cancelled"] as const).entries()) {
          yield* store.insert(newDeployment(n + 5, { ...targetOf(4), serverUuid: server }, { status }))
        }
        assert.strictEqual(yield* store.waitingFor(server, [mine]), 1)
        assert.strictEqual(yield* store.waitingFor(server, [targetOf(4).applicationUuid]), 2)
        assert.strictEqual(yield* store.waitingFor(server, [mine, third.applicationUuid]), 0)
        assert.strictEqual(yield* store.waitingFor(other.serverUuid, [mine]), 1)
        assert.strictEqual(yield* store.waitingFor(other.serverUuid, [other.applicationUuid]), 0)
      }),
    "let only the worker with the lease return a held deployment to the queue until a given time": Effect.gen(
      function* () {
        const store = yield* DeploymentStore
        const { uuid } = yield* store.insert(newDeployment(1, one, { status: "queued" }))
        yield* store.claim(tenSecondLease("a", 10))
        const turn = (worker: string) => ({ worker, at: moment(12), until: moment(17) })
        assert.isFalse(yield* store.hold(uuid, "waiting", turn("b")))
        assert.isTrue(yield* store.hold(uuid, "waiting", turn("a")))
        const held = yield* store.find(uuid)
        assert.deepStrictEqual(
          [held?.status, held?.reason, held?.startedAt, held?.claimedBy, held?.updatedAt],
          ["queued", "waiting", null, null, moment(12)]
        )
        assert.isUndefined(yield* store.claim(tenSecondLease("b", 16)))
        const taken = yield* store.claim(tenSecondLease("b", 17))
        assert.deepStrictEqual([taken?.uuid, taken?.status, taken?.startedAt], [uuid, "preparing", moment(17)])
        yield* store.requestCancel(uuid, moment(18))
        assert.isFalse(yield* store.hold(uuid, "waiting", { ...turn("b"), at: moment(18) }))
        const other = yield* store.insert(newDeployment(2, targetOf(2), { status: "switching", claimedBy: "c" }))
        assert.isFalse(yield* store.hold(other.uuid, "waiting", turn("c")))
      }
    ),
    "list the active deployments of several servers in one call": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const building = yield* store.insert(newDeployment(1, one, { status: "building" }))
      for (const [n, status] of (["queued", "finished", "failed", "cancelled"] as const).entries()) {
        yield* store.insert(newDeployment(n + 2, one, { status }))
      }
      const switching = yield* store.insert(newDeployment(8, other, { status: "switching" }))
      const preparing = yield* store.insert(newDeployment(9, one, { status: "preparing" }))
      assert.deepStrictEqual(yield* store.activeOn([one.serverUuid]), [building, preparing])
      assert.deepStrictEqual(yield* store.activeOn([other.serverUuid, one.serverUuid]), [
        building,
        switching,
        preparing
      ])
      assert.deepStrictEqual(yield* store.activeOn([targetOf(404).serverUuid]), [])
      assert.deepStrictEqual(yield* store.activeOn([]), [])
    }),
    "return the statuses of several deployments in one call": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const building = yield* store.insert(newDeployment(1, one, { status: "building" }))
      const failed = yield* store.insert(newDeployment(2, other, { status: "failed" }))
      yield* store.insert(newDeployment(3, one))
      const missing = uuidOf<DeploymentUuid>("deployment", 404)
      assert.deepStrictEqual([...(yield* store.statusesOf([failed.uuid, missing, building.uuid]))].toSorted(), [
        [building.uuid, "building" as const],
        [failed.uuid, "failed" as const]
      ])
      assert.strictEqual((yield* store.statusesOf([])).size, 0)
    }),
    "cancel the waiting deployments of an application, and request the end of running ones": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const queued = yield* store.insert(newDeployment(1, one))
      const cancelled = yield* store.insert(newDeployment(2, one, { status: "cancelled" }))
      const others = yield* store.insert(newDeployment(3, other))
      const queuedToo = yield* store.insert(newDeployment(4, one))
      const building = yield* store.insert(newDeployment(5, one, { status: "building" }))
      const othersBuild = yield* store.insert(newDeployment(6, other, { status: "building" }))
      yield* store.cancelAll(one.applicationUuid, moment(50))
      const over = { status: "cancelled", reason: "the application was deleted", finishedAt: moment(50) } as const
      const now = { ...over, updatedAt: moment(50) }
      const expected = [
        { ...queued, ...now },
        cancelled,
        others,
        { ...queuedToo, ...now },
        { ...building, cancelRequested: true, updatedAt: moment(50) },
        othersBuild
      ]
      assert.deepStrictEqual(yield* store.list({ limit: 10 }), expected)
      yield* store.cancelAll(one.applicationUuid, moment(50))
      yield* store.cancelAll(targetOf(404).applicationUuid, moment(60))
      assert.deepStrictEqual(yield* store.list({ limit: 10 }), expected)
    })
  }
}
