import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type AllowedPeople,
  type NewBranchProtection,
  type NewTagProtection,
  ProtectionStore,
  RepositoryStore,
  strictRules
} from "@slipway/domain/forge/code"
import type { TeamId, UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { equal, organization, refusalOf, repository, team, user } from "../base/fixtures.ts"

const at = "2026-01-02T03:04:05.678Z"

const branch = (repositoryId: RepositoryId, ruleName: string, facts: Partial<NewBranchProtection> = {}) => ({
  ...strictRules,
  repositoryId,
  ruleName,
  priority: 1,
  createdAt: at,
  updatedAt: at,
  ...facts
})

const tag = (repositoryId: RepositoryId, namePattern: string, facts: Partial<NewTagProtection> = {}) => ({
  repositoryId,
  namePattern,
  allowed: { users: [], teams: [] },
  createdAt: at,
  updatedAt: at,
  ...facts
})

const fixture = Effect.gen(function* () {
  const store = yield* ProtectionStore
  const ann = yield* user(1)
  const mine = yield* repository(1, { kind: "user", id: ann.id })
  const other = yield* repository(2, { kind: "user", id: ann.id })
  return { store, ann, mine, other }
})

const everything: Partial<NewBranchProtection> = {
  push: { enabled: true, limited: true, allowed: { users: [7 as UserId], teams: [8 as TeamId] }, deployKeys: true },
  forcePush: { enabled: true, limited: false, allowed: { users: [], teams: [] }, deployKeys: false },
  merge: { limited: true, allowed: { users: [9 as UserId], teams: [] } },
  approvals: {
    limited: true,
    allowed: { users: [], teams: [3 as TeamId] },
    required: 2,
    dismissStale: true,
    ignoreStale: true
  },
  statusChecks: { enabled: true, contexts: ["ci/*", "lint"] },
  blockOnRejectedReviews: true,
  blockOnRequestedReviews: true,
  blockOnOutdatedBranch: true,
  blockAdminOverride: true,
  requireSignedCommits: true,
  protectedFiles: "*.lock;infra/**",
  unprotectedFiles: "docs/**"
}

/** Contract tests of the store of branch and tag protections. Every implementation must pass them. */
export const protections: Contract<Stores> = {
  port: "ProtectionStore",
  musts: {
    "return a branch protection as inserted, with an id": Effect.gen(function* () {
      const { mine, store } = yield* fixture
      const row = branch(mine.id, "release/*", { ...everything, priority: 4, updatedAt: "2027-01-02T03:04:05.678Z" })
      const inserted = yield* store.insertBranch(row)
      equal(inserted, { ...row, id: inserted.id })
      equal(yield* store.branchNamed(mine.id, "release/*"), inserted)
      for (const name of ["Release/*", "", "\0", "\ud800"]) assert.isUndefined(yield* store.branchNamed(mine.id, name))
    }),
    "return a tag protection as inserted, with an id": Effect.gen(function* () {
      const { mine, store } = yield* fixture
      const row = tag(mine.id, "v*", { allowed: { users: [1 as UserId, 2 as UserId], teams: [3 as TeamId] } })
      const inserted = yield* store.insertTag(row)
      equal(inserted, { ...row, id: inserted.id })
      equal(yield* store.tag(mine.id, inserted.id), inserted)
      assert.isUndefined(yield* store.tag(mine.id, 1.5))
    }),
    "reject a second protection of the same rule or pattern in a repository": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      yield* store.insertBranch(branch(mine.id, "main"))
      equal(yield* refusalOf(store.insertBranch(branch(mine.id, "main"))), "Duplicate branchProtection.ruleName")
      yield* store.insertBranch(branch(mine.id, "Main"))
      yield* store.insertBranch(branch(other.id, "main"))
      yield* store.insertTag(tag(mine.id, "v*"))
      const second = yield* store.insertTag(tag(mine.id, "w*"))
      equal(yield* refusalOf(store.insertTag(tag(mine.id, "v*"))), "Duplicate tagProtection.namePattern")
      equal(yield* refusalOf(store.replaceTag({ ...second, namePattern: "v*" })), "Duplicate tagProtection.namePattern")
    }),
    "insert all of several branch protections or none": Effect.gen(function* () {
      const { mine, store } = yield* fixture
      const inserted = yield* store.insertBranches([branch(mine.id, "b"), branch(mine.id, "a", everything)])
      equal(yield* store.branchNamed(mine.id, "a"), inserted[1])
      const again = store.insertBranches([branch(mine.id, "c"), branch(mine.id, "b")])
      equal(yield* refusalOf(again), "Duplicate branchProtection.ruleName")
      assert.isUndefined(yield* store.branchNamed(mine.id, "c"))
      equal(yield* store.insertBranches([]), [])
    }),
    "remove teams only from the protections of the given repository": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      const allowed = { users: [1 as UserId], teams: [3 as TeamId] }
      const usersAlone = { users: [1 as UserId], teams: [] }
      const { approvals, forcePush, merge, push } = branch(mine.id, "main", everything)
      const rules = (people: AllowedPeople) => ({
        approvals: { ...approvals, allowed: people },
        forcePush: { ...forcePush, allowed: people },
        merge: { ...merge, allowed: people },
        push: { ...push, allowed: people }
      })
      const otherProtection = yield* store.insertBranch(branch(other.id, "main", rules(allowed)))
      const main = yield* store.insertBranch(branch(mine.id, "main", rules(allowed)))
      const tagged = yield* store.insertTag(tag(mine.id, "v*", { allowed }))
      yield* store.withoutTeams(mine.id)
      equal(yield* store.branches(mine.id), [{ ...main, ...rules(usersAlone) }])
      equal(yield* store.tags(mine.id), [{ ...tagged, allowed: usersAlone }])
      equal(yield* store.branches(other.id), [otherProtection])
    }),
    "find, replace and remove only protections of the given repository": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      const main = yield* store.insertBranch(branch(mine.id, "main"))
      const changed = { ...main, ...branch(mine.id, "main", { ...everything, priority: 9 }) }
      // Invariant I6: the id of a protection is invalid below another repository.
      assert.isFalse(yield* store.replaceBranch({ ...changed, repositoryId: other.id }))
      assert.isFalse(yield* store.removeBranch(other.id, main.id))
      assert.isUndefined(yield* store.branchNamed(other.id, "main"))
      assert.isTrue(yield* store.replaceBranch(changed))
      equal(yield* store.branches(mine.id), [changed])
      assert.isTrue(yield* store.removeBranch(mine.id, main.id))
      assert.isFalse(yield* store.removeBranch(mine.id, main.id))
      const tagged = yield* store.insertTag(tag(mine.id, "v*"))
      const renamed = { ...tagged, namePattern: "x*", allowed: { users: [5 as UserId], teams: [] } }
      assert.isFalse(yield* store.replaceTag({ ...renamed, repositoryId: other.id }))
      assert.isUndefined(yield* store.tag(other.id, tagged.id))
      assert.isFalse(yield* store.removeTag(other.id, tagged.id))
      assert.isTrue(yield* store.replaceTag(renamed))
      equal(yield* store.tag(mine.id, tagged.id), renamed)
      assert.isTrue(yield* store.removeTag(mine.id, tagged.id))
      equal(yield* store.tags(mine.id), [])
    }),
    "list the branch protections of a repository by priority, and its tag protections by id": Effect.gen(function* () {
      const { mine, other, store } = yield* fixture
      for (const [name, priority] of [
        ["c", 3],
        ["a", 1],
        ["b", 1]
      ] as const) {
        yield* store.insertBranch(branch(mine.id, name, { priority }))
      }
      for (const name of ["z", "y"]) yield* store.insertTag(tag(mine.id, name))
      yield* store.insertBranch(branch(other.id, "x"))
      equal(
        (yield* store.branches(mine.id)).map(({ ruleName }) => ruleName),
        ["a", "b", "c"]
      )
      equal(
        (yield* store.tags(mine.id)).map(({ namePattern }) => namePattern),
        ["z", "y"]
      )
    }),
    "set the priorities of branch protections by the given order, and only in their repository": Effect.gen(
      function* () {
        const { mine, other, store } = yield* fixture
        const [a, b] = [
          yield* store.insertBranch(branch(mine.id, "a", { priority: 5 })),
          yield* store.insertBranch(branch(mine.id, "b", { priority: 6 }))
        ]
        const c = yield* store.insertBranch(branch(other.id, "c", { priority: 7 }))
        yield* store.prioritise(mine.id, [c.id, b.id, a.id, 404_404])
        equal(
          (yield* store.branches(mine.id)).map(({ priority, ruleName }) => [ruleName, priority]),
          [
            ["b", 2],
            ["a", 3]
          ]
        )
        equal((yield* store.branches(other.id))[0]?.priority, 7)
      }
    ),
    "return which of the given teams a user is in": Effect.gen(function* () {
      const { ann, store } = yield* fixture
      const acme = yield* organization(1)
      const [inside, outside] = [yield* team(1, acme, {}, [ann]), yield* team(2, acme)]
      equal(yield* store.teamsAmong(ann.id, [inside.id, outside.id]), [inside.id])
      equal(yield* store.teamsAmong(ann.id, []), [])
    }),
    "return which of the given teams each of many users is in": Effect.gen(function* () {
      const { ann, store } = yield* fixture
      const acme = yield* organization(1)
      const bob = yield* user(40, { name: "bobby" })
      const cy = yield* user(41, { name: "cyril" })
      const one = yield* team(1, acme, {}, [ann, bob])
      const two = yield* team(2, acme, {}, [ann])
      const three = yield* team(3, acme, {}, [bob, cy])
      const found = yield* store.teamsOfEach([ann.id, bob.id, cy.id], [one.id, two.id])
      equal(
        new Map([...found].map(([id, teams]) => [id, [...teams].toSorted((a, b) => a - b)])),
        new Map([
          [ann.id, [one.id, two.id]],
          [bob.id, [one.id]]
        ])
      )
      equal((yield* store.teamsOfEach([], [three.id])).size, 0)
      equal((yield* store.teamsOfEach([cy.id], [])).size, 0)
    }),
    "remove the protections of a removed repository": Effect.gen(function* () {
      const { mine, store } = yield* fixture
      yield* store.insertBranch(branch(mine.id, "main"))
      yield* store.insertTag(tag(mine.id, "v*"))
      yield* (yield* RepositoryStore).remove(mine.id)
      equal(yield* store.branches(mine.id), [])
      equal(yield* store.tags(mine.id), [])
    })
  }
}
