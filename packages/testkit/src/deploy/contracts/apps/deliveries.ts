import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import {
  type Application,
  ApplicationStore,
  type Delivery,
  DeliveryStore,
  type DeliveryUuid,
  mostDeliveries
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newApplication } from "../../builders.ts"
import { plantPlace } from "../../world.ts"

const twoApplications = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const store = yield* ApplicationStore
  return [yield* store.insert(newApplication(1, placement)), yield* store.insert(newApplication(2, placement))] as const
})

const deliveryOf = (n: number, { uuid }: Application, facts: Partial<Delivery> = {}): Delivery => ({
  uuid: `delivery${String(n).padStart(16, "0")}` as DeliveryUuid,
  applicationUuid: uuid,
  provider: "github",
  bodyDigest: n.toString(16).padStart(64, "0"),
  event: "push",
  deliveryId: `delivery ${n}`,
  branch: "feature/ünïcode",
  commit: "5d41402a".repeat(5),
  pullRequestId: null,
  pullRequestAt: null,
  author: "Ada 🚢",
  message: "Say “hello”",
  outcome: "queued",
  reason: null,
  deploymentUuid: "deployment00000000000001" as DeploymentUuid,
  replays: 0,
  replayedAt: null,
  receivedAt: moment(n),
  ...facts
})

const empty = {
  event: null,
  deliveryId: null,
  branch: null,
  commit: null,
  author: null,
  message: null,
  outcome: "ignored",
  reason: "unreadable",
  deploymentUuid: null
} as const satisfies Partial<Delivery>

const uuidsOf = (rows: ReadonlyArray<Delivery>) => rows.map(({ uuid }) => uuid)

/** Contract tests of the store of webhook deliveries. Every implementation must pass them. */
export const deliveries: Contract<Stores> = {
  port: "DeliveryStore",
  musts: {
    "return a delivery as inserted": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* DeliveryStore
      const [full, bare] = [
        deliveryOf(1, mine, { pullRequestId: 2_147_483_647, pullRequestAt: moment(9) }),
        deliveryOf(2, mine, empty)
      ]
      assert.isTrue(yield* store.insert(full))
      assert.isTrue(yield* store.insert(bare))
      assert.deepStrictEqual(yield* store.find(full.uuid), full)
      assert.deepStrictEqual(yield* store.find(bare.uuid), bare)
      assert.isUndefined(yield* store.find("nothing" as DeliveryUuid))
    }),
    "list only the deliveries of the given application, newest first": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* DeliveryStore
      for (const n of [4, 3, 2, 1]) yield* store.insert(deliveryOf(n, n === 3 ? other : mine))
      const [first, second, last] = [deliveryOf(1, mine), deliveryOf(2, mine), deliveryOf(4, mine)]
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid, { limit: 10 }), [first, second, last])
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid, { skip: 1, limit: 1 }), [second])
    }),
    "keep one delivery per body and application": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* DeliveryStore
      const { bodyDigest } = deliveryOf(1, mine)
      assert.isTrue(yield* store.insert(deliveryOf(1, mine)))
      assert.isFalse(yield* store.insert(deliveryOf(2, mine, { bodyDigest })))
      assert.isFalse(yield* store.insert(deliveryOf(3, mine, { bodyDigest, provider: "gitea" })))
      assert.isTrue(yield* store.insert(deliveryOf(4, other, { bodyDigest })))
      assert.deepStrictEqual(uuidsOf(yield* store.ofApplication(mine.uuid, { limit: 9 })), [deliveryOf(1, mine).uuid])
    }),
    "count the repeated deliveries of a body": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* DeliveryStore
      const delivery = deliveryOf(1, mine)
      yield* store.insert(delivery)
      yield* store.insert(deliveryOf(2, mine))
      assert.isUndefined(yield* store.replayed({ ...delivery, applicationUuid: other.uuid }, moment(8)))
      assert.isUndefined(yield* store.replayed({ ...delivery, bodyDigest: "f".repeat(64) }, moment(8)))
      const replayed = { ...delivery, replays: 1, replayedAt: moment(8) }
      assert.deepStrictEqual(yield* store.replayed(delivery, moment(8)), replayed)
      assert.strictEqual((yield* store.replayed(delivery, moment(9)))?.replays, 2)
      assert.deepStrictEqual(yield* store.find(delivery.uuid), { ...replayed, replays: 2, replayedAt: moment(9) })
      assert.deepStrictEqual(yield* store.find(deliveryOf(2, mine).uuid), deliveryOf(2, mine))
    }),
    "return the time when a pull request was closed, from the latest delivery that ended its preview or found none":
      Effect.gen(function* () {
        const [mine, other] = yield* twoApplications
        const store = yield* DeliveryStore
        const insertDelivery = (n: number, at: number | null, facts: Partial<Delivery> = {}, of = mine) =>
          store.insert(
            deliveryOf(n, of, { pullRequestId: 7, pullRequestAt: at === null ? null : moment(at), ...facts })
          )
        const [removed, none] = [{ outcome: "removed" }, { outcome: "ignored", reason: "no_preview" }] as const
        yield* insertDelivery(1, 5)
        yield* insertDelivery(2, null, removed)
        yield* insertDelivery(3, 6, { pullRequestId: 8, ...removed })
        yield* insertDelivery(4, 7, removed, other)
        yield* insertDelivery(5, 8, { outcome: "ignored", reason: "pull_request_unchanged" })
        assert.isUndefined(yield* store.overSince(mine.uuid, 7))
        yield* insertDelivery(6, 3, none)
        assert.strictEqual(yield* store.overSince(mine.uuid, 7), moment(3))
        yield* insertDelivery(7, 4, removed)
        yield* insertDelivery(8, 2, none)
        assert.strictEqual(yield* store.overSince(mine.uuid, 7), moment(4))
      }),
    "keep the newest 1,000 deliveries of an application": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* DeliveryStore
      assert.strictEqual(mostDeliveries, 1_000)
      const others = deliveryOf(0, other)
      yield* store.insert(others)
      yield* (yield* Transaction).run(
        Effect.forEach(
          Array.from({ length: mostDeliveries + 2 }, (_, n) => n + 1),
          (n) => store.insert(deliveryOf(n, mine)),
          { discard: true }
        )
      )
      const remaining = uuidsOf(yield* store.ofApplication(mine.uuid, { limit: mostDeliveries + 10 }))
      assert.strictEqual(remaining.length, mostDeliveries)
      assert.strictEqual(remaining.at(-1), deliveryOf(3, mine).uuid)
      assert.deepStrictEqual(yield* store.find(others.uuid), others)
    }),
    "remove the deliveries of a removed application": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* DeliveryStore
      yield* store.insert(deliveryOf(1, mine))
      yield* (yield* ApplicationStore).remove(mine.uuid)
      assert.isUndefined(yield* store.find(deliveryOf(1, mine).uuid))
      assert.isFalse(yield* store.insert(deliveryOf(2, mine)))
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid, { limit: 9 }), [])
    })
  }
}
