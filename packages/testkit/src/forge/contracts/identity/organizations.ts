import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { scopeOf } from "@slipway/domain/forge/access"
import {
  MemberStore,
  type OrganizationId,
  OrganizationStore,
  organizationSettings,
  TeamStore,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import {
  all,
  anonymousViewer,
  avatarNamed,
  missing,
  moment,
  namesOf,
  newOrganization,
  newUser,
  viewing
} from "../../builders.ts"
import { changedSettings } from "../../sampleSettings.ts"
import { equal, oddTexts, organization, refusalOf, run, samePaginated, team, user } from "../base/fixtures.ts"

const missingOrganization = missing as unknown as OrganizationId
const publicOnly = scopeOf(["all", "public-only"])

/** Fields that a replacement can't change. */
const untouched = { name: "x", avatar: avatarNamed(7), createdAt: moment(50) } as const

const everySetting = { ...changedSettings(organizationSettings), updatedAt: moment(99) }

const numbered = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const ids: Array<number> = []
  for (const n of [1, 2]) {
    ids.push((yield* user(n)).id)
    const row = newOrganization(n, n === 1 ? {} : everySetting)
    const stored = yield* store.insert(row)
    equal(stored, { ...row, id: stored.id, avatar: null })
    equal(yield* store.find(stored.id), stored)
    ids.push(stored.id)
  }
  equal(new Set(ids).size, 4)
})

const refusesNames = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const users = yield* UserStore
  const person = yield* user(1, { name: "Bob" })
  const acme = yield* organization(1, { name: "Acme" })
  for (const name of ["acme", "ACME", "bob"]) {
    equal(yield* refusalOf(store.insert(newOrganization(2, { name }))), "Duplicate owner.name")
  }
  equal(yield* refusalOf(users.insert(newUser(2, { name: "aCme" }))), "Duplicate owner.name")
  equal(yield* refusalOf(users.rename(person.id, "acme")), "Duplicate owner.name")
  equal(yield* refusalOf(store.rename(acme.id, "BOB")), "Duplicate owner.name")
  equal((yield* store.find(acme.id))?.name, "Acme")
  assert.isTrue(yield* store.rename(acme.id, "ACME"))
  assert.isFalse(yield* store.rename(missingOrganization, "other"))
})

const takesOldNames = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const users = yield* UserStore
  const person = yield* user(1, { name: "bob" })
  const acme = yield* organization(1, { name: "acme" })
  yield* users.rename(person.id, "robert")
  yield* store.rename(acme.id, "globex")
  // Each organization takes the former name of the other.
  assert.isTrue(yield* store.rename(acme.id, "bob"))
  assert.isTrue(yield* users.rename(person.id, "acme"))
  assert.isUndefined(yield* users.named("bob"))
  equal((yield* store.named("bob"))?.organization.id, acme.id)
  assert.isUndefined(yield* store.named("acme"))
  equal((yield* users.named("acme"))?.user.id, person.id)
  equal((yield* store.named("globex"))?.renamed, true)
  const next = yield* organization(2, { name: "globex" })
  equal(yield* store.named("globex"), { organization: next, renamed: false })
  const someone = yield* user(3, { name: "robert" })
  equal((yield* users.named("robert"))?.user.id, someone.id)
})

const findsRenamed = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const acme = yield* organization(1, { name: "first" })
  yield* store.rename(acme.id, "second")
  yield* store.rename(acme.id, "third")
  const present = { ...acme, name: "third" }
  for (const name of ["first", "SECOND"]) equal(yield* store.named(name), { organization: present, renamed: true })
  equal(yield* store.named("Third"), { organization: present, renamed: false })
  for (const name of oddTexts) assert.isUndefined(yield* store.named(name))
  yield* organization(2, { name: "first" })
  equal((yield* store.named("first"))?.renamed, false)
  // An owner can take back its former name.
  yield* store.rename(acme.id, "second")
  equal(yield* store.named("second"), { organization: { ...acme, name: "second" }, renamed: false })
  equal((yield* store.named("third"))?.renamed, true)
})

