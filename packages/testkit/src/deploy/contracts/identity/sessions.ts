import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import {
  AccountStore,
  type AccountUuid,
  type Session,
  SessionStore,
  type SessionUuid,
  SignInAttemptStore
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { signInFailures } from "../../../sign-in/failures.ts"
import { moment, newAccount } from "../../builders.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)
const sessionUuid = (n: number) => `session${String(n).padStart(17, "0")}` as SessionUuid

const sessionOf = (n: number, accountUuid: AccountUuid, facts?: Partial<Session>): Session => ({
  uuid: sessionUuid(n),
  accountUuid,
  hash: n.toString(16).padStart(64, "0"),
  agent: `browser ${n} 🙂`,
  address: "192.0.2.1",
  expiresAt: moment(1_000 + n),
  lastUsedAt: null,
  createdAt: moment(n),
  ...facts
})

const two = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const ann = yield* accounts.insert(newAccount(1))
  const bob = yield* accounts.insert(newAccount(2))
  return { accounts, ann, bob, sessions: yield* SessionStore }
})

const many = 100
const uuids = (rows: ReadonlyArray<Session>) => rows.map((each) => each.uuid)

/** Contract tests of the store of sessions. Every implementation must pass them. */
export const sessions: Contract<Stores> = {
  port: "SessionStore",
  musts: {
    "find a session with its account only by its hash": Effect.gen(function* () {
      const { accounts, ann, bob, sessions: store } = yield* two
      const [one, other] = [sessionOf(1, ann.uuid), sessionOf(2, bob.uuid, { lastUsedAt: moment(5) })]
      yield* store.begin(one, many)
      yield* store.begin(other, many)
      equal(yield* store.findByHash(one.hash), { session: one, account: ann })
      equal(yield* store.findByHash(other.hash), { session: other, account: bob })
      equal(yield* store.find(one.uuid), one)
      yield* accounts.replace({ ...ann, isDisabled: true })
      equal((yield* store.findByHash(one.hash))?.account.isDisabled, true)
      for (const wrong of ["", one.uuid, one.hash.slice(1), `${one.hash}0`, "%", "\0", "\ud800"]) {
        assert.isUndefined(yield* store.findByHash(wrong))
      }
      assert.isUndefined(yield* store.find(sessionUuid(404)))
    }),
    "list the sessions of an account, oldest first": Effect.gen(function* () {
      const { ann, bob, sessions: store } = yield* two
      const [first, second] = [sessionOf(2, ann.uuid), sessionOf(1, ann.uuid)]
      for (const each of [first, sessionOf(3, bob.uuid), second]) yield* store.begin(each, many)
      equal(yield* store.ofAccount(ann.uuid), [first, second])
      equal(yield* store.ofAccount("nobody" as AccountUuid), [])
    }),
    "keep at most the given number of sessions of an account, the newest ones": Effect.gen(function* () {
      const { ann, bob, sessions: store } = yield* two
      yield* store.begin(sessionOf(9, bob.uuid), 2)
      for (const n of [1, 2, 3, 4]) yield* store.begin(sessionOf(n, ann.uuid), 2)
      equal(uuids(yield* store.ofAccount(ann.uuid)), [sessionUuid(3), sessionUuid(4)])
      equal(uuids(yield* store.ofAccount(bob.uuid)), [sessionUuid(9)])
    }),
    "store when a session was last used, and never an earlier time": Effect.gen(function* () {
      const { ann, sessions: store } = yield* two
      const session = sessionOf(1, ann.uuid)
      yield* store.begin(session, many)
      for (const [used, known] of [
        [5, 5],
        [4, 5],
        [6, 6]
      ] as const) {
        yield* store.touch(session.uuid, moment(used))
        equal(yield* store.find(session.uuid), { ...session, lastUsedAt: moment(known) })
      }
      yield* store.touch(sessionUuid(404), moment(1))
    }),
    "end a session once, and only for its account": Effect.gen(function* () {
      const { ann, bob, sessions: store } = yield* two
      yield* store.begin(sessionOf(1, ann.uuid), many)
      yield* store.begin(sessionOf(2, ann.uuid), many)
      assert.isFalse(yield* store.end(bob.uuid, sessionUuid(1)))
      equal((yield* store.ofAccount(ann.uuid)).length, 2)
      assert.isTrue(yield* store.end(ann.uuid, sessionUuid(1)))
      assert.isFalse(yield* store.end(ann.uuid, sessionUuid(1)))
      equal(uuids(yield* store.ofAccount(ann.uuid)), [sessionUuid(2)])
    }),
    "end all sessions of an account, except the given one": Effect.gen(function* () {
      const { ann, bob, sessions: store } = yield* two
      for (const n of [1, 2, 3]) yield* store.begin(sessionOf(n, ann.uuid), many)
      yield* store.begin(sessionOf(4, bob.uuid), many)
      equal(yield* store.endAll(ann.uuid, sessionUuid(2)), 2)
      equal(uuids(yield* store.ofAccount(ann.uuid)), [sessionUuid(2)])
      equal(yield* store.endAll(ann.uuid), 1)
      equal(yield* store.endAll(ann.uuid), 0)
      equal(uuids(yield* store.ofAccount(bob.uuid)), [sessionUuid(4)])
    }),
    "remove the sessions of a removed account": Effect.gen(function* () {
      const { accounts, ann, bob, sessions: store } = yield* two
      const [one, other] = [sessionOf(1, ann.uuid), sessionOf(2, bob.uuid)]
      yield* store.begin(one, many)
      yield* store.begin(other, many)
      assert.isTrue(yield* accounts.remove(ann.uuid))
      assert.isUndefined(yield* store.findByHash(one.hash))
      equal((yield* store.findByHash(other.hash))?.session, other)
    }),
    "remove expired sessions only": Effect.gen(function* () {
      const { ann, sessions: store } = yield* two
      for (const n of [1, 2, 3]) yield* store.begin(sessionOf(n, ann.uuid), many)
      yield* store.removeExpired(moment(1_002))
      equal(uuids(yield* store.ofAccount(ann.uuid)), [sessionUuid(3)])
    })
  }
}

