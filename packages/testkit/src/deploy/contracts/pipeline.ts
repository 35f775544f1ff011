import { assert } from "@effect/vitest"
import type { Sealed } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  DeletionStore,
  DeploymentStore,
  type DeploymentUuid,
  type Release,
  ReleaseStore,
  type ReleaseUuid,
  ServerStore,
  type Serving,
  type Stores,
  type Variable,
  VariableStore,
  type VariableUuid
} from "@slipway/domain/deploy"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import {
  configurationOf,
  moment,
  newApplication,
  newDeletion,
  newDeployment,
  newServer,
  targetOf
} from "../builders.ts"
import { plantPlace } from "../world.ts"

const one = targetOf(1)
const two = targetOf(2)
const turn = (worker: string, at: number) => ({ worker, at: moment(at), until: moment(at + 10) })
const uuidsOf = (rows: ReadonlyArray<{ readonly uuid: string } | undefined>) => rows.map((row) => row?.uuid)

/** What the store of deployments promises to those who work on them. */
export const deploymentClaims: Contract<Stores> = {
  port: "DeploymentStore",
  musts: {
    "give each deployment to one worker, until its lease ends": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const { uuid } = yield* store.insert(newDeployment(1, one))
      const ten = Array.from({ length: 10 }, (_, n) => store.claim(turn(`worker ${n}`, 100)))
      const taken = (yield* Effect.all(ten, { concurrency: "unbounded" })).filter((row) => row !== undefined)
      assert.deepStrictEqual(uuidsOf(taken), [uuid])
      const { claimedBy, leaseUntil, startedAt, status } = taken[0] ?? assert.fail("nobody has it")
      assert.deepStrictEqual([status, startedAt, leaseUntil], ["preparing", moment(100), moment(110)])
      assert.isUndefined(yield* store.claim(turn("late", 109)))
      const renewed = yield* store.renew(uuid, turn(claimedBy ?? "", 105))
      assert.strictEqual(renewed?.leaseUntil, moment(115))
      assert.isUndefined(yield* store.claim(turn("late", 110)))
      const again = yield* store.claim(turn("late", 115))
      assert.deepStrictEqual([again?.claimedBy, again?.startedAt], ["late", moment(100)])
      assert.isUndefined(yield* store.renew(uuid, turn(claimedBy ?? "", 116)))
    }),
    "cancel what a newer deployment of the application supersedes": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const old = yield* store.insert(newDeployment(1, one))
      const fresh = yield* store.insert(newDeployment(2, one))
      assert.strictEqual((yield* store.claim(turn("a", 100)))?.uuid, fresh.uuid)
      const { finishedAt, reason, status } = (yield* store.find(old.uuid)) ?? assert.fail("it is gone")
      assert.deepStrictEqual([status, reason, finishedAt], ["cancelled", "superseded", moment(100)])
    }),
    "give out one deployment of an application at a time, and no more of a server than it may build": Effect.gen(
      function* () {
        const server = yield* (yield* ServerStore).insert(newServer(1, { concurrentBuilds: 2 }))
        const store = yield* DeploymentStore
        const on = (n: number) => ({ ...targetOf(n), serverUuid: server.uuid })
        const first = yield* store.insert(newDeployment(1, on(1)))
        assert.strictEqual((yield* store.claim(turn("a", 100)))?.uuid, first.uuid)
        const next = yield* store.insert(newDeployment(2, on(1)))
        assert.isUndefined(yield* store.claim(turn("a", 100)))
        const second = yield* store.insert(newDeployment(3, on(2)))
        yield* store.insert(newDeployment(4, on(3)))
        assert.strictEqual((yield* store.claim(turn("a", 100)))?.uuid, second.uuid)
        assert.isUndefined(yield* store.claim(turn("a", 100)))
        const present = (yield* store.find(first.uuid)) ?? assert.fail("it is gone")
        assert.isTrue(yield* store.save({ ...present, status: "failed" }, "a"))
        assert.strictEqual((yield* store.claim(turn("a", 101)))?.uuid, next.uuid)
      }
    ),
    "keep what a worker says while the deployment is its own": Effect.gen(function* () {
      const store = yield* DeploymentStore
      yield* store.insert(newDeployment(1, one))
      const taken = (yield* store.claim(turn("a", 100))) ?? assert.fail("it waits")
      const over = { status: "failed", reason: "it broke", imageId: "sha256:1", finishedAt: moment(101) } as const
      assert.isFalse(yield* store.save({ ...taken, ...over }, "b"))
      assert.deepStrictEqual(yield* store.find(taken.uuid), taken)
      assert.isTrue(yield* store.save({ ...taken, ...over }, "a"))
      assert.deepStrictEqual(yield* store.find(taken.uuid), { ...taken, ...over })
    }),
    "tell whether deployments on a server have come to nothing since a moment": Effect.gen(function* () {
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
    "cancel at once what waits, and ask for the end of what runs": Effect.gen(function* () {
      const store = yield* DeploymentStore
      const { uuid } = yield* store.insert(newDeployment(1, one))
      yield* store.claim(turn("a", 100))
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

/** What the store of deletions promises. */
export const deletionClaims: Contract<Stores> = {
  port: "DeletionStore",
  musts: {
    "give each deletion to one worker once no deployment of its application runs": Effect.gen(function* () {
      const store = yield* DeletionStore
      const deployments = yield* DeploymentStore
      yield* deployments.insert(newDeployment(1, one))
      const { uuid } = yield* store.insert(newDeletion(1, one))
      const running = (yield* deployments.claim(turn("a", 100))) ?? assert.fail("it waits")
      assert.isUndefined(yield* store.claim(turn("a", 100)))
      yield* deployments.save({ ...running, status: "failed" }, "a")
      const taken = (yield* store.claim(turn("a", 100))) ?? assert.fail("it waits")
      assert.deepStrictEqual([taken.uuid, taken.status, taken.attempts], [uuid, "running", 1])
      assert.isUndefined(yield* store.claim(turn("b", 109)))
      const putOff = { ...taken, status: "queued", reason: "away", leaseUntil: moment(120) } as const
      assert.isFalse(yield* store.save(putOff, "b"))
      assert.isTrue(yield* store.save(putOff, "a"))
      assert.isUndefined(yield* store.claim(turn("b", 119)))
      const again = (yield* store.claim(turn("b", 120))) ?? assert.fail("it waits")
      assert.strictEqual(again.attempts, 2)
      const done = { ...again, status: "finished", removed: ["one"], left: ["two"], leaseUntil: null } as const
      assert.isTrue(yield* store.save(done, "b"))
      assert.deepStrictEqual(yield* store.find(uuid), done)
      assert.isUndefined(yield* store.claim(turn("b", 200)))
    }),
    "keep a deletion back while its application serves on the server": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const elsewhere = yield* plantPlace(2)
      const store = yield* DeletionStore
      const releases = yield* ReleaseStore
      const { destinationUuid, serverUuid } = mine.placement
      const target = { applicationUuid: mine.uuid, destinationUuid, serverUuid }
      const { uuid } = yield* store.insert(newDeletion(1, target))
      yield* releases.serve(mine.uuid, servingOf(1, mine))
      assert.isUndefined(yield* store.claim(turn("a", 100)))
      yield* releases.serve(mine.uuid, servingOf(1, { ...mine, placement: elsewhere.placement }))
      assert.strictEqual((yield* store.claim(turn("a", 100)))?.uuid, uuid)
    }),
    "list the deletions of one application alone, oldest first": Effect.gen(function* () {
      const store = yield* DeletionStore
      const rows = yield* Effect.forEach([3, 2, 1], (n) => store.insert(newDeletion(n, n === 2 ? two : one)))
      assert.deepStrictEqual(
        yield* store.ofApplication(one.applicationUuid),
        rows.filter(({ applicationUuid }) => applicationUuid === one.applicationUuid)
      )
    })
  }
}

const twoApplications = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const store = yield* ApplicationStore
  return [yield* store.insert(newApplication(1, placement)), yield* store.insert(newApplication(2, placement))] as const
})