const removes = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const bob = yield* user(1)
  const acme = yield* organization(1, { name: "acme" })
  const owners = yield* team(1, acme, { owners: true }, [bob])
  yield* (yield* MemberStore).setPublic(acme.id, bob.id, true)
  yield* store.rename(acme.id, "other")
  assert.isTrue(yield* store.remove(acme.id))
  assert.isFalse(yield* store.remove(acme.id))
  assert.isUndefined(yield* store.find(acme.id))
  for (const name of ["acme", "other"]) assert.isUndefined(yield* store.named(name))
  assert.isUndefined(yield* (yield* TeamStore).find(owners.id))
  assert.isUndefined(yield* (yield* MemberStore).find(acme.id, bob.id))
  equal((yield* store.insert(newOrganization(2, { name: "acme" }))).name, "acme")
})

const directory = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const [boss, bob, rex] = [
    yield* user(1, { admin: true }),
    yield* user(2),
    yield* user(3, { restricted: true })
  ] as const
  yield* organization(1, { name: "zeta" })
  yield* organization(2, { name: "Beta", visibility: "limited" })
  const gamma = yield* organization(3, { name: "gamma", visibility: "private" })
  const alpha = yield* organization(4, { name: "alpha" })
  yield* team(1, gamma, { owners: true }, [bob])
  yield* team(2, alpha, {}, [rex])
  const shown = (viewer: typeof anonymousViewer, page = all) => Effect.map(store.directory(viewer, page), namesOf)
  equal(yield* shown(anonymousViewer), { names: ["alpha", "zeta"], total: 2 })
  equal(yield* shown(viewing(bob)), { names: ["alpha", "Beta", "zeta"], total: 3 })
  equal(yield* shown(viewing(bob, publicOnly)), { names: ["alpha", "zeta"], total: 2 })
  equal(yield* shown(viewing(rex)), { names: ["alpha"], total: 1 })
  equal(yield* shown(viewing(boss)), { names: ["alpha", "Beta", "gamma", "zeta"], total: 4 })
  equal(yield* shown(viewing(boss, publicOnly)), { names: ["alpha", "zeta"], total: 2 })
  equal(yield* shown(viewing(boss), { page: 2, perPage: 3 }), { names: ["zeta"], total: 4 })
  yield* samePaginated((page) => store.directory(viewing(boss), page))
  equal(yield* shown(viewing(boss), { page: 3, perPage: 3 }), { names: [], total: 4 })
})

const searched = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const boss = yield* user(1, { admin: true })
  yield* organization(1, { name: "Brightwater" })
  yield* organization(2, { name: "water.works_1" })
  yield* organization(3, { name: "hidden-water", visibility: "private" })
  yield* organization(4, { name: "other" })
  const found = (viewer: typeof anonymousViewer, text: string, page = all) =>
    Effect.map(store.directory(viewer, page, text), namesOf)
  equal(yield* found(anonymousViewer, "WATER"), { names: ["Brightwater", "water.works_1"], total: 2 })
  equal(yield* found(viewing(boss), "water"), { names: ["Brightwater", "hidden-water", "water.works_1"], total: 3 })
  equal(yield* found(viewing(boss), "water", { page: 2, perPage: 2 }), { names: ["water.works_1"], total: 3 })
  equal(yield* found(anonymousViewer, "s_1"), { names: ["water.works_1"], total: 1 })
  for (const text of ["%", "wat_r", "\\", "\0", "\ud800", "nothing"]) {
    equal(yield* found(viewing(boss), text), { names: [], total: 0 })
  }
})

