import { assert } from "@effect/vitest"
import { Sealed, Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { ApplicationStore } from "@slipway/domain/deploy/apps"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { rootTeam, TeamStore } from "@slipway/domain/deploy/identity"
import {
  type ChannelSettings,
  mostWaiting,
  type Notification,
  type NotificationUuid,
  TeamNotificationStore,
  testMessage
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { runConcurrently, runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import { moment, newApplication, newDatabase } from "../../builders.ts"
import { newTeam } from "../../people.ts"
import { plantPlace } from "../../world.ts"
import { tenSecondLease } from "../base/support.ts"

const newNotification = (n: number, facts: Partial<Notification> = {}): Notification => ({
  uuid: `notification${String(n).padStart(12, "0")}` as NotificationUuid,
  teamId: rootTeam,
  channel: "slack",
  recipient: null,
  message: { ...testMessage, facts: { name: "ünï 'quoted'", percent: 7 }, path: n === 1 ? null : "/servers/x" },
  attempts: 0,
  dueAt: moment(n),
  createdAt: moment(n),
  ...facts
})

const first: ChannelSettings = {
  teamId: rootTeam,
  channel: "slack",
  values: { slack_enabled: true, deployment_success_slack_notifications: false },
  secrets: { slack_webhook_url: Sealed.make("sealed") },
  updatedAt: moment(1)
}
const second: ChannelSettings = { ...first, values: { slack_enabled: false }, secrets: {}, updatedAt: moment(2) }
const other: ChannelSettings = {
  teamId: rootTeam,
  channel: "email",
  values: { smtp_port: 25, smtp_host: "mail.example" },
  secrets: {},
  updatedAt: moment(3)
}

const plantTeam = Effect.flatMap(TeamStore, (store) => store.insert(newTeam(1)))

/** Claims all due notifications, each for a different worker. Returns their uuids. */
const claimAll = Effect.fnUntraced(function* (at: number) {
  const store = yield* TeamNotificationStore
  const uuids: Array<string> = []
  for (;;) {
    const taken = yield* store.claim(tenSecondLease(`all-${uuids.length}`, at))
    if (taken === undefined) return uuids
    uuids.push(taken.uuid)
  }
})

/** Contract tests of the store of notifications. Every implementation must pass them. */
export const notifications: Contract<Stores> = {
  port: "TeamNotificationStore",
  musts: {
    "return the settings of each channel of a team as last written, and none of other teams": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      assert.deepStrictEqual(yield* store.settings(rootTeam), [])
      yield* store.write(first)
      yield* store.write(other)
      assert.deepStrictEqual(yield* store.settings(rootTeam), [other, first])
      yield* store.write(second)
      assert.deepStrictEqual(yield* store.settings(rootTeam), [other, second])
      const { id: teamId } = yield* plantTeam
      assert.deepStrictEqual(yield* store.settings(teamId), [])
      yield* store.write({ ...first, teamId })
      assert.deepStrictEqual(yield* store.settings(teamId), [{ ...first, teamId }])
      assert.deepStrictEqual(yield* store.settings(rootTeam), [other, second])
    }),
    "let only one transaction lock the settings of the channels of a team at a time": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      const transaction = yield* Transaction
      const [mine, seen] = yield* runInTurn(
        store.settings(rootTeam),
        (held) => transaction.run(Effect.tap(store.lock(rootTeam), () => Effect.andThen(held, store.write(first)))),
        transaction.run(store.lock(rootTeam))
      )
      assert.deepStrictEqual([mine, seen], [[], [first]])
    }),
    "assign each due notification to one worker, the oldest first": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      const [late, early] = [newNotification(1, { dueAt: moment(30) }), newNotification(2, { dueAt: moment(20) })]
      const mail = newNotification(3, { channel: "email", recipient: "a@b.example", dueAt: moment(30) })
      yield* store.insert([late, early, mail])
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 19)))
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("a", 20)), early)
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 29)))
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("b", 31)), early)
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("c", 31)), late)
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("d", 31)), mail)
      assert.isUndefined(yield* store.claim(tenSecondLease("e", 31)))
    }),
    "reassign a released notification immediately, and all after all leases are released": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      const { uuid } = newNotification(1)
      yield* store.insert([newNotification(1)])
      yield* store.claim(tenSecondLease("a", 10))
      yield* store.giveBack(uuid, "b")
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 10)))
      yield* store.giveBack(uuid, "a")
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 10)))?.uuid, uuid)
      yield* store.endLeases
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 10)))?.uuid, uuid)
    }),
    "let only the worker that claimed a notification save or remove it": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      yield* store.insert([newNotification(1)])
      const taken = (yield* store.claim(tenSecondLease("a", 10))) ?? assert.fail("it waits")
      const tried = { ...taken, attempts: 3, dueAt: moment(20) }
      assert.isFalse(yield* store.save(tried, "b"))
      assert.isFalse(yield* store.remove(taken.uuid, "b"))
      assert.isTrue(yield* store.save(tried, "a"))
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 19)))
      assert.deepStrictEqual(yield* store.claim(tenSecondLease("b", 20)), tried)
      assert.isTrue(yield* store.remove(taken.uuid, "b"))
      assert.isUndefined(yield* store.claim(tenSecondLease("c", 100)))
    }),
    "postpone the waiting notifications of a channel of a team, and no others": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      const far = newNotification(4, { dueAt: moment(90) })
      const { id: teamId } = yield* plantTeam
      const ofTeam = newNotification(5, { teamId })
      yield* store.insert([newNotification(1), newNotification(2, { channel: "webhook" }), newNotification(3), far])
      yield* store.insert([ofTeam])
      yield* store.postpone(rootTeam, "slack", moment(50))
      assert.deepStrictEqual(yield* claimAll(49), [newNotification(2).uuid, ofTeam.uuid])
      yield* store.endLeases
      assert.deepStrictEqual(yield* claimAll(50), [
        newNotification(2).uuid,
        ofTeam.uuid,
        newNotification(1).uuid,
        newNotification(3).uuid
      ])
      yield* store.endLeases
      assert.include(yield* claimAll(90), far.uuid)
    }),
    "keep only the newest waiting notifications of a channel of a team (invariant I25)": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      const at = { dueAt: moment(1) }
      const { id: teamId } = yield* plantTeam
      yield* store.insert([newNotification(0, { ...at, channel: "webhook" })])
      yield* store.insert([newNotification(mostWaiting + 3, { ...at, teamId })])
      const many = Array.from({ length: mostWaiting }, (_, n) => newNotification(n + 1, at))
      yield* store.insert(many)
      yield* store.insert([newNotification(mostWaiting + 1, at), newNotification(mostWaiting + 2, at)])
      const left = yield* claimAll(5)
      assert.deepStrictEqual(
        [left.length, left[0], left[1], left[2], left.at(-1)],
        [
          mostWaiting + 2,
          newNotification(0).uuid,
          newNotification(mostWaiting + 3).uuid,
          newNotification(3).uuid,
          newNotification(mostWaiting + 2).uuid
        ]
      )
    }),
    "discard notifications and conditions of a transaction that fails": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      const transaction = yield* Transaction
      const written = Effect.andThen(store.insert([newNotification(1)]), store.raise("server:x", moment(1), null))
      yield* Effect.exit(transaction.run(Effect.andThen(written, Effect.fail("no"))))
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 100)))
      assert.isFalse(yield* store.clear("server:x"))
    }),
    "report a raised condition once until it is cleared, and a cleared one only if it was raised": Effect.gen(
      function* () {
        const store = yield* TeamNotificationStore
        assert.isFalse(yield* store.clear("server:x"))
        assert.isTrue(yield* store.raise("server:x", moment(1), null))
        assert.isFalse(yield* store.raise("server:x", moment(100), null))
        assert.isTrue(yield* store.raise("server:y", moment(100), null))
        assert.isTrue(yield* store.clear("server:x"))
        assert.isFalse(yield* store.clear("server:x"))
        assert.isTrue(yield* store.raise("server:x", moment(101), null))
      }
    ),
    "remove several conditions together, and no others": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      for (const topic of ["certificate:x", "certificate:y", "certificate:z"])
        yield* store.raise(topic, moment(1), null)
      yield* store.clearAll(["certificate:x", "certificate:y", "certificate:unknown"])
      yield* store.clearAll([])
      const left = yield* Effect.all(["certificate:x", "certificate:y", "certificate:z"].map(store.clear))
      assert.deepStrictEqual(left, [false, false, true])
    }),
    "report a condition again when it was last reported before a given time": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      assert.isTrue(yield* store.raise("disk:x", moment(10), moment(0)))
      assert.isFalse(yield* store.raise("disk:x", moment(15), moment(9)))
      assert.isTrue(yield* store.raise("disk:x", moment(20), moment(10)))
      assert.isFalse(yield* store.raise("disk:x", moment(25), moment(15)))
    }),
    "let only one of several concurrent transactions report a condition": Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      const transaction = yield* Transaction
      const raised = store.raise("server:x", moment(1), null)
      const both = yield* runConcurrently(
        store.settings(rootTeam),
        (held) => transaction.run(Effect.tap(raised, () => held)),
        transaction.run(raised)
      )
      assert.deepStrictEqual(both, [true, false])
    }),
    "forget the conditions of removed resources that were last reported before a given time, and no others": Effect.gen(
      function* () {
        const store = yield* TeamNotificationStore
        const { placement, server } = yield* plantPlace()
        const application = yield* (yield* ApplicationStore).insert(newApplication(1, placement))
        const database = yield* (yield* DatabaseStore).insert(newDatabase(1, placement))
        const lasting = [
          `server:${server.uuid}`,
          `disk:${server.uuid}`,
          `application:${application.uuid}`,
          `database:${database.uuid}`
        ]
        for (const topic of [...lasting, "server:x"]) yield* store.raise(topic, moment(1), null)
        yield* store.raise("server:y", moment(10), null)
        yield* store.forget(moment(10))
        assert.isFalse(yield* store.clear("server:x"))
        for (const topic of [...lasting, "server:y"]) assert.isTrue(yield* store.clear(topic), topic)
      }
    )
  }
}
