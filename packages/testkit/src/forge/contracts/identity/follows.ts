import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { scopeOf } from "@slipway/domain/forge/access"
import { BlockStore, FollowStore, type User, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, anonymousViewer, missing, namesOf, newUser, viewing } from "../../builders.ts"
import { samePaginated } from "../base/fixtures.ts"
import { organizationBlocks } from "./organizationBlocks.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)

const people = Effect.gen(function* () {
  const users = yield* UserStore
  const visibilities = ["public", "private", "limited", "public"] as const
  const created = yield* Effect.forEach(visibilities, (visibility, n) => users.insert(newUser(n, { visibility })))
  return { users, created: created as [User, User, User, User] }
})

/** Contract tests of the store of follows (users who follow users). */
export const follows: Contract<Stores> = {
  port: "FollowStore",
  musts: {
    "store a follow once, even if requested repeatedly": Effect.gen(function* () {
      const { created } = yield* people
      const store = yield* FollowStore
      const [one, , , other] = created
      const often = Array.from({ length: 5 }, () => store.add(one.id, other.id))
      yield* Effect.all(often, { concurrency: "unbounded" })
      assert.isTrue(yield* store.has(one.id, other.id))
      assert.isFalse(yield* store.has(other.id, one.id))
      equal((yield* store.followers(anonymousViewer, other.id, all)).total, 1)
    }),
    "remove a follow once, and report when there is none": Effect.gen(function* () {
      const { created } = yield* people
      const store = yield* FollowStore
      const [one, , , other] = created
      yield* store.add(one.id, other.id)
      assert.isFalse(yield* store.remove(other.id, one.id))
      assert.isTrue(yield* store.remove(one.id, other.id))
      assert.isFalse(yield* store.remove(one.id, other.id))
      assert.isFalse(yield* store.has(one.id, other.id))
    }),
    "list visible users in the order of following, with the matching total": Effect.gen(function* () {
      const { created } = yield* people
      const store = yield* FollowStore
      const [star, hidden, limited, open] = created
      for (const each of [open, hidden, limited]) {
        yield* store.add(each.id, star.id)
        yield* store.add(star.id, each.id)
      }
      for (const list of [store.followers, store.following]) {
        const shown = (viewer: typeof anonymousViewer, page = all) => Effect.map(list(viewer, star.id, page), namesOf)
        equal(yield* shown(anonymousViewer), { names: [open.name], total: 1 })
        equal(yield* shown(viewing(open)), { names: [open.name, limited.name], total: 2 })
        equal(yield* shown(viewing(hidden)), { names: [open.name, hidden.name, limited.name], total: 3 })
        equal(yield* shown(viewing(hidden, scopeOf(["all", "public-only"]))), yield* shown(anonymousViewer))
        equal(yield* shown(viewing(hidden), { page: 2, perPage: 2 }), { names: [limited.name], total: 3 })
        equal(yield* shown(viewing(hidden), { page: 3, perPage: 2 }), { names: [], total: 3 })
        yield* samePaginated((page) => list(viewing(hidden), star.id, page))
      }
      equal(yield* Effect.map(store.followers(anonymousViewer, missing, all), namesOf), { names: [], total: 0 })
    }),
    "remove the follows of a removed user": Effect.gen(function* () {
      const { created, users } = yield* people
      const store = yield* FollowStore
      const [one, , , other] = created
      yield* store.add(one.id, other.id)
      yield* store.add(other.id, one.id)
      yield* users.remove(one.id)
      assert.isFalse(yield* store.has(one.id, other.id))
      equal((yield* store.following(anonymousViewer, other.id, all)).total, 0)
    })
  }
}