const ofUser = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const members = yield* MemberStore
  const [bob, cy, eve] = [yield* user(1), yield* user(2), yield* user(3)] as const
  const open = yield* organization(1, { name: "open" })
  const closed = yield* organization(2, { name: "Closed", visibility: "private" })
  const known = yield* organization(3, { name: "known" })
  yield* organization(4, { name: "other" })
  yield* team(1, open, {}, [bob])
  yield* team(2, open, {}, [bob])
  yield* team(3, closed, {}, [bob, cy])
  yield* team(4, known, {}, [bob])
  yield* members.setPublic(known.id, bob.id, true)
  yield* members.setPublic(closed.id, bob.id, true)
  const shown = (viewer: typeof anonymousViewer, concealedToo = false, page = all) =>
    Effect.map(store.ofUser(viewer, bob.id, { concealedToo }, page), namesOf)
  equal(yield* shown(viewing(bob), true), { names: ["Closed", "known", "open"], total: 3 })
  equal(yield* shown(viewing(bob), true, { page: 2, perPage: 2 }), { names: ["open"], total: 3 })
  equal(yield* shown(viewing(bob, publicOnly), true), { names: ["known", "open"], total: 2 })
  equal(yield* shown(viewing(bob, publicOnly)), { names: ["known"], total: 1 })
  yield* samePaginated((page) => store.ofUser(viewing(bob), bob.id, { concealedToo: true }, page))
  equal(yield* shown(viewing(cy)), { names: ["Closed", "known"], total: 2 })
  equal(yield* shown(viewing(eve)), { names: ["known"], total: 1 })
  equal(yield* shown(anonymousViewer), { names: ["known"], total: 1 })
  equal((yield* store.ofUser(viewing(eve), eve.id, { concealedToo: true }, all)).total, 0)
  yield* store.rename(open.id, "a-open")
  yield* store.replace({ ...known, visibility: "private" })
  equal(yield* shown(viewing(bob), true), { names: ["a-open", "Closed", "known"], total: 3 })
  equal(yield* shown(viewing(eve)), { names: [], total: 0 })
})

const locked = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const acme = yield* organization(1)
  const changed = { ...acme, location: "changed" }
  const [, seen] = yield* runInTurn(
    store.find(acme.id),
    (held) => run(store.lock(acme.id).pipe(Effect.andThen(held), Effect.andThen(store.replace(changed)))),
    run(store.lock(acme.id))
  )
  equal(seen, changed)
  yield* runInTurn(
    store.find(acme.id),
    (held) => run(store.lock(acme.id).pipe(Effect.andThen(held), Effect.andThen(store.replace(acme)))),
    store.rename(acme.id, "renamed")
  )
  equal(yield* store.find(acme.id), { ...acme, name: "renamed" })
  assert.isUndefined(yield* run(store.lock(missingOrganization)))
})

const ownedAlone = Effect.gen(function* () {
  const store = yield* OrganizationStore
  const [bob, cy] = [yield* user(1), yield* user(2)] as const
  const [alone, shared, member] = [
    yield* organization(1, { name: "zz-alone" }),
    yield* organization(2),
    yield* organization(3)
  ] as const
  const also = yield* organization(4, { name: "aa-alone" })
  yield* team(1, alone, { owners: true }, [bob])
  yield* team(2, alone, {}, [bob, cy])
  yield* team(3, shared, { owners: true }, [bob, cy])
  yield* team(4, member, { owners: true }, [cy])
  yield* team(5, member, {}, [bob])
  yield* team(6, also, { owners: true }, [bob])
  equal(yield* run(store.lockOwnedAlone(bob.id)), [also, alone])
  equal(yield* run(store.lockOwnedAlone(cy.id)), [member])
  equal(yield* run(store.lockOwnedAlone(missing)), [])
  const [, seen] = yield* runInTurn(
    store.find(alone.id),
    (held) => run(store.lockOwnedAlone(bob.id).pipe(Effect.andThen(held))),
    run(store.lock(alone.id))
  )
  equal(seen, alone)
})

