import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { type Application, ApplicationStore, DeploymentStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { moment, newApplication, newDeployment, uuidOf } from "../../../builders.ts"
import { plantPlace } from "../../../world.ts"
import { releaseOf, servingOf, twoApplications } from "../../base/support.ts"

/** Contract tests of the store of releases. Every implementation must pass them. */
export const releases: Contract<Stores> = {
  port: "ReleaseStore",
  musts: {
    "keep the first release of a deployment, and no second one": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ReleaseStore
      const release = releaseOf(1, mine)
      yield* store.insert(release)
      yield* store.insert({ ...releaseOf(2, mine), deploymentUuid: release.deploymentUuid })
      assert.strictEqual((yield* store.ofDeployment(release.deploymentUuid))?.uuid, release.uuid)
      const stored = (yield* store.find(release.uuid)) ?? assert.fail("it is gone")
      assert.deepStrictEqual([stored.imageId, stored.variables], [release.imageId, release.variables])
      assert.isUndefined(yield* store.find(releaseOf(2, mine).uuid))
    }),
    "list only the releases of the given application, newest first": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ReleaseStore
      for (const [n, owner] of [
        [1, mine],
        [2, other],
        [3, mine],
        [4, mine]
      ] as const) {
        yield* store.insert(releaseOf(n, owner))
      }
      assert.deepStrictEqual(
        (yield* store.ofApplication(mine.uuid, 2)).map(({ imageId }) => imageId),
        ["sha256:4", "sha256:3"]
      )
    }),
    "return the release that serves an application, and nothing after it stops serving": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ReleaseStore
      for (const n of [1, 2]) {
        const serving = servingOf(n, mine)
        yield* store.serve(mine.uuid, serving)
        assert.deepStrictEqual(yield* store.serving(mine.uuid), { ...serving, degraded: null, unhealthy: null })
      }
      assert.isUndefined(yield* store.serving(other.uuid))
      yield* store.serve(mine.uuid, null)
      assert.isUndefined(yield* store.serving(mine.uuid))
    }),
    "return which of the given deployments have a stored release": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ReleaseStore
      const [first, other] = [releaseOf(1, mine), releaseOf(2, mine)].map(({ deploymentUuid }) => deploymentUuid)
      if (first === undefined || other === undefined) return assert.fail("there are two")
      yield* store.insert(releaseOf(1, mine))
      assert.deepStrictEqual([...(yield* store.keptOf([other, first]))], [first])
      assert.strictEqual((yield* store.keptOf([])).size, 0)
    }),
    "list only the serving releases of the given server": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const elsewhere = yield* plantPlace(2)
      const third = yield* (yield* ApplicationStore).insert(newApplication(3, elsewhere.placement))
      const store = yield* ReleaseStore
      for (const [n, each] of [
        [1, other],
        [2, mine],
        [3, third]
      ] as const) {
        yield* store.serve(each.uuid, servingOf(n, each))
      }
      const onServer = (server: Application["placement"]["serverUuid"]) =>
        Effect.map(store.servingOn(server), (rows) => rows.map(({ applicationUuid }) => applicationUuid))
      assert.deepStrictEqual(yield* onServer(mine.placement.serverUuid), [mine.uuid, other.uuid])
      assert.deepStrictEqual(yield* onServer(third.placement.serverUuid), [third.uuid])
      yield* store.serve(mine.uuid, null)
      assert.deepStrictEqual(yield* onServer(mine.placement.serverUuid), [other.uuid])
      // During a move, the application still serves at the old placement.
      yield* (yield* ApplicationStore).replace({ ...other, placement: elsewhere.placement })
      assert.deepStrictEqual(yield* onServer(mine.placement.serverUuid), [other.uuid])
      assert.deepStrictEqual(yield* onServer(third.placement.serverUuid), [third.uuid])
    }),
    "return the serving releases of several applications in one call": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ReleaseStore
      yield* store.serve(mine.uuid, servingOf(1, mine))
      yield* store.serve(other.uuid, servingOf(2, other))
      const nobody = uuidOf<typeof mine.uuid>("application", 404)
      const both = yield* store.servingOf([other.uuid, nobody, mine.uuid])
      assert.deepStrictEqual(
        new Map(both.map((each) => [each.applicationUuid, each])),
        new Map([
          [mine.uuid, { ...servingOf(1, mine), degraded: null, unhealthy: null }],
          [other.uuid, { ...servingOf(2, other), degraded: null, unhealthy: null }]
        ])
      )
      assert.deepStrictEqual(yield* store.servingOf([mine.uuid]), [
        { ...servingOf(1, mine), degraded: null, unhealthy: null }
      ])
      assert.deepStrictEqual(yield* store.servingOf([]), [])
    }),
    "keep the reason why a serving release could not be restored, until it is restored or replaced": Effect.gen(
      function* () {
        const [mine, other] = yield* twoApplications
        const store = yield* ReleaseStore
        yield* store.serve(mine.uuid, servingOf(1, mine))
        yield* store.serve(other.uuid, servingOf(2, other))
        const reasons = Effect.forEach([mine, other], ({ uuid }) =>
          Effect.map(store.serving(uuid), (serving) => serving?.degraded)
        )
        yield* store.degrade(servingOf(1, mine), "port 80 is taken")
        assert.deepStrictEqual(yield* reasons, ["port 80 is taken", null])
        yield* store.degrade(servingOf(1, mine), null)
        assert.deepStrictEqual(yield* reasons, [null, null])
        yield* store.degrade(servingOf(1, mine), "port 80 is taken")
        yield* store.serve(mine.uuid, servingOf(3, mine))
        assert.deepStrictEqual(yield* reasons, [null, null])
        // A late reason doesn't apply to the release that serves now.
        yield* store.degrade(servingOf(1, mine), "port 80 is taken")
        assert.deepStrictEqual(yield* reasons, [null, null])
      }
    ),
    "keep why a serving release is unhealthy, until it is healthy or replaced": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ReleaseStore
      yield* store.serve(mine.uuid, servingOf(1, mine))
      yield* store.serve(other.uuid, servingOf(2, other))
      const problems = Effect.forEach([mine, other], ({ uuid }) =>
        Effect.map(store.serving(uuid), (serving) => [serving?.degraded, serving?.unhealthy])
      )
      const none = [null, null]
      yield* store.setUnhealthy(servingOf(1, mine), "web is unhealthy: no answer")
      assert.deepStrictEqual(yield* problems, [[null, "web is unhealthy: no answer"], none])
      yield* store.degrade(servingOf(1, mine), "port 80 is taken")
      yield* store.setUnhealthy(servingOf(1, mine), null)
      assert.deepStrictEqual(yield* problems, [["port 80 is taken", null], none])
      yield* store.setUnhealthy(servingOf(1, mine), "web is unhealthy")
      yield* store.serve(mine.uuid, servingOf(3, mine))
      assert.deepStrictEqual(yield* problems, [none, none])
      // A late reason doesn't apply to the release that serves now.
      yield* store.setUnhealthy(servingOf(1, mine), "web is unhealthy")
      assert.deepStrictEqual(yield* problems, [none, none])
    }),
    "delete the oldest releases of an application, except for the serving one": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ReleaseStore
      yield* store.insert(releaseOf(9, other))
      for (const n of [1, 2, 3, 4, 5]) yield* store.insert(releaseOf(n, mine))
      yield* store.serve(mine.uuid, servingOf(2, mine))
      yield* store.prune(mine.uuid, 2)
      assert.deepStrictEqual(
        (yield* store.ofApplication(mine.uuid, 9)).map(({ imageId }) => imageId),
        ["sha256:5", "sha256:4", "sha256:2"]
      )
      assert.strictEqual((yield* store.ofApplication(other.uuid, 9)).length, 1)
    }),
    "delete failed releases before successful ones, and keep those that a deployment will run again": Effect.gen(
      function* () {
        const [mine] = yield* twoApplications
        const { destinationUuid, serverUuid } = mine.placement
        const target = { applicationUuid: mine.uuid, destinationUuid, serverUuid }
        const store = yield* ReleaseStore
        const deployments = yield* DeploymentStore
        for (const n of [1, 2, 3, 4, 5]) {
          const { deploymentUuid, ...release } = releaseOf(n, mine)
          const status = n === 3 ? "failed" : n === 4 ? "cancelled" : "finished"
          yield* deployments.insert(newDeployment(n, target, { uuid: deploymentUuid, status }))
          yield* store.insert({ ...release, deploymentUuid })
        }
        const waiting = yield* deployments.insert(newDeployment(6, target, { releaseUuid: releaseOf(1, mine).uuid }))
        const present = Effect.map(store.ofApplication(mine.uuid, 9), (rows) => rows.map(({ imageId }) => imageId))
        yield* store.prune(mine.uuid, 2)
        assert.deepStrictEqual(yield* present, ["sha256:5", "sha256:2", "sha256:1"])
        yield* deployments.requestCancel(waiting.uuid, moment(9))
        yield* store.prune(mine.uuid, 2)
        assert.deepStrictEqual(yield* present, ["sha256:5", "sha256:2"])
      }
    ),
    "remove the releases of a removed application": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ReleaseStore
      const release = releaseOf(1, mine)
      yield* store.insert(release)
      yield* (yield* ApplicationStore).remove(mine.uuid)
      assert.isUndefined(yield* store.find(release.uuid))
      assert.isUndefined(yield* store.insert(releaseOf(2, mine)))
    })
  }
}
