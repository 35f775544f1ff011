import { assert } from "@effect/vitest"
import type { New } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import {
  ApplicationStore,
  DeletionStore,
  type Deployment,
  DeploymentStore,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import { type Cleanup, CleanupStore, type CleanupUuid, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { moment, newApplication, newDeletion, newDeployment, targetOf, uuidOf } from "../../../builders.ts"
import { plantPlace } from "../../../world.ts"
import { releaseOf, servingOf, twoApplications } from "../../base/support.ts"

const before = moment(100)
const everything = { before, after: 0, limit: 1_000 }

const targetIn = ({ placement, uuid }: Effect.Success<typeof twoApplications>[number]) => ({
  applicationUuid: uuid,
  serverUuid: placement.serverUuid,
  destinationUuid: placement.destinationUuid
})

/** Records a cleanup of a server, which was successful by default. */
const cleaned = (n: number, serverUuid: Cleanup["serverUuid"], status: Cleanup["status"] = "success") =>
  Effect.flatMap(CleanupStore, (store) =>
    store.insert({
      uuid: `cleanup${String(n).padStart(17, "0")}` as CleanupUuid,
      serverUuid,
      status,
      message: null,
      createdAt: moment(n),
      updatedAt: moment(n),
      finishedAt: moment(n)
    })
  )

const ended = (n: number, facts: Partial<New<Deployment>> = {}) => ({
  status: "finished" as const,
  createdAt: moment(n),
  updatedAt: moment(n),
  startedAt: moment(n),
  finishedAt: moment(n),
  ...facts
})

const numbersLeft = Effect.map(
  Effect.flatMap(DeploymentStore, (store) => store.list({ limit: 1_000 })),
  (rows) => rows.map(({ uuid }) => Number(uuid.slice(-6)))
)

/** Contract tests of the store of deployments: the removal of old deployments. */
export const oldDeployments: Contract<Stores> = {
  port: "DeploymentStore",
  musts: {
    "delete the deployments that ended before a given time, with their log lines, in small batches": Effect.gen(
      function* () {
        const store = yield* DeploymentStore
        const logs = yield* DeploymentLogStore
        const gone = targetOf(1)
        const facts = [
          ended(10),
          ended(11, { status: "failed" }),
          ended(12, { status: "cancelled", finishedAt: null }),
          { status: "building" as const, createdAt: moment(13), updatedAt: moment(13) },
          { createdAt: moment(14), updatedAt: moment(14) },
          ended(100),
          ended(15)
        ]
        for (const [n, each] of facts.entries()) {
          const { uuid } = yield* store.insert(newDeployment(n, gone, each))
          yield* logs.append(uuid, [{ at: moment(n), stream: "stdout", text: `line of ${n}` }])
        }
        const [, second] = yield* store.list({ limit: 2 })
        assert.strictEqual(yield* store.forget({ before, after: 0, limit: 2 }), second?.id)
        assert.deepStrictEqual(yield* numbersLeft, [2, 3, 4, 5, 6])
        const rest = yield* store.list({ limit: 10 })
        assert.strictEqual(yield* store.forget({ before, after: second?.id ?? 0, limit: 10 }), rest.at(-1)?.id)
        assert.deepStrictEqual(yield* numbersLeft, [3, 4, 5])
        assert.isUndefined(yield* store.forget({ before, after: rest.at(-1)?.id ?? 0, limit: 10 }))
        assert.strictEqual(yield* store.count, 3)
        assert.strictEqual(yield* store.countOf(gone.applicationUuid), 3)
        const lines = yield* Effect.forEach([0, 1, 2, 3, 4, 5, 6], (n) => logs.page(uuidOf("deployment", n), 0, 10))
        assert.deepStrictEqual(
          lines.flat().map(({ text }) => text),
          ["line of 3", "line of 4", "line of 5"]
        )
      }
    ),
    "keep the newest, the serving and the restorable deployments of an existing application": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* DeploymentStore
      const releases = yield* ReleaseStore
      const target = targetIn(mine)
      yield* cleaned(200, target.serverUuid)
      for (const n of [1, 3, 5]) yield* releases.insert(releaseOf(n, mine))
      yield* releases.serve(mine.uuid, servingOf(4, mine))
      const releaseUuid = releaseOf(3, mine).uuid
      const facts: ReadonlyArray<Partial<New<Deployment>>> = [
        ended(0),
        // The release is kept, and so is that of a failed deployment.
        ended(1),
        ended(2, { action: "rollback", releaseUuid: releaseOf(404, mine).uuid }),
        ended(3, { status: "failed" }),
        // It serves requests, though it failed after its switch.
        ended(4, { status: "failed" }),
        ended(5),
        // It rolled back to a stored release.
        ended(6, { action: "rollback", releaseUuid }),
        ended(7, { action: "restart", releaseUuid }),
        // The later restarts refer to its release.
        ended(8),
        ended(9, { action: "restart" }),
        // The newest finished deployment, and the newest of all.
        ended(10, { action: "restart" }),
        ended(11, { status: "failed" }),
        ended(12, { status: "cancelled" })
      ]
      for (const [n, each] of facts.entries()) yield* store.insert(newDeployment(n, target, each))
      yield* store.insert(newDeployment(13, targetIn(other), ended(13, { status: "failed" })))
      yield* store.forget(everything)
      assert.deepStrictEqual(yield* numbersLeft, [1, 3, 4, 5, 6, 8, 10, 12, 13])
      yield* (yield* ApplicationStore).remove(mine.uuid)
      yield* store.forget(everything)
      assert.deepStrictEqual(yield* numbersLeft, [13])
    }),
    "keep deployments with possible leftovers on a server until it is cleaned up or removed": Effect.gen(function* () {
      const { server } = yield* plantPlace(7)
      const store = yield* DeploymentStore
      const target = { ...targetOf(1), serverUuid: server.uuid }
      yield* store.insert(newDeployment(1, target, ended(10)))
      yield* store.insert(newDeployment(2, target, ended(20)))
      // A deployment that never started has no leftovers on the server.
      yield* store.insert(newDeployment(3, target, ended(20, { status: "cancelled", startedAt: null })))
      yield* cleaned(10, server.uuid)
      yield* cleaned(30, server.uuid, "failed")
      yield* store.forget(everything)
      assert.deepStrictEqual(yield* numbersLeft, [1, 2])
      yield* cleaned(11, server.uuid)
      yield* store.forget(everything)
      assert.deepStrictEqual(yield* numbersLeft, [2])
      yield* (yield* ServerStore).remove(server.uuid)
      yield* store.forget(everything)
      assert.deepStrictEqual(yield* numbersLeft, [])
    })
  }
}