/** Contract tests of the store of organizations. Every implementation must pass them. */
export const organizations: Contract<Stores> = {
  port: "OrganizationStore",
  musts: {
    "return an organization as inserted, with an id that no user has": numbered,
    "find many organizations by id, each once": Effect.gen(function* () {
      const store = yield* OrganizationStore
      const [one, two] = [yield* organization(1), yield* organization(2)]
      const found = yield* store.findMany([two.id, one.id, two.id, missingOrganization])
      equal(
        [...found].toSorted(([a], [b]) => a - b),
        [
          [one.id, one],
          [two.id, two]
        ]
      )
      equal((yield* store.findMany([])).size, 0)
    }),
    "return nothing for a missing organization": Effect.gen(function* () {
      const store = yield* OrganizationStore
      const person = yield* user(1)
      for (const id of [missingOrganization, person.id as unknown as OrganizationId]) {
        assert.isUndefined(yield* store.find(id))
        assert.isFalse(yield* store.replace({ ...newOrganization(1), id, avatar: null }))
        assert.isFalse(yield* store.remove(id))
      }
      assert.isUndefined(yield* store.named(person.name))
      equal((yield* (yield* UserStore).find(person.id))?.name, person.name)
    }),
    "reject a name of a user or an organization, ignoring case": refusesNames,
    "accept a name that only redirects to a user or an organization": takesOldNames,
    "replace only the fields that owners set": Effect.gen(function* () {
      const store = yield* OrganizationStore
      const acme = yield* organization(1)
      const other = yield* organization(2)
      assert.isTrue(yield* store.replace({ ...acme, ...everySetting, ...untouched }))
      equal(yield* store.find(acme.id), { ...acme, ...everySetting })
      equal(yield* store.find(other.id), other)
    }),
    "change only the avatar on request, and return the previous one": Effect.gen(function* () {
      const store = yield* OrganizationStore
      const acme = yield* organization(1)
      const other = yield* organization(2)
      equal(yield* store.setAvatar(acme.id, avatarNamed(1)), null)
      equal(yield* store.setAvatar(acme.id, avatarNamed(2)), avatarNamed(1))
      equal(yield* store.find(acme.id), { ...acme, avatar: avatarNamed(2) })
      equal(yield* store.setAvatar(acme.id, null), avatarNamed(2))
      equal(yield* store.find(acme.id), acme)
      equal(yield* store.find(other.id), other)
      assert.isUndefined(yield* store.setAvatar(missingOrganization, avatarNamed(3)))
    }),
    "find a renamed organization by all previous names, until another account takes them": findsRenamed,
    "remove an organization with all its resources, and report when it is missing": removes,
    "list the directory of visible organizations by name, with the matching total": directory,
    "find organizations by a part of their name, ignoring case, with any special characters": searched,
    "list the organizations of a user that the viewer can see, by name, with the matching total": ofUser,
    "block changes to a locked organization by other transactions until this one ends": locked,
    "return the organizations with the user as only owner, and lock their owners until this transaction ends":
      ownedAlone
  }
}

const membership = Effect.gen(function* () {
  const store = yield* MemberStore
  const [bob, eve] = [yield* user(1), yield* user(2)] as const
  const [acme, other] = [yield* organization(1), yield* organization(2)] as const
  const owners = yield* team(1, acme, { owners: true, units: { "repo.code": 3, "repo.ext_wiki": 1 } }, [bob])
  yield* team(2, acme, {}, [eve])
  const builders = yield* team(3, acme, { visibility: "limited", mayCreateRepositories: true }, [bob])
  yield* team(4, other, {}, [eve])
  return { store, acme, other, bob, eve, owners, builders }
})