/** Contract tests of the store of failed sign-ins and used sign-in states. */
export const signInAttempts: Contract<Stores> = {
  port: "SignInAttemptStore",
  musts: {
    ...signInFailures(SignInAttemptStore),
    "remove only the failures of the given keys": Effect.gen(function* () {
      const store = yield* SignInAttemptStore
      yield* store.fail({ keys: ["a", "b"], at: moment(1), forgetBefore: moment(0), atMost: 100, lasts: 1_000 })
      yield* store.forgive(["a", "c"])
      equal(yield* store.failures(["a", "b"]), [{ key: "b", count: 1, lastAt: moment(1) }])
      yield* store.forgive([])
      equal((yield* store.failures(["b"])).length, 1)
    }),
    "accept a sign-in state once, also in concurrent sign-ins": Effect.gen(function* () {
      const store = yield* SignInAttemptStore
      const uses = Array.from({ length: 6 }, () => store.useState("hash", moment(9), moment(1)))
      equal((yield* Effect.all(uses, { concurrency: "unbounded" })).filter(Boolean), [true])
      assert.isFalse(yield* store.useState("hash", moment(9), moment(2)))
      assert.isTrue(yield* store.useState("other", moment(9), moment(2)))
    }),
    "remove the sign-in states that have expired": Effect.gen(function* () {
      const store = yield* SignInAttemptStore
      assert.isTrue(yield* store.useState("old", moment(5), moment(1)))
      assert.isTrue(yield* store.useState("new", moment(9), moment(6)))
      assert.isTrue(yield* store.useState("old", moment(20), moment(7)))
      assert.isFalse(yield* store.useState("new", moment(20), moment(7)))
    })
  }
}