const deletionsLeft = Effect.map(
  Effect.flatMap(DeletionStore, (store) => store.list({ limit: 1_000 })),
  (rows) => rows.map(({ uuid }) => Number(uuid.slice(-6)))
)
const over = (n: number) => ({ status: "finished" as const, createdAt: moment(n), updatedAt: moment(n) })

/** Contract tests of the store of deletions: the removal of old deletions. */
export const oldDeletions: Contract<Stores> = {
  port: "DeletionStore",
  musts: {
    "delete the finished deletions of removed applications before a given time, in small batches": Effect.gen(
      function* () {
        const { placement } = yield* plantPlace(7)
        const application = yield* (yield* ApplicationStore).insert(newApplication(7, placement))
        const store = yield* DeletionStore
        const gone = targetOf(1)
        yield* store.insert(newDeletion(1, gone, over(10)))
        // A move of an existing application: its leftovers are removed with the application.
        yield* store.insert(newDeletion(2, { ...gone, applicationUuid: application.uuid }, over(10)))
        yield* store.insert(newDeletion(3, gone, over(11)))
        yield* store.insert(newDeletion(4, gone, { createdAt: moment(12), updatedAt: moment(12) }))
        yield* store.insert(newDeletion(5, gone, over(100)))
        yield* store.insert(newDeletion(6, gone, over(13)))
        const rows = yield* store.list({ limit: 10 })
        assert.strictEqual(yield* store.forget({ before, after: 0, limit: 2 }), rows[1]?.id)
        assert.deepStrictEqual(yield* deletionsLeft, [2, 3, 4, 5, 6])
        assert.strictEqual(yield* store.forget({ before, after: rows[1]?.id ?? 0, limit: 10 }), rows[5]?.id)
        assert.deepStrictEqual(yield* deletionsLeft, [2, 4, 5])
        assert.isUndefined(yield* store.forget({ before, after: rows[5]?.id ?? 0, limit: 10 }))
        assert.strictEqual(yield* store.count, 3)
      }
    ),
    "keep deletions as long as cleanups need them to know which images and networks to keep": Effect.gen(function* () {
      const { server } = yield* plantPlace(7)
      const store = yield* DeletionStore
      const deployments = yield* DeploymentStore
      const target = { ...targetOf(1), serverUuid: server.uuid }
      const { uuid } = yield* deployments.insert(newDeployment(1, targetOf(1), ended(10)))
      yield* store.insert(newDeletion(1, target, over(10)))
      yield* store.insert(newDeletion(2, { ...targetOf(2), serverUuid: server.uuid }, over(20)))
      yield* cleaned(15, server.uuid)
      yield* store.forget(everything)
      assert.deepStrictEqual(yield* deletionsLeft, [1, 2])
      yield* deployments.remove(uuid)
      yield* store.forget(everything)
      assert.deepStrictEqual(yield* deletionsLeft, [2])
      yield* cleaned(21, server.uuid)
      yield* store.forget(everything)
      assert.deepStrictEqual(yield* deletionsLeft, [])
    })
  }
}