const releaseOf = (n: number, { uuid }: Application): Release => ({
  uuid: `release${String(n).padStart(17, "0")}` as ReleaseUuid,
  applicationUuid: uuid,
  deploymentUuid: `deployment${String(n).padStart(14, "0")}` as DeploymentUuid,
  commit: "0a1b2c3",
  commitMessage: n === 1 ? null : "Say hello",
  imageId: `sha256:${n}`,
  imagePort: n === 1 ? null : 8080,
  configuration: configurationOf({ name: "released" }),
  generatedDomain: null,
  secrets: { http_basic_auth_password: "sealed" as Sealed },
  compose: n === 1 ? null : ("sealed" as Sealed),
  variables: [
    { uuid: "variable0000000000000001" as VariableUuid, key: "A", value: "sealed" as Sealed, isLiteral: n === 1 }
  ],
  createdAt: moment(n)
})

const servingOf = (n: number, { placement, uuid }: Application): Serving => ({
  applicationUuid: uuid,
  releaseUuid: `release${String(n).padStart(17, "0")}` as ReleaseUuid,
  deploymentUuid: `deployment${String(n).padStart(14, "0")}` as DeploymentUuid,
  serverUuid: placement.serverUuid,
  destinationUuid: placement.destinationUuid
})

/** What the store of releases promises. */
export const releases: Contract<Stores> = {
  port: "ReleaseStore",
  musts: {
    "keep one release of a deployment, the first": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ReleaseStore
      const release = releaseOf(1, mine)
      yield* store.insert(release)
      yield* store.insert({ ...releaseOf(2, mine), deploymentUuid: release.deploymentUuid })
      assert.strictEqual((yield* store.ofDeployment(release.deploymentUuid))?.uuid, release.uuid)
      const kept = (yield* store.find(release.uuid)) ?? assert.fail("it is gone")
      assert.deepStrictEqual([kept.imageId, kept.variables], [release.imageId, release.variables])
      assert.isUndefined(yield* store.find(releaseOf(2, mine).uuid))
    }),
    "list the releases of an application alone, newest first": Effect.gen(function* () {
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
    "say what serves an application, and what doesn't any more": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ReleaseStore
      for (const n of [1, 2]) {
        const serving = servingOf(n, mine)
        yield* store.serve(mine.uuid, serving)
        assert.deepStrictEqual(yield* store.serving(mine.uuid), serving)
      }
      assert.isUndefined(yield* store.serving(other.uuid))
      yield* store.serve(mine.uuid, null)
      assert.isUndefined(yield* store.serving(mine.uuid))
    }),
    "list what serves on a server alone": Effect.gen(function* () {
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
      // One that moves serves where it was.
      yield* (yield* ApplicationStore).replace({ ...other, placement: elsewhere.placement })
      assert.deepStrictEqual(yield* onServer(mine.placement.serverUuid), [other.uuid])
      assert.deepStrictEqual(yield* onServer(third.placement.serverUuid), [third.uuid])
    }),
    "forget the oldest releases of an application, but not the one that serves": Effect.gen(function* () {
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
    "forget releases that came to nothing before those that served, and keep those that a deployment is to run again":
      Effect.gen(function* () {
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
      }),
    "forget the releases of an application that is removed": Effect.gen(function* () {
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

const variableOf = (n: number, { uuid }: Application, facts: Partial<Variable> = {}): Omit<Variable, "id"> => ({
  uuid: `variable${String(n).padStart(16, "0")}` as VariableUuid,
  applicationUuid: uuid,
  key: `KEY_${n}`,
  value: "sealed" as Sealed,
  isLiteral: false,
  isMultiline: true,
  isShownOnce: false,
  isPreview: false,
  createdAt: moment(n),
  updatedAt: moment(n),
  ...facts
})

/** What the store of variables promises. */
export const variables: Contract<Stores> = {
  port: "VariableStore",
  musts: {
    "list the variables of one application alone, in the order of their insertion": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* VariableStore
      const b = yield* store.insert(variableOf(1, mine, { key: "B" }))
      yield* store.insert(variableOf(2, other))
      const a = yield* store.insert(variableOf(3, mine, { key: "A" }))
      assert.deepStrictEqual(
        yield* store.ofApplication(mine.uuid),
        [b, a].flatMap((row) => row ?? [])
      )
    }),
    "keep one variable of a key, for previews apart": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* VariableStore
      const first = yield* store.insert(variableOf(1, mine, { key: "A" }))
      assert.isUndefined(yield* store.insert(variableOf(2, mine, { key: "A" })))
      assert.isDefined(yield* store.insert(variableOf(3, mine, { key: "a" })))
      assert.isDefined(yield* store.insert(variableOf(4, mine, { key: "A", isPreview: true })))
      const changed = { ...(first ?? assert.fail()), value: "again" as Sealed, isLiteral: true, updatedAt: moment(9) }
      yield* store.replace(changed)
      assert.deepStrictEqual((yield* store.ofApplication(mine.uuid))[0], changed)
    }),
    "remove a variable of its application alone": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* VariableStore
      const { uuid } = (yield* store.insert(variableOf(1, mine))) ?? assert.fail()
      assert.isFalse(yield* store.remove(other.uuid, uuid))
      assert.isTrue(yield* store.remove(mine.uuid, uuid))
      assert.isFalse(yield* store.remove(mine.uuid, uuid))
    }),
    "forget the variables of an application that is removed": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* VariableStore
      yield* store.insert(variableOf(1, mine))
      yield* (yield* ApplicationStore).remove(mine.uuid)
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), [])
      assert.isUndefined(yield* store.insert(variableOf(2, mine)))
    })
  }
}
