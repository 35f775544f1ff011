import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type NewPush, type PushedRef, type PushId, PushStore, RepositoryStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all } from "../../builders.ts"
import { equal, repository, samePaginated, user } from "../base/fixtures.ts"

const at = "2026-01-02T03:04:05.678Z"
const one = "1".repeat(40)
const two = "2".repeat(40)
const three = "3".repeat(40)

const ref = (name: string, before: string | null, after: string | null): PushedRef => ({
  ref: name,
  before,
  after,
  forced: false,
  commits: [{ id: one, subject: "Ünï", author: "Ann", email: "a@x.example", at }],
  commitCount: 1
})

const newPush = (repositoryId: RepositoryId, ...refs: ReadonlyArray<PushedRef>): NewPush => ({
  repositoryId,
  at,
  refs,
  size: 12,
  event: {
    at,
    action: "git.push",
    outcome: "done",
    refusedBy: null,
    actor: null,
    signedInAs: null,
    signedInWith: { kind: "nothing" },
    address: "",
    subject: { kind: "repository", id: repositoryId, name: "ann/r1" },
    organizationId: null,
    teamId: null,
    repositoryId,
    details: { refs: refs.length }
  }
})

const fixture = Effect.gen(function* () {
  const store = yield* PushStore
  const ann = yield* user(1)
  const mine = yield* repository(1, { kind: "user", id: ann.id })
  const other = yield* repository(2, { kind: "user", id: ann.id })
  return { store, mine, other }
})

/** Contract tests of the store of pushes. Every implementation must pass them. */
export const pushes: Contract<Stores> = {
  port: "PushStore",
  musts: {
    "return a new push as begun, with the state open and an id": Effect.gen(function* () {
      const { mine, store } = yield* fixture
      const row = newPush(mine.id, ref("refs/heads/main", null, one), ref("refs/tags/ü", two, null))
      const begun = yield* store.begin(row)
      equal(begun, { ...row, id: begun.id, settled: false })
      equal(yield* store.find(begun.id), begun)
    }),
    "return nothing for a missing push": Effect.gen(function* () {
      const { store } = yield* fixture
      assert.isUndefined(yield* store.find(404_404 as PushId))
      assert.isFalse(yield* store.settle(404_404 as PushId, []))
      equal(yield* store.followed(404_404 as PushId), [])
    }),
    "settle a push once with its changed refs, and report when it was settled before": Effect.gen(function* () {
      const { mine, store } = yield* fixture
      const [main, next] = [ref("refs/heads/main", null, one), ref("refs/heads/next", null, two)]
      const begun = yield* store.begin(newPush(mine.id, main, next))
      assert.isTrue(yield* store.settle(begun.id, ["refs/heads/next", "refs/heads/else"]))
      assert.isFalse(yield* store.settle(begun.id, ["refs/heads/main"]))
      equal(yield* store.find(begun.id), { ...begun, refs: [next], settled: true })
    }),
    "count the bytes of the open pushes of a repository": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      assert.strictEqual(yield* store.pending(mine.id), 0)
      const row = newPush(mine.id, ref("refs/heads/main", null, one))
      const begun = yield* store.begin(row)
      yield* store.begin({ ...row, size: 5_000_000_000 })
      yield* store.begin(newPush(other.id, ref("refs/heads/main", null, one)))
      assert.strictEqual(yield* store.pending(mine.id), 5_000_000_012)
      yield* store.settle(begun.id, [])
      assert.strictEqual(yield* store.pending(mine.id), 5_000_000_000)
    }),
    "return the refs of a push that a later push changes from their new target": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      const names = ["a", "b", "c"].map((name) => `refs/heads/${name}`) as [string, string, string]
      const before = yield* store.begin(newPush(mine.id, ref(names[0], one, two)))
      const begun = yield* store.begin(newPush(mine.id, ...names.map((name) => ref(name, null, one))))
      yield* store.begin(newPush(other.id, ref(names[2], one, two)))
      yield* store.begin(newPush(mine.id, ref(names[0], one, three), ref(names[1], two, three)))
      equal(yield* store.followed(begun.id), [names[0]])
      equal(yield* store.followed(before.id), [])
    }),
    "report whether an open push of a repository changes a ref": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      const [main, next] = [ref("refs/heads/main", one, null), ref("refs/heads/next", null, one)]
      const begun = yield* store.begin(newPush(mine.id, main, next))
      assert.isTrue(yield* store.isChanging(mine.id, "refs/heads/next"))
      assert.isFalse(yield* store.isChanging(mine.id, "refs/heads/nex"))
      assert.isFalse(yield* store.isChanging(other.id, "refs/heads/next"))
      yield* store.settle(begun.id, ["refs/heads/main", "refs/heads/next"])
      assert.isFalse(yield* store.isChanging(mine.id, "refs/heads/next"))
    }),
    "list the settled pushes of a repository with changes, newest first, and count them": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      const newPushes = [1, 2, 3, 4].map(() => newPush(mine.id, ref("refs/heads/main", null, one)))
      const ids: Array<PushId> = []
      for (const push of newPushes) ids.push((yield* store.begin(push)).id)
      const [first, second, third] = ids as [PushId, PushId, PushId]
      for (const id of [first, third]) yield* store.settle(id, ["refs/heads/main"])
      yield* store.settle(second, [])
      yield* store.settle((yield* store.begin(newPush(other.id, ref("refs/heads/x", null, one)))).id, ["refs/heads/x"])
      const listed = yield* store.list(mine.id, all)
      yield* samePaginated((each) => store.list(mine.id, each))
      equal({ ids: listed.rows.map(({ id }) => id), total: listed.total }, { ids: [third, first], total: 2 })
      const page = yield* store.list(mine.id, { page: 2, perPage: 1 })
      equal({ ids: page.rows.map(({ id }) => id), total: page.total }, { ids: [first], total: 2 })
    }),
    "remove the pushes of a removed repository": Effect.gen(function* () {
      const { mine, store } = yield* fixture
      const begun = yield* store.begin(newPush(mine.id, ref("refs/heads/main", null, one)))
      yield* (yield* RepositoryStore).remove(mine.id)
      assert.isUndefined(yield* store.find(begun.id))
    })
  }
}