/** Contract tests of the store of organization members. Every implementation must pass them. */
export const members: Contract<Stores> = {
  port: "MemberStore",
  musts: {
    "find the membership of a user, with the teams behind it": Effect.gen(function* () {
      const { acme, bob, builders, other, owners, store } = yield* membership
      equal(yield* store.find(acme.id, bob.id), { teams: [owners, builders], public: false })
      assert.isUndefined(yield* store.find(other.id, bob.id))
      assert.isUndefined(yield* store.find(acme.id, missing))
    }),
    "list the visible members by name, all or only public ones, with the matching total": Effect.gen(function* () {
      const { acme, bob, eve, store } = yield* membership
      const hidden = yield* user(3, { name: "aa-hidden", visibility: "private" })
      const limited = yield* user(4, { name: "Limited", visibility: "limited" })
      yield* team(5, acme, {}, [hidden, limited, bob])
      for (const { id } of [limited, bob, hidden]) yield* store.setPublic(acme.id, id, true)
      const shown = (viewer: typeof anonymousViewer, publicOnes: boolean, page = all) =>
        Effect.map(store.list(viewer, acme.id, { publicOnes, hiddenToo: false }, page), namesOf)
      equal(yield* shown(viewing(eve), false), { names: ["Limited", "user-1", "user-2"], total: 3 })
      equal(yield* shown(viewing(eve), false, { page: 2, perPage: 2 }), { names: ["user-2"], total: 3 })
      equal(yield* shown(viewing(eve), true), { names: ["Limited", "user-1"], total: 2 })
      equal(yield* shown(anonymousViewer, true), { names: ["user-1"], total: 1 })
      for (const publicOnes of [true, false]) {
        yield* samePaginated((page) => store.list(viewing(eve), acme.id, { publicOnes, hiddenToo: false }, page))
      }
      equal((yield* shown(viewing(hidden), false)).names, ["aa-hidden", "Limited", "user-1", "user-2"])
      // Members are listed by their current names and their current visibility.
      const users = yield* UserStore
      yield* users.rename(bob.id, "Zoe")
      yield* users.replace({ ...limited, visibility: "private" })
      yield* users.replace({ ...hidden, visibility: "public" })
      equal(yield* shown(viewing(eve), false), { names: ["aa-hidden", "user-2", "Zoe"], total: 3 })
      equal(yield* shown(anonymousViewer, true), { names: ["aa-hidden", "Zoe"], total: 2 })
    }),
    "list members with hidden accounts on request": Effect.gen(function* () {
      const { acme, bob, store } = yield* membership
      const hidden = yield* user(3, { visibility: "private" })
      yield* team(5, acme, {}, [hidden])
      const shown = (publicOnes: boolean) =>
        Effect.map(store.list(viewing(bob), acme.id, { publicOnes, hiddenToo: true }, all), namesOf)
      equal(yield* shown(false), { names: ["user-1", "user-2", "user-3"], total: 3 })
      equal(yield* shown(true), { names: [], total: 0 })
    }),
    "publish and conceal a membership, and report when it is missing": Effect.gen(function* () {
      const { acme, bob, other, store } = yield* membership
      const isPublic = Effect.map(store.find(acme.id, bob.id), (found) => found?.public)
      for (const _ of ["once", "twice"]) {
        assert.isTrue(yield* store.setPublic(acme.id, bob.id, true))
        equal(yield* isPublic, true)
      }
      assert.isFalse(yield* store.setPublic(other.id, bob.id, true))
      for (const _ of ["once", "twice"]) {
        assert.isTrue(yield* store.setPublic(acme.id, bob.id, false))
        equal(yield* isPublic, false)
      }
      assert.isFalse(yield* store.setPublic(other.id, bob.id, false))
    }),
    "remove a member from every team of only the given organization, and report when it is missing": Effect.gen(
      function* () {
        const { acme, bob, eve, other, store } = yield* membership
        const elsewhere = yield* team(5, other, {}, [bob])
        yield* store.setPublic(acme.id, bob.id, true)
        yield* store.setPublic(other.id, bob.id, true)
        assert.isTrue(yield* store.remove(acme.id, bob.id))
        assert.isFalse(yield* store.remove(acme.id, bob.id))
        assert.isUndefined(yield* store.find(acme.id, bob.id))
        equal(yield* store.find(other.id, bob.id), { teams: [elsewhere], public: true })
        equal((yield* store.find(acme.id, eve.id))?.teams.length, 1)
        // Invariant I7: a returning member isn't public because of the earlier membership.
        yield* team(6, acme, {}, [bob])
        equal((yield* store.find(acme.id, bob.id))?.public, false)
      }
    ),
    "count the owners of an organization": Effect.gen(function* () {
      const { acme, eve, other, owners, store } = yield* membership
      equal(yield* store.countOwners(acme.id), 1)
      yield* (yield* TeamStore).addMember(owners.id, eve.id)
      equal(yield* store.countOwners(acme.id), 2)
      equal(yield* store.countOwners(other.id), 0)
    })
  }
}
