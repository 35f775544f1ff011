import { assert } from "@effect/vitest"
import type { New } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { EnvironmentStore } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { type Database, DatabaseStore } from "@slipway/domain/deploy/databases"
import { type ForgeAppUuid, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newDatabase, uuidOf } from "../../builders.ts"
import { plantPlace } from "../../world.ts"
import { tenSecondLease } from "../base/support.ts"

const runOf = (n: number) => uuidOf<DeploymentUuid>("deployment", n)

/** Returns the fields of a database with a pending request, such as a start. */
const asked = (n: number, action: Database["action"] = "start"): Partial<New<Database>> => ({
  action,
  state: "queued",
  runUuid: runOf(n)
})

/** Stores databases with one placement. Each has a pending request. */
const planted = Effect.fnUntraced(function* (...actions: ReadonlyArray<Database["action"]>) {
  const place = yield* plantPlace()
  const store = yield* DatabaseStore
  const rows = yield* Effect.forEach(actions, (action, n) =>
    Effect.orDie(store.insert(newDatabase(n + 1, place.placement, asked(n + 1, action))))
  )
  return { ...place, store, rows, uuids: rows.map(({ uuid }) => uuid) }
})

/** Contract tests of the store of databases. Every implementation must pass them. */
export const databases: Contract<Stores> = {
  port: "DatabaseStore",
  musts: {
    "return a database with the current name of its environment": Effect.gen(function* () {
      const { environment, placement } = yield* plantPlace()
      const store = yield* DatabaseStore
      const row = yield* store.insert(newDatabase(1, placement, asked(1)))
      yield* (yield* EnvironmentStore).replace({ ...environment, name: "renamed" })
      const moved = { ...row, placement: { ...placement, environmentName: "renamed" } }
      assert.deepStrictEqual(yield* store.find(row.uuid), moved)
      assert.deepStrictEqual(yield* store.list({ limit: 5 }), [moved])
      const taken = { ...moved, state: "working", claimedBy: "a", leaseUntil: moment(110) }
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("a", 100)), taken as Database)
    }),
    "return which database publishes a port of a server": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const elsewhere = yield* plantPlace(2)
      const store = yield* DatabaseStore
      const port = { isPublic: true, publicPort: 5_432 }
      yield* store.insert(newDatabase(1, placement, { ...port, isPublic: false }))
      yield* store.insert(newDatabase(2, elsewhere.placement, port))
      assert.isUndefined(yield* store.publishing(placement.serverUuid, 5_432))
      const mine = yield* store.insert(newDatabase(3, placement, port))
      assert.deepStrictEqual(yield* store.publishing(placement.serverUuid, 5_432), mine)
      assert.isUndefined(yield* store.publishing(placement.serverUuid, 5_433))
    }),
    "list the running databases with a certificate that expires before a time": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const store = yield* DatabaseStore
      const running = (n: number, certificateExpiresAt: string | null) =>
        Effect.orDie(store.insert(newDatabase(n, placement, { servingUuid: runOf(n), certificateExpiresAt })))
      yield* running(1, null)
      const second = yield* running(2, moment(99))
      yield* running(3, moment(100))
      const fourth = yield* running(4, moment(50))
      yield* Effect.orDie(store.insert(newDatabase(5, placement, { certificateExpiresAt: moment(50) })))
      assert.deepStrictEqual(yield* store.expiringBefore(moment(100)), [second, fourth])
      yield* store.replace({ ...fourth, ...asked(4, "restart") })
      yield* store.claim(tenSecondLease("a", 100))
      const saved = { state: "done", reason: null, servingUuid: runOf(4), updatedAt: moment(105) } as const
      const work = { uuid: fourth.uuid, run: runOf(4), worker: "a" }
      assert.isTrue(yield* store.save(work, { ...saved, certificateExpiresAt: moment(500) }))
      assert.deepStrictEqual(yield* store.expiringBefore(moment(100)), [second])
    }),
    "list only the databases that the manifest of a repository created": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const store = yield* DatabaseStore
      const link = { forgeAppUuid: uuidOf<ForgeAppUuid>("forgeApp", 1), owner: "acme", name: "site" }
      const declared = (n: number, facts: Partial<typeof link>, name: string) =>
        Effect.orDie(
          store.insert(newDatabase(n, placement, { declaredBy: { forgeLink: { ...link, ...facts }, name } }))
        )
      yield* Effect.orDie(store.insert(newDatabase(1, placement, {})))
      const first = yield* declared(2, {}, "db")
      yield* declared(3, { name: "other" }, "db")
      yield* declared(4, { owner: "emca" }, "db")
      yield* declared(5, { forgeAppUuid: uuidOf<ForgeAppUuid>("forgeApp", 2) }, "db")
      const second = yield* declared(6, {}, "cache")
      assert.deepStrictEqual(yield* store.declaredIn(link), [first, second])
      assert.deepStrictEqual(yield* store.declaredIn({ ...link, name: "missing" }), [])
    }),
    "list only the databases that are placed on the given server, in the order of insertion": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const elsewhere = yield* plantPlace(2)
      const store = yield* DatabaseStore
      const first = yield* store.insert(newDatabase(2, placement, { servingUuid: runOf(1) }))
      yield* store.insert(newDatabase(3, elsewhere.placement))
      const second = yield* store.insert(newDatabase(1, placement))
      assert.deepStrictEqual(yield* store.placedOn(placement.serverUuid), [first, second])
    }),
    "list only the databases on a server that are supposed to run": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const elsewhere = yield* plantPlace(2)
      const store = yield* DatabaseStore
      const first = yield* store.insert(newDatabase(1, placement, { servingUuid: runOf(1) }))
      yield* store.insert(newDatabase(2, placement, asked(2)))
      yield* store.insert(newDatabase(3, elsewhere.placement, { servingUuid: runOf(3) }))
      const second = yield* store.insert(newDatabase(4, placement, { ...asked(4, "repair"), servingUuid: runOf(5) }))
      assert.deepStrictEqual(yield* store.servingOn(placement.serverUuid), [first, second])
    }),
    "assign the request of a database to one worker until its lease expires": Effect.gen(function* () {
      const { rows, store, uuids } = yield* planted("start", "restart", null)
      const claims = yield* Effect.all(
        [1, 2, 3].map((n) => store.claim(tenSecondLease(`w${n}`, 100))),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(claims.map((each) => each?.uuid).toSorted(), [uuids[0], uuids[1], undefined])
      assert.deepStrictEqual(claims.map((each) => each?.state).toSorted(), ["working", "working", undefined])
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 109)))
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 110)))?.uuid, rows[0]?.uuid)
    }),
    "limit the concurrent starts on a server to its build limit, but do not limit stops": Effect.gen(function* () {
      const { server, store, uuids } = yield* planted("start", "start", "stop", "restart")
      const elsewhere = yield* plantPlace(2)
      const other = yield* store.insert(newDatabase(9, elsewhere.placement, asked(9)))
      yield* (yield* ServerStore).replace({ ...server, concurrentBuilds: 1 })
      const claimed = Effect.map(store.claim(tenSecondLease("a", 100)), (row) => row?.uuid)
      const [first, second, third, fourth] = uuids
      assert.deepStrictEqual(
        [yield* claimed, yield* claimed, yield* claimed, yield* claimed],
        [first, third, other.uuid, undefined]
      )
      const done = {
        state: "done",
        reason: null,
        certificateExpiresAt: null,
        servingUuid: runOf(1),
        updatedAt: moment(105)
      } as const
      const uuid = first ?? assert.fail("the database exists")
      assert.isTrue(yield* store.save({ uuid, run: runOf(1), worker: "a" }, done))
      assert.deepStrictEqual([yield* claimed, yield* claimed], [second, undefined])
      assert.isDefined(fourth)
    }),
    "reassign released work immediately, and all work after all leases are released": Effect.gen(function* () {
      const { store, uuids } = yield* planted("start")
      const uuid = uuids[0] ?? assert.fail("the database exists")
      yield* store.claim(tenSecondLease("a", 100))
      yield* store.giveBack(uuid, "b")
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 100)))
      yield* store.giveBack(uuid, "a")
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 100)))?.uuid, uuid)
      yield* store.endLeases
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 100)))?.uuid, uuid)
      assert.isFalse(yield* store.renew({ uuid, run: runOf(1), worker: "b" }, moment(120)))
    }),
    "store progress only of the latest request, from the worker that holds the lease": Effect.gen(function* () {
      const { rows, store } = yield* planted("start")
      const [row = assert.fail("the database exists")] = rows
      const { uuid } = row
      yield* store.claim(tenSecondLease("a", 100))
      const work = { uuid, run: runOf(1), worker: "a" }
      const facts = {
        state: "working",
        reason: "waiting",
        certificateExpiresAt: null,
        servingUuid: runOf(7),
        updatedAt: moment(101)
      } as const
      assert.isFalse(yield* store.save({ ...work, worker: "b" }, facts))
      assert.isTrue(yield* store.save(work, facts))
      assert.isTrue(yield* store.renew(work, moment(120)))
      const expected: Database = { ...row, ...facts, claimedBy: "a", leaseUntil: moment(120) }
      assert.deepStrictEqual(yield* store.find(uuid), expected)
      const again: Database = { ...expected, ...asked(2, "stop") }
      yield* store.replace(again)
      assert.isFalse(yield* store.save(work, { ...facts, state: "done" }))
      assert.isFalse(yield* store.renew(work, moment(130)))
      assert.deepStrictEqual(yield* store.find(uuid), again)
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 110)))
      yield* store.giveBack(uuid, "a")
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 110)))?.action, "stop")
      yield* store.remove(uuid)
      assert.isFalse(yield* store.renew({ uuid, run: runOf(2), worker: "b" }, moment(130)))
    }),
    "keep why a running database is unhealthy, until it is healthy or a request for it is done": Effect.gen(
      function* () {
        const { rows, store } = yield* planted("start")
        const [row = assert.fail("the database exists")] = rows
        const { uuid } = row
        const unhealthy = Effect.map(store.find(uuid), (found) => found?.unhealthy)
        // A container that does not serve any more has no health.
        yield* store.setUnhealthy(uuid, runOf(7), "no response")
        assert.isNull(yield* unhealthy)
        yield* store.claim(tenSecondLease("a", 100))
        const work = { uuid, run: runOf(1), worker: "a" }
        const facts = {
          state: "working",
          reason: null,
          certificateExpiresAt: null,
          servingUuid: runOf(7),
          updatedAt: moment(101)
        } as const
        yield* store.save(work, facts)
        yield* store.setUnhealthy(uuid, runOf(7), "no response")
        assert.strictEqual(yield* unhealthy, "no response")
        yield* store.setUnhealthy(uuid, runOf(6), null)
        yield* store.save(work, facts)
        assert.strictEqual(yield* unhealthy, "no response")
        yield* store.setUnhealthy(uuid, runOf(7), null)
        assert.isNull(yield* unhealthy)
        yield* store.setUnhealthy(uuid, runOf(7), "no response")
        yield* store.save(work, { ...facts, state: "done" })
        assert.isNull(yield* unhealthy)
      }
    )
  }
}
