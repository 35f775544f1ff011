import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { AccountStore, type AccountUuid, type Identity, type IdentityUuid } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import { moment, newAccount, uuidOf } from "../../builders.ts"

const identityOf = (n: number, accountUuid: AccountUuid, facts?: Partial<Identity>): Identity => ({
  uuid: `identity${String(n).padStart(16, "0")}` as IdentityUuid,
  accountUuid,
  issuer: "https://id.example",
  subject: `subject ${n}`,
  createdAt: moment(n),
  ...facts
})

/** Contract tests of the store of accounts, in addition to the contract of every collection. */
export const accounts: Contract<Stores> = {
  port: "AccountStore",
  musts: {
    "find an account and its password hash by name, ignoring case": Effect.gen(function* () {
      const store = yield* AccountStore
      const ann = yield* store.insert(newAccount(1, { name: "Ann" }))
      const bob = yield* store.insert(newAccount(2, { name: "bob", email: "ann" }))
      yield* store.setPasswordHash(ann.uuid, "hash of ann")
      assert.deepStrictEqual(yield* store.findByName("aNN"), { account: ann, passwordHash: "hash of ann" })
      assert.deepStrictEqual(yield* store.findByName("bob"), { account: bob, passwordHash: null })
      for (const wrong of ["", "an", "ann ", ann.uuid, "\0", "\ud800", "%", "account-1@example.com"]) {
        assert.isUndefined(yield* store.findByName(wrong))
      }
    }),
    "keep the password hash when an account is replaced": Effect.gen(function* () {
      const store = yield* AccountStore
      const ann = yield* store.insert(newAccount(1))
      const bob = yield* store.insert(newAccount(2))
      assert.isNull(yield* store.passwordHash(ann.uuid))
      yield* store.setPasswordHash(ann.uuid, "first")
      yield* store.setPasswordHash(ann.uuid, "second")
      assert.isTrue(yield* store.replace({ ...ann, name: "renamed" }))
      assert.strictEqual(yield* store.passwordHash(ann.uuid), "second")
      assert.isNull(yield* store.passwordHash(bob.uuid))
      yield* store.setPasswordHash(ann.uuid, null)
      assert.isNull(yield* store.passwordHash(ann.uuid))
      yield* store.setPasswordHash(uuidOf("account", 404), "nobody")
      assert.isNull(yield* store.passwordHash(uuidOf("account", 404)))
    }),
    "store when an account last signed in, and never replace this time with an earlier one": Effect.gen(function* () {
      const store = yield* AccountStore
      const ann = yield* store.insert(newAccount(1))
      const bob = yield* store.insert(newAccount(2))
      for (const [at, known] of [
        [5, 5],
        [4, 5],
        [6, 6]
      ] as const) {
        yield* store.noteSignIn(ann.uuid, moment(at))
        assert.deepStrictEqual(yield* store.find(ann.uuid), { ...ann, lastSignInAt: moment(known) })
      }
      yield* store.noteSignIn(uuidOf("account", 404), moment(1))
      assert.deepStrictEqual(yield* store.find(bob.uuid), bob)
    }),
    "list every root account, oldest first": Effect.gen(function* () {
      const store = yield* AccountStore
      const first = yield* store.insert(newAccount(1, { isRoot: true }))
      yield* store.insert(newAccount(2))
      const third = yield* store.insert(newAccount(3, { isRoot: true, isDisabled: true }))
      assert.deepStrictEqual(yield* store.roots, [first, third])
      yield* store.replace({ ...first, isRoot: false })
      assert.deepStrictEqual(yield* store.roots, [third])
    }),
    "return every root account, oldest first, and lock these accounts until the running transaction ends": Effect.gen(
      function* () {
        const store = yield* AccountStore
        const { run } = yield* Transaction
        const first = yield* store.insert(newAccount(1, { isRoot: true }))
        yield* store.insert(newAccount(2))
        const second = yield* store.insert(newAccount(3, { isRoot: true, isDisabled: true }))
        assert.deepStrictEqual(yield* store.lockRoots, [first, second])
        const demoted = (account: typeof first) =>
          Effect.gen(function* () {
            const roots = yield* store.lockRoots
            if (roots.length > 1) yield* store.replace({ ...account, isRoot: false })
            return roots.map((each) => each.uuid)
          })
        const answers = yield* runInTurn(
          store.count,
          (held) => run(Effect.tap(demoted(first), () => held)),
          run(demoted(second))
        )
        assert.deepStrictEqual(answers, [[first.uuid, second.uuid], [second.uuid]])
        assert.deepStrictEqual(yield* store.lockRoots, [second])
      }
    ),
    "find an account by an external identity only if both its issuer and its subject match": Effect.gen(function* () {
      const store = yield* AccountStore
      const ann = yield* store.insert(newAccount(1))
      const bob = yield* store.insert(newAccount(2))
      assert.isTrue(yield* store.link(identityOf(1, ann.uuid)))
      assert.isTrue(
        yield* store.link(identityOf(2, bob.uuid, { issuer: "https://other.example", subject: "subject 1" }))
      )
      assert.deepStrictEqual(yield* store.findByIdentity({ issuer: "https://id.example", subject: "subject 1" }), ann)
      assert.deepStrictEqual(
        yield* store.findByIdentity({ issuer: "https://other.example", subject: "subject 1" }),
        bob
      )
      for (const [issuer, subject] of [
        ["https://id.example", "Subject 1"],
        ["https://id.example/", "subject 1"],
        ["https://id.example", "account-1@example.com"],
        ["subject 1", "https://id.example"],
        ["", ""],
        ["\0", "\ud800"]
      ] as const) {
        assert.isUndefined(yield* store.findByIdentity({ issuer, subject }))
      }
    }),
    "link an identity to one account only, also for concurrent requests": Effect.gen(function* () {
      const store = yield* AccountStore
      const people = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => store.insert(newAccount(n)))
      const linked = yield* Effect.forEach(
        people,
        ({ uuid }, n) => store.link(identityOf(n, uuid, { subject: "the same" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(linked.filter(Boolean), [true])
      assert.isFalse(yield* store.link(identityOf(9, uuidOf("account", 1), { subject: "the same" })))
      const found = yield* store.findByIdentity({ issuer: "https://id.example", subject: "the same" })
      assert.strictEqual(found?.uuid, people[linked.indexOf(true)]?.uuid)
    }),
    "list the identities of an account, oldest first": Effect.gen(function* () {
      const store = yield* AccountStore
      const ann = yield* store.insert(newAccount(1))
      const bob = yield* store.insert(newAccount(2))
      const [first, second] = [identityOf(2, ann.uuid), identityOf(1, ann.uuid)]
      yield* store.link(first)
      yield* store.link(identityOf(3, bob.uuid))
      yield* store.link(second)
      assert.deepStrictEqual(yield* store.identities(ann.uuid), [first, second])
      assert.deepStrictEqual(yield* store.identities(uuidOf("account", 404)), [])
    }),
    "unlink an identity once, and only for its account": Effect.gen(function* () {
      const store = yield* AccountStore
      const ann = yield* store.insert(newAccount(1))
      const bob = yield* store.insert(newAccount(2))
      const identity = identityOf(1, ann.uuid)
      yield* store.link(identity)
      assert.isFalse(yield* store.unlink(bob.uuid, identity.uuid))
      assert.deepStrictEqual(yield* store.findByIdentity(identity), ann)
      assert.isTrue(yield* store.unlink(ann.uuid, identity.uuid))
      assert.isFalse(yield* store.unlink(ann.uuid, identity.uuid))
      assert.isUndefined(yield* store.findByIdentity(identity))
      assert.isTrue(yield* store.link({ ...identity, accountUuid: bob.uuid }))
    }),
    "remove the identities of a removed account": Effect.gen(function* () {
      const store = yield* AccountStore
      const ann = yield* store.insert(newAccount(1))
      const bob = yield* store.insert(newAccount(2))
      yield* store.setPasswordHash(ann.uuid, "hash")
      yield* store.link(identityOf(1, ann.uuid))
      yield* store.link(identityOf(2, bob.uuid))
      assert.isTrue(yield* store.remove(ann.uuid))
      assert.isUndefined(yield* store.findByIdentity(identityOf(1, ann.uuid)))
      assert.deepStrictEqual(yield* store.identities(ann.uuid), [])
      assert.deepStrictEqual(yield* store.findByIdentity(identityOf(2, bob.uuid)), bob)
    })
  }
}
