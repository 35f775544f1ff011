import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { DeletionStore, DeploymentStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { moment, newDeletion, newDeployment, targetOf } from "../../../builders.ts"
import { plantPlace } from "../../../world.ts"

import { servingOf, tenSecondLease, twoApplications } from "../../base/support.ts"

const one = targetOf(1)
const two = targetOf(2)

/** Contract tests of the store of deletions: workers claim deletions with a lease. */
export const deletionClaims: Contract<Stores> = {
  port: "DeletionStore",
  musts: {
    "assign each deletion to one worker after every deployment of its application has ended": Effect.gen(function* () {
      const store = yield* DeletionStore
      const deployments = yield* DeploymentStore
      yield* deployments.insert(newDeployment(1, one))
      const { uuid } = yield* store.insert(newDeletion(1, one))
      const running = (yield* deployments.claim(tenSecondLease("a", 100))) ?? assert.fail("it waits")
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 100)))
      yield* deployments.save({ ...running, status: "failed" }, "a")
      const taken = (yield* store.claim(tenSecondLease("a", 100))) ?? assert.fail("it waits")
      assert.deepStrictEqual([taken.uuid, taken.status, taken.attempts], [uuid, "running", 1])
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 109)))
      const putOff = { ...taken, status: "queued", reason: "away", leaseUntil: moment(120) } as const
      assert.isFalse(yield* store.save(putOff, "b"))
      assert.isTrue(yield* store.save(putOff, "a"))
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 119)))
      const again = (yield* store.claim(tenSecondLease("b", 120))) ?? assert.fail("it waits")
      assert.strictEqual(again.attempts, 2)
      const done = { ...again, status: "finished", removed: ["one"], left: ["two"], leaseUntil: null } as const
      assert.isTrue(yield* store.save(done, "b"))
      assert.deepStrictEqual(yield* store.find(uuid), done)
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 200)))
    }),
    "assign only one deletion of an application at a time": Effect.gen(function* () {
      const store = yield* DeletionStore
      const [first, second] = [yield* store.insert(newDeletion(1, one)), yield* store.insert(newDeletion(2, one))]
      const other = yield* store.insert(newDeletion(3, two))
      const taken = (yield* store.claim(tenSecondLease("a", 100))) ?? assert.fail("it waits")
      assert.strictEqual(taken.uuid, first.uuid)
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 100)))?.uuid, other.uuid)
      assert.isUndefined(yield* store.claim(tenSecondLease("c", 100)))
      yield* store.save({ ...taken, status: "finished", leaseUntil: null }, "a")
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 100)))?.uuid, second.uuid)
    }),
    // Prevents that many deletions on an unreachable server take every slot, and no other deletion starts.
    "assign the deletion with the fewest attempts first": Effect.gen(function* () {
      const store = yield* DeletionStore
      const tried = yield* store.insert(newDeletion(1, one))
      const taken = (yield* store.claim(tenSecondLease("a", 100))) ?? assert.fail("it waits")
      yield* store.save({ ...taken, status: "queued", leaseUntil: null }, "a")
      const fresh = yield* store.insert(newDeletion(2, two))
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 100)))?.uuid, fresh.uuid)
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 100)))?.uuid, tried.uuid)
    }),
    "reassign released work immediately, and all work after all leases are released": Effect.gen(function* () {
      const store = yield* DeletionStore
      const { uuid } = yield* store.insert(newDeletion(1, one))
      yield* store.claim(tenSecondLease("a", 100))
      yield* store.giveBack(uuid, "b")
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 100)))
      yield* store.giveBack(uuid, "a")
      const taken = (yield* store.claim(tenSecondLease("b", 100))) ?? assert.fail("it waits")
      yield* store.endLeases
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 100)))?.uuid, uuid)
      assert.isFalse(yield* store.save({ ...taken, status: "finished" }, "b"))
    }),
    "hold a deletion back while the server still serves its application": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const elsewhere = yield* plantPlace(2)
      const store = yield* DeletionStore
      const releases = yield* ReleaseStore
      const { destinationUuid, serverUuid } = mine.placement
      const target = { applicationUuid: mine.uuid, destinationUuid, serverUuid }
      const { uuid } = yield* store.insert(newDeletion(1, target))
      yield* releases.serve(mine.uuid, servingOf(1, mine))
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 100)))
      yield* releases.serve(mine.uuid, servingOf(1, { ...mine, placement: elsewhere.placement }))
      assert.strictEqual((yield* store.claim(tenSecondLease("a", 100)))?.uuid, uuid)
    }),
    "list only the deletions of the given application, oldest first": Effect.gen(function* () {
      const store = yield* DeletionStore
      const rows = yield* Effect.forEach([3, 2, 1], (n) => store.insert(newDeletion(n, n === 2 ? two : one)))
      assert.deepStrictEqual(
        yield* store.ofApplication(one.applicationUuid),
        rows.filter(({ applicationUuid }) => applicationUuid === one.applicationUuid)
      )
    })
  }
}