/** Contract tests of the store of blocks (users who block users). */
export const blocks: Contract<Stores> = {
  port: "BlockStore",
  musts: {
    "store a block once, with the latest note": Effect.gen(function* () {
      const { created } = yield* people
      const store = yield* BlockStore
      const [blocker, , , blocked] = [created[0].id, 0, 0, created[3].id]
      yield* store.add({ blocker, blocked, note: "first" })
      yield* store.add({ blocker, blocked, note: "second" })
      equal(yield* store.find(blocker, blocked), { blocker, blocked, note: "second" })
      assert.isUndefined(yield* store.find(blocked, blocker))
      equal((yield* store.list(anonymousViewer, blocker, all)).total, 1)
    }),
    "remove a block once, and report when there is none": Effect.gen(function* () {
      const { created } = yield* people
      const store = yield* BlockStore
      const [one, other] = created
      yield* store.add({ blocker: one.id, blocked: other.id, note: "" })
      assert.isFalse(yield* store.remove(other.id, one.id))
      assert.isTrue(yield* store.remove(one.id, other.id))
      assert.isFalse(yield* store.remove(one.id, other.id))
    }),
    "list visible blocked users in the order of blocking, with the matching total": Effect.gen(function* () {
      const { created } = yield* people
      const store = yield* BlockStore
      const [one, hidden, limited, open] = created
      for (const each of [open, hidden, limited]) {
        yield* store.add({ blocker: one.id, blocked: each.id, note: "" })
      }
      const shown = (viewer: typeof anonymousViewer) => Effect.map(store.list(viewer, one.id, all), namesOf)
      equal(yield* shown(viewing(one)), { names: [open.name, limited.name], total: 2 })
      yield* samePaginated((page) => store.list(viewing(one), one.id, page))
      equal(yield* shown(viewing({ ...one, admin: true })), {
        names: [open.name, hidden.name, limited.name],
        total: 3
      })
      yield* (yield* UserStore).replace({ ...open, visibility: "private" })
      equal(yield* shown(viewing(one)), { names: [limited.name], total: 1 })
    }),
    "find which of the given users block a user": Effect.gen(function* () {
      const { created } = yield* people
      const store = yield* BlockStore
      const [one, other, third, fourth] = created
      for (const each of [one, other]) yield* store.add({ blocker: each.id, blocked: third.id, note: "" })
      yield* store.add({ blocker: third.id, blocked: fourth.id, note: "" })
      const everybody = created.map(({ id }) => id)
      equal(yield* store.blockersOf(third.id, everybody), [one.id, other.id])
      equal(yield* store.blockersOf(third.id, [other.id, fourth.id]), [other.id])
      equal(yield* store.blockersOf(one.id, everybody), [])
      equal(yield* store.blockersOf(third.id, []), [])
    }),
    "find which of the given users an owner blocks": Effect.gen(function* () {
      const { created } = yield* people
      const store = yield* BlockStore
      const [one, other, third, fourth] = created
      for (const each of [third, other]) yield* store.add({ blocker: one.id, blocked: each.id, note: "" })
      yield* store.add({ blocker: fourth.id, blocked: one.id, note: "" })
      const everybody = created.map(({ id }) => id)
      equal(yield* store.blockedBy(one.id, everybody), [other.id, third.id])
      equal(yield* store.blockedBy(one.id, [third.id, fourth.id]), [third.id])
      equal(yield* store.blockedBy(third.id, everybody), [])
      equal(yield* store.blockedBy(one.id, []), [])
    }),
    "keep the blocks of organizations separate from those of users": organizationBlocks.separate,
    "remove the blocks of a removed user or organization": {
      "of a user": Effect.gen(function* () {
        const { created, users } = yield* people
        const store = yield* BlockStore
        const [one, other, third] = created
        yield* store.add({ blocker: one.id, blocked: other.id, note: "" })
        yield* store.add({ blocker: third.id, blocked: one.id, note: "" })
        yield* users.remove(one.id)
        assert.isUndefined(yield* store.find(one.id, other.id))
        assert.isUndefined(yield* store.find(third.id, one.id))
      }),
      "of an organization": organizationBlocks.forgotten
    }
  }
}
