import { assert } from "@effect/vitest"
import { Duplicate, Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { scopeOf } from "@slipway/domain/forge/access"
import {
  accessTokens,
  BlockStore,
  EmailSearch,
  emails,
  FollowStore,
  type NewUser,
  SecondFactorStore,
  type SeenUser,
  type User,
  type UserId,
  UserStore,
  userSettings
} from "@slipway/domain/forge/identity"
import { Effect, Result } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import {
  addressOf,
  all,
  anonymousViewer,
  avatarNamed,
  missing,
  moment,
  namesOf,
  newAccessToken,
  newUser,
  viewing
} from "../../builders.ts"
import { changedSettings } from "../../sampleSettings.ts"
import { samePaginated } from "../base/fixtures.ts"
import { countsFollows, countsStars, leavesOutSystem, showsRestricted } from "./users/directory.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)
const insert = (n: number, facts?: Partial<NewUser>) =>
  Effect.flatMap(UserStore, (store) => store.insert(newUser(n, facts)))
const withoutSecrets = ({ emailVerified: _, passwordHash: __, ...user }: NewUser) => user
const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

const everySetting = {
  ...changedSettings(userSettings),
  visibility: "private",
  active: false,
  admin: true,
  restricted: true,
  prohibited: true,
  mustChangePassword: true,
  awaitsApproval: true,
  mayCreateOrganizations: false,
  mayEditGitHooks: true,
  mayImportLocal: true,
  maxRepositories: 7,
  loginName: "uid=another",
  sourceId: 3,
  updatedAt: moment(99)
} as const satisfies Partial<User>

const refusesNames = Effect.gen(function* () {
  const store = yield* UserStore
  const first = yield* insert(1, { name: "Bob" })
  for (const name of ["Bob", "bob", "BOB"]) {
    const refusal = yield* Effect.flip(store.insert(newUser(2, { name })))
    equal([refusal._tag, refusal.of], ["Duplicate", "owner.name"])
  }
  const second = yield* insert(2)
  equal((yield* Effect.flip(store.rename(second.id, "BOB"))).of, "owner.name")
  assert.isTrue(yield* store.rename(first.id, "BOB"))
  equal((yield* store.find(first.id))?.name, "BOB")
  equal(namesOf(yield* store.search(anonymousViewer, {}, all)), { names: ["BOB", "user-2"], total: 2 })
})

const refusesNamesConcurrently = Effect.gen(function* () {
  const store = yield* UserStore
  const results = yield* Effect.forEach(
    Array.from({ length: 8 }, (_, n) => newUser(n, { name: n % 2 === 0 ? "same" : "SAME" })),
    (user) => Effect.result(store.insert(user)),
    { concurrency: "unbounded" }
  )
  equal(results.filter(Result.isSuccess).length, 1)
  equal((yield* store.search(anonymousViewer, {}, all)).total, 1)
})

const refusesAddresses = Effect.gen(function* () {
  const store = yield* UserStore
  yield* insert(1, { email: "Bob@Example.com" })
  const refusal = yield* Effect.flip(store.insert(newUser(2, { email: "bob@example.COM" })))
  equal([refusal._tag, refusal.of], ["Duplicate", "email.address"])
  assert.isUndefined(yield* store.named("user-2"))
  yield* run(
    Effect.gen(function* () {
      assert.instanceOf(yield* Effect.flip(store.insert(newUser(2, { email: "bob@example.com" }))), Duplicate)
      yield* store.insert(newUser(2))
    })
  )
  equal((yield* store.search(anonymousViewer, {}, all)).total, 2)
})

const leads = (name: string) => Effect.flatMap(UserStore, (store) => store.named(name))

const findsRenamed = Effect.gen(function* () {
  const store = yield* UserStore
  const user = yield* insert(1, { name: "first" })
  assert.isTrue(yield* store.rename(user.id, "second"))
  assert.isTrue(yield* store.rename(user.id, "third"))
  const present = { ...user, name: "third" }
  for (const old of ["first", "Second"]) equal(yield* leads(old), { user: present, renamed: true })
  equal(yield* leads("third"), { user: present, renamed: false })
  const other = yield* insert(2, { name: "FIRST" })
  equal(yield* leads("first"), { user: other, renamed: false })
  assert.isTrue(yield* store.rename(other.id, "second"))
  equal((yield* leads("second"))?.user.id, other.id)
  equal(yield* leads("first"), { user: { ...other, name: "second" }, renamed: true })
  assert.isFalse(yield* store.rename(missing, "nobody"))
  assert.isUndefined(yield* leads("nobody"))
})

const renamesConcurrently = Effect.gen(function* () {
  const store = yield* UserStore
  const user = yield* insert(0, { name: "before" })
  const names = Array.from({ length: 6 }, (_, n) => `after-${n}`)
  yield* Effect.forEach(names, (name) => store.rename(user.id, name), { concurrency: "unbounded" })
  const present = (yield* store.find(user.id))?.name
  const found = yield* Effect.forEach(["before", ...names], leads)
  equal(found.filter((each) => each?.renamed === false).length, 1)
  equal(found.filter((each) => each?.user.name === present).length, 7)
})

const givesBack = Effect.gen(function* () {
  const store = yield* UserStore
  const user = yield* insert(1, { name: "first" })
  yield* store.rename(user.id, "second")
  assert.isTrue(yield* store.rename(user.id, "First"))
  equal(yield* leads("first"), { user: { ...user, name: "First" }, renamed: false })
  equal((yield* leads("second"))?.renamed, true)
})

const removes = Effect.gen(function* () {
  const store = yield* UserStore
  const tokens = yield* accessTokens.store
  const user = yield* insert(1)
  const other = yield* insert(2)
  yield* store.rename(user.id, "renamed")
  yield* tokens.insert(newAccessToken(1, user))
  yield* (yield* FollowStore).add(user.id, other.id)
  yield* (yield* BlockStore).add({ blocker: other.id, blocked: user.id, note: "" })
  yield* (yield* emails.store).insert(addressOf(user, "second@example.com"))
  yield* (yield* SecondFactorStore).writeRecoveryCodes(user.id, ["aa", "bb"])
  assert.isTrue(yield* store.remove(user.id))
  assert.isFalse(yield* store.remove(user.id))
  assert.isUndefined(yield* store.find(user.id))
  assert.isUndefined(yield* store.named("renamed"))
  assert.isUndefined(yield* store.named("user-1"))
  equal(yield* tokens.count({ userId: user.id }), 0)
  equal((yield* (yield* FollowStore).followers(viewing(other), other.id, all)).total, 0)
  assert.isUndefined(yield* (yield* BlockStore).find(user.id, other.id))
  equal((yield* (yield* EmailSearch).search("", all)).total, 1)
  equal(yield* (yield* SecondFactorStore).countRecoveryCodes(user.id), 0)
  // All unique values of the removed user can be reused.
  yield* insert(1, { email: "second@example.com" })
})

const lists = Effect.gen(function* () {
  const store = yield* UserStore
  const people = yield* Effect.forEach(
    [
      ["b.public", "public"],
      ["A-limited", "limited"],
      ["c_private", "private"],
      ["B-limited", "limited"],
      ["a.private", "private"]
    ] as const,
    ([name, visibility], n) => insert(n, { name, visibility })
  )
  const boss = yield* insert(9, { name: "zoe", admin: true })
  const [open, , , , hidden] = people as [User, User, User, User, User]
  const shown = (viewer: Parameters<typeof store.search>[0]) => Effect.map(store.search(viewer, {}, all), namesOf)
  const publicOnly = scopeOf(["read:user", "public-only"])
  const everyone = ["A-limited", "a.private", "B-limited", "b.public", "c_private", "zoe"]
  equal(yield* shown(anonymousViewer), { names: ["b.public", "zoe"], total: 2 })
  equal(yield* shown(viewing(open)), { names: ["A-limited", "B-limited", "b.public", "zoe"], total: 4 })
  equal(yield* shown(viewing(hidden)), {
    names: ["A-limited", "a.private", "B-limited", "b.public", "zoe"],
    total: 5
  })
  equal(yield* shown(viewing(boss)), { names: everyone, total: 6 })
  for (const user of [hidden, boss]) equal(yield* shown(viewing(user, publicOnly)), yield* shown(anonymousViewer))
  yield* samePaginated((page) => store.search(viewing(boss), {}, page))
  const pages = yield* Effect.forEach([1, 2, 3, 4], (page) => store.search(viewing(boss), {}, { page, perPage: 2 }))
  equal(
    pages.map((page) => page.rows.map((row) => row.name)),
    [everyone.slice(0, 2), everyone.slice(2, 4), everyone.slice(4, 6), []]
  )
  equal(
    pages.map((page) => page.total),
    [6, 6, 6, 6]
  )
})

const searches = Effect.gen(function* () {
  const store = yield* UserStore
  yield* insert(1, { name: "straus", fullName: "Jürgen Straße 100%" })
  yield* insert(2, { name: "anna_b", fullName: "Anna\\Bell" })
  yield* insert(3, { name: "annaxb", fullName: "" })
  const found = (text: string) =>
    Effect.map(store.search(anonymousViewer, { text }, all), (page) => namesOf(page).names)
  equal(yield* found("strasse"), ["straus"])
  equal(yield* found("ÜRGEN"), ["straus"])
  equal(yield* found("0%"), ["straus"])
  equal(yield* found("%"), ["straus"])
  equal(yield* found("a_b"), ["anna_b"])
  equal(yield* found("_"), ["anna_b"])
  equal(yield* found("\\b"), ["anna_b"])
  equal(yield* found("ANNA"), ["anna_b", "annaxb"])
  equal(yield* found("nowhere"), [])
  equal(yield* found("\0"), [])
  equal(yield* found("\ud800"), [])
  equal(yield* found(""), ["anna_b", "annaxb", "straus"])
})

const administrators = Effect.gen(function* () {
  const store = yield* UserStore
  const first = yield* insert(1, { admin: true })
  const second = yield* insert(2, { admin: true })
  yield* insert(3, { admin: true, active: false })
  yield* insert(4, { admin: true, prohibited: true })
  yield* insert(5)
  equal(yield* run(store.lockAdministrators), [first.id, second.id])
  const reading = store.find(first.id)
  const resign = (user: User, held: Effect.Effect<void>) =>
    run(
      Effect.gen(function* () {
        const able = yield* store.lockAdministrators
        yield* held
        if (able.length > 1) yield* store.replace({ ...user, admin: false })
        return able.length
      })
    )
  equal(yield* runInTurn(reading, (held) => resign(first, held), resign(second, Effect.void)), [2, 1])
  equal(yield* run(store.lockAdministrators), [second.id])
})

const keepsLocked = Effect.gen(function* () {
  const store = yield* UserStore
  const user = yield* insert(1)
  const changed = { ...user, location: "changed" }
  const [, seen] = yield* runInTurn(
    store.find(user.id),
    (held) => run(store.lock(user.id).pipe(Effect.andThen(held), Effect.andThen(store.replace(changed)))),
    run(store.lock(user.id))
  )
  equal(seen, changed)
  yield* runInTurn(
    store.find(user.id),
    (held) => run(store.lock(user.id).pipe(Effect.andThen(held), Effect.andThen(store.replace(user)))),
    store.rename(user.id, "renamed")
  )
  equal(yield* store.find(user.id), { ...user, name: "renamed" })
  assert.isUndefined(yield* run(store.lock(missing)))
})

/** Contract tests of the store of users. Every implementation must pass them. */
export const users: Contract<Stores> = {
  port: "UserStore",
  musts: {
    "return a user as inserted, with an id and the primary address": {
      "in every state": Effect.gen(function* () {
        const store = yield* UserStore
        for (const [n, row] of [newUser(1), newUser(2, { ...everySetting, createdAt: moment(5) })].entries()) {
          const user = yield* store.insert(row)
          equal(user, { ...withoutSecrets(row), id: user.id, avatar: null, secondFactor: false, lastSignInAt: null })
          equal(yield* store.find(user.id), user)
          assert.isAbove(user.id, n)
        }
      }),
      "with any text": Effect.gen(function* () {
        const text = "Ünïcödé 😀 %_\\ 'quoted' \u202e"
        const user = yield* insert(1, { fullName: text, description: text, location: text, website: text })
        equal((yield* (yield* UserStore).find(user.id))?.fullName, text)
      })
    },
    "return nothing for a missing user": Effect.gen(function* () {
      const store = yield* UserStore
      const user = yield* insert(1)
      assert.isUndefined(yield* store.find(missing))
      for (const name of ["", "nobody", "user-1 ", "\0", "\ud800", "%", user.email]) {
        assert.isUndefined(yield* store.named(name))
      }
      assert.isFalse(yield* store.replace({ ...user, id: missing }))
      assert.isFalse(yield* store.setPassword(missing, "hash"))
    }),
    "find a user by name, ignoring case": Effect.gen(function* () {
      const user = yield* insert(1, { name: "Bob.Smith" })
      for (const name of ["Bob.Smith", "bob.smith", "BOB.SMITH"]) equal(yield* leads(name), { user, renamed: false })
    }),
    "reject a name of another user, ignoring case": {
      "one after the other": refusesNames,
      concurrently: refusesNamesConcurrently
    },
    "reject an email address of another user, ignoring case": refusesAddresses,
    "find the service account, and omit it from lists": leavesOutSystem,
    "replace only the fields that users and administrators set": Effect.gen(function* () {
      const store = yield* UserStore
      const user = yield* insert(1)
      const other = yield* insert(2)
      const changed = {
        ...user,
        ...everySetting,
        name: "ignored",
        email: "ignored@example.com",
        secondFactor: true,
        lastSignInAt: moment(50),
        createdAt: moment(51)
      }
      assert.isTrue(yield* store.replace(changed))
      equal(yield* store.find(user.id), { ...user, ...everySetting })
      equal(yield* store.find(other.id), other)
    }),
    "change only the avatar on request, and return the previous one": Effect.gen(function* () {
      const store = yield* UserStore
      const user = yield* insert(1)
      equal(yield* store.setAvatar(user.id, avatarNamed(1)), null)
      equal(yield* store.setAvatar(user.id, avatarNamed(2)), avatarNamed(1))
      equal(yield* store.find(user.id), { ...user, avatar: avatarNamed(2) })
      yield* store.replace({ ...user, fullName: "x" })
      equal((yield* store.find(user.id))?.avatar, avatarNamed(2))
      equal(yield* store.setAvatar(user.id, null), avatarNamed(2))
      assert.isUndefined(yield* store.setAvatar(missing, null))
    }),
    "find a renamed user by all previous names, until another user takes them": {
      "one after the other": findsRenamed,
      concurrently: renamesConcurrently
    },
    "let a user take back an old name": givesBack,
    "remove a user with all resources of the user, and report when it is missing": removes,
    "list the visible users by name, with the matching total": lists,
    "find users by a part of their name or full name, ignoring case, with any special characters": searches,
    "find users by id, by full names, by source and login name": Effect.gen(function* () {
      const store = yield* UserStore
      const local = yield* insert(1)
      const remote = yield* insert(2, { sourceId: 3, loginName: "uid=2" })
      const found = (filter: Parameters<typeof store.search>[1]) =>
        Effect.map(store.search(anonymousViewer, filter, all), (page) => page.rows.map((row: SeenUser) => row.id))
      equal(yield* found({ id: local.id }), [local.id])
      equal(yield* found({ id: missing as UserId }), [])
      equal(yield* found({ ids: [remote.id, missing as UserId] }), [remote.id])
      equal(yield* found({ ids: [] }), [])
      equal(yield* found({ names: [remote.name.toUpperCase(), "nobody-there", "\0", "\ud800"] }), [remote.id])
      equal(yield* found({ sourceId: 3 }), [remote.id])
      equal(yield* found({ sourceId: 0 }), [local.id])
      equal(yield* found({ loginName: "uid=2" }), [remote.id])
      equal(yield* found({ loginName: "UID=2" }), [])
      equal(yield* found({ sourceId: 0, loginName: "uid=2" }), [])
    }),
    "find many users by id, each once, including hidden ones": Effect.gen(function* () {
      const store = yield* UserStore
      const [one, hidden] = [yield* insert(1), yield* insert(2, { visibility: "private" })]
      yield* insert(3)
      yield* (yield* FollowStore).add(one.id, hidden.id)
      const found = yield* store.findMany(anonymousViewer, [hidden.id, one.id, missing as UserId, one.id])
      equal(
        [...found].toSorted(([a], [b]) => a - b),
        [
          [one.id, { ...one, followers: 0, following: 0, starred: 0 }],
          [hidden.id, { ...hidden, followers: 1, following: 0, starred: 0 }]
        ]
      )
      equal((yield* store.findMany(anonymousViewer, [])).size, 0)
    }),
    "show restricted viewers only their own account and users who share an organization or a repository with them":
      showsRestricted,
    "count the follows that the viewer can see": countsFollows,
    "count the public repositories that a user starred": countsStars,
    "let only one transaction at a time change the administrators of the site": administrators,
    "block changes to a locked user by other transactions until this one ends": keepsLocked
  }
}
