import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { scopeOf } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  MemberStore,
  OrganizationStore,
  type Team,
  type TeamId,
  TeamStore,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import {
  all,
  anonymousViewer,
  missing,
  namesOf,
  newTeam,
  organizationOwner,
  userOwner,
  viewing
} from "../../builders.ts"
import { equal, oddTexts, organization, refusalOf, repository, samePaginated, team, user } from "../base/fixtures.ts"

const missingTeam = missing as unknown as TeamId
const missingRepository = missing as unknown as RepositoryId
const publicOnly = scopeOf(["all", "public-only"])

const everySetting = {
  name: "Another",
  description: "another",
  units: { "repo.code": 3, "repo.issues": 2, "repo.ext_wiki": 1, "repo.actions": 1 },
  includesAllRepositories: true,
  mayCreateRepositories: true,
  visibility: "public"
} as const satisfies Partial<Team>

const fixture = Effect.gen(function* () {
  const store = yield* TeamStore
  const [olga, bob, cy, eve] = [yield* user(1), yield* user(2), yield* user(3), yield* user(4)] as const
  const acme = yield* organization(1, { name: "acme" })
  const owners = yield* team(1, acme, { owners: true, name: "Owners", includesAllRepositories: true }, [olga])
  const builders = yield* team(2, acme, { name: "builders", visibility: "limited", description: "Make THINGS" }, [bob])
  const keepers = yield* team(3, acme, { name: "Keepers" }, [cy])
  const club = yield* team(4, acme, { name: "club", visibility: "public", description: "a thing" }, [cy])
  return { store, acme, olga, bob, cy, eve, owners, builders, keepers, club }
})

const lists = Effect.gen(function* () {
  const { acme, bob, club, cy, eve, olga, store } = yield* fixture
  const other = yield* organization(2)
  yield* team(5, other, { owners: true, name: "Owners" }, [eve])
  const shown = (viewer: typeof anonymousViewer, page = all) =>
    Effect.map(store.list(viewer, acme.id, {}, page), namesOf)
  equal(yield* shown(viewing(olga)), { names: ["builders", "club", "Keepers", "Owners"], total: 4 })
  equal(yield* shown(viewing(olga), { page: 2, perPage: 3 }), { names: ["Owners"], total: 4 })
  equal(yield* shown(viewing({ ...eve, admin: true })), { names: ["builders", "club", "Keepers", "Owners"], total: 4 })
  equal(yield* shown(viewing(bob)), { names: ["builders", "club"], total: 2 })
  yield* samePaginated((page) => store.list(viewing(olga), acme.id, {}, page))
  equal(yield* shown(viewing(cy)), { names: ["builders", "club", "Keepers"], total: 3 })
  equal(yield* shown(viewing(eve)), { names: [], total: 0 })
  equal(yield* shown(anonymousViewer), { names: [], total: 0 })
  const hush = yield* organization(3, { visibility: "private" })
  yield* team(6, hush, { name: "crew" }, [cy])
  equal((yield* store.list(viewing(cy), hush.id, {}, all)).total, 1)
  // Invariant I4: a public-only token lists no teams of an organization that isn't public.
  equal((yield* store.list(viewing(cy, publicOnly), hush.id, {}, all)).total, 0)
  equal(
    (yield* store.list(viewing(olga), acme.id, {}, all)).rows.find((row) => row.id === club.id),
    club
  )
})

const finds = Effect.gen(function* () {
  const { acme, olga, store } = yield* fixture
  yield* team(5, acme, { name: "Ünï-50%_x", description: "a\\b" })
  const found = (text: string, descriptions = false) =>
    Effect.map(store.list(viewing(olga), acme.id, { text, descriptions }, all), namesOf)
  equal(yield* found("B"), { names: ["builders", "club"], total: 2 })
  equal(yield* found("thing"), { names: [], total: 0 })
  equal(yield* found("THING", true), { names: ["builders", "club"], total: 2 })
  equal(yield* found("0%_"), { names: ["Ünï-50%_x"], total: 1 })
  equal(yield* found("ÜNÏ"), { names: ["Ünï-50%_x"], total: 1 })
  equal(yield* found("\\", true), { names: ["Ünï-50%_x"], total: 1 })
  for (const text of ["%", "\0", "\ud800", "'"]) equal((yield* found(text, true)).total, text === "%" ? 1 : 0)
})

const ofUser = Effect.gen(function* () {
  const { acme, bob, builders, cy, eve, store } = yield* fixture
  const aaa = yield* organization(2, { name: "AAA", visibility: "private" })
  const crew = yield* team(5, aaa, { name: "crew" }, [bob])
  const first = yield* team(6, acme, { name: "a-first" }, [bob])
  const own = yield* store.ofUser(viewing(bob), bob.id, all)
  equal(own, {
    rows: [
      { team: crew, organization: aaa },
      { team: first, organization: acme },
      { team: builders, organization: acme }
    ],
    total: 3
  })
  equal((yield* store.ofUser(viewing(bob), bob.id, { page: 2, perPage: 2 })).rows.length, 1)
  yield* samePaginated((page) => store.ofUser(viewing(bob), bob.id, page))
  equal((yield* store.ofUser(viewing(bob, publicOnly), bob.id, all)).total, 2)
  equal((yield* store.ofUser(viewing(cy), bob.id, all)).rows, [{ team: builders, organization: acme }])
  equal((yield* store.ofUser(viewing(eve), bob.id, all)).total, 0)
  // Teams are listed by their current names and their current visibility.
  yield* store.replace({ ...first, name: "z-last", visibility: "limited" })
  yield* store.replace({ ...builders, visibility: "private" })
  yield* (yield* OrganizationStore).rename(acme.id, "a")
  const after = Effect.fnUntraced(function* (viewer: Parameters<typeof store.ofUser>[0]) {
    const { rows } = yield* store.ofUser(viewer, bob.id, all)
    return rows.map(({ organization, team }) => `${organization.name}/${team.name}`)
  })
  equal(yield* after(viewing(bob)), ["a/builders", "a/z-last", "AAA/crew"])
  equal(yield* after(viewing(cy)), ["a/z-last"])
})

const conceals = Effect.gen(function* () {
  const { acme, builders, club, cy, keepers, olga, store } = yield* fixture
  const members = yield* MemberStore
  const isPublic = (id: typeof cy.id) => Effect.map(members.find(acme.id, id), (found) => found?.public)
  yield* members.setPublic(acme.id, cy.id, true)
  yield* members.setPublic(acme.id, olga.id, true)
  yield* store.removeMember(keepers.id, cy.id)
  equal(yield* isPublic(cy.id), true)
  yield* store.remove(club.id)
  yield* store.addMember(builders.id, cy.id)
  equal(yield* isPublic(cy.id), false)
  yield* members.setPublic(acme.id, cy.id, true)
  yield* store.removeMember(builders.id, cy.id)
  yield* store.addMember(builders.id, cy.id)
  equal(yield* isPublic(cy.id), false)
  equal(yield* isPublic(olga.id), true)
})

const holds = Effect.gen(function* () {
  const { acme, builders, keepers, olga, owners, store } = yield* fixture
  const site = yield* repository(1, organizationOwner(acme))
  const elsewhere = yield* repository(2, organizationOwner(yield* organization(2)))
  const own = yield* repository(3, userOwner(olga))
  return { store, acme, olga, builders, keepers, owners, site, elsewhere, own }
})

/** Contract tests of the store of teams. Every implementation must pass them. */
export const teams: Contract<Stores> = {
  port: "TeamStore",
  musts: {
    "return a team as inserted, with an id": Effect.gen(function* () {
      const store = yield* TeamStore
      const acme = yield* organization(1)
      for (const facts of [{}, everySetting, { name: "none", units: {} }, { name: "Owners", owners: true }]) {
        const row = newTeam(1, acme, facts)
        const stored = yield* store.insert(row)
        equal(stored, { ...row, id: stored.id })
        equal(yield* store.find(stored.id), stored)
        equal(yield* store.named(acme.id, stored.name.toUpperCase()), stored)
      }
    }),
    "find many teams by id, omitting missing ones": Effect.gen(function* () {
      const { builders, club, store } = yield* fixture
      const found = yield* store.findMany([club.id, missingTeam, builders.id, club.id])
      equal(
        new Map([...found].toSorted(([one], [other]) => one - other)),
        new Map([
          [builders.id, builders],
          [club.id, club]
        ])
      )
      equal((yield* store.findMany([])).size, 0)
    }),
    "return nothing for a missing team": Effect.gen(function* () {
      const { acme, builders, store } = yield* fixture
      const other = yield* organization(2)
      assert.isUndefined(yield* store.find(missingTeam))
      assert.isUndefined(yield* store.find(1.5 as TeamId))
      assert.isUndefined(yield* store.named(other.id, "builders"))
      for (const name of ["", "\0", "\ud800"]) assert.isUndefined(yield* store.named(acme.id, name))
      assert.isFalse(yield* store.replace({ ...builders, id: missingTeam }))
    }),
    "reject a name of another team of the organization, ignoring case": Effect.gen(function* () {
      const { acme, builders, keepers, store } = yield* fixture
      equal(yield* refusalOf(store.insert(newTeam(9, acme, { name: "BUILDERS" }))), "Duplicate team.name")
      equal(yield* refusalOf(store.replace({ ...keepers, name: "Builders" })), "Duplicate team.name")
      equal(yield* store.find(keepers.id), keepers)
      assert.isTrue(yield* store.replace({ ...builders, name: "BUILDERS" }))
      yield* store.insert(newTeam(9, yield* organization(2), { name: "builders" }))
    }),
    "replace only the fields that owners set": Effect.gen(function* () {
      const { acme, builders, keepers, store } = yield* fixture
      const other = yield* organization(2)
      assert.isTrue(yield* store.replace({ ...builders, ...everySetting, organizationId: other.id, owners: true }))
      equal(yield* store.find(builders.id), { ...builders, ...everySetting, organizationId: acme.id })
      equal(yield* store.find(keepers.id), keepers)
    }),
    "remove a team with its members and grants, and report when it is missing": Effect.gen(function* () {
      const { acme, bob, builders, store } = yield* fixture
      const site = yield* repository(1, organizationOwner(acme))
      yield* store.addRepository(builders.id, site.id)
      assert.isTrue(yield* store.remove(builders.id))
      assert.isFalse(yield* store.remove(builders.id))
      assert.isUndefined(yield* store.find(builders.id))
      assert.isFalse(yield* store.hasMember(builders.id, bob.id))
      assert.isFalse(yield* store.holds(builders.id, site.id))
      assert.isUndefined(yield* (yield* MemberStore).find(acme.id, bob.id))
    }),
    "list the visible teams of an organization by name, with the matching total": lists,
    "find teams by a part of their name, optionally of their description, ignoring case, with any special characters":
      finds,
    "find teams of an organization by id and by full name": Effect.gen(function* () {
      const { acme, builders, olga, store } = yield* fixture
      const found = (filter: Parameters<typeof store.list>[2]) =>
        Effect.map(store.list(viewing(olga), acme.id, filter, all), namesOf)
      equal(yield* found({ ids: [builders.id, missingTeam] }), { names: ["builders"], total: 1 })
      equal(yield* found({ ids: [] }), { names: [], total: 0 })
      equal(yield* found({ names: ["BUILDERS", "build", "\0", "\ud800"] }), { names: ["builders"], total: 1 })
    }),
    "find a visible team by name, ignoring case": Effect.gen(function* () {
      const { acme, bob, builders, eve, store } = yield* fixture
      const named = (viewer: typeof anonymousViewer, name: string) =>
        Effect.map(store.list(viewer, acme.id, { name }, { page: 1, perPage: 1 }), ({ rows }) => rows)
      equal(yield* named(viewing(bob), "BUILDERS"), [builders])
      for (const odd of ["builder", "Keepers", ...oddTexts]) equal(yield* named(viewing(bob), odd), [])
      equal(yield* named(viewing(eve), "builders"), [])
    }),
    "list the visible teams of a user with their organizations, with the matching total": ofUser,
    "add a member once, and report when the team or the user is missing": Effect.gen(function* () {
      const { builders, eve, store } = yield* fixture
      const often = Array.from({ length: 5 }, () => store.addMember(builders.id, eve.id))
      equal(yield* Effect.all(often, { concurrency: "unbounded" }), [true, true, true, true, true])
      assert.isTrue(yield* store.hasMember(builders.id, eve.id))
      equal((yield* store.members(anonymousViewer, builders.id, all)).total, 2)
      yield* samePaginated((page) => store.members(anonymousViewer, builders.id, page))
      assert.isFalse(yield* store.addMember(missingTeam, eve.id))
      assert.isFalse(yield* store.addMember(builders.id, missing))
    }),
    "remove a member once, and report when there is none": Effect.gen(function* () {
      const { bob, builders, cy, keepers, store } = yield* fixture
      assert.isFalse(yield* store.removeMember(builders.id, cy.id))
      assert.isTrue(yield* store.removeMember(builders.id, bob.id))
      assert.isFalse(yield* store.removeMember(builders.id, bob.id))
      assert.isFalse(yield* store.hasMember(builders.id, bob.id))
      assert.isTrue(yield* store.hasMember(keepers.id, cy.id))
      yield* (yield* UserStore).remove(cy.id)
      assert.isFalse(yield* store.hasMember(keepers.id, cy.id))
    }),
    "reset a public membership when the member leaves the last team": conceals,
    "list the visible members by name, with the matching total": Effect.gen(function* () {
      const { builders, bob, store } = yield* fixture
      const hidden = yield* user(8, { name: "a-hidden", visibility: "private" })
      const limited = yield* user(9, { name: "Limited", visibility: "limited" })
      for (const { id } of [hidden, limited]) yield* store.addMember(builders.id, id)
      const shown = (viewer: typeof anonymousViewer, page = all) =>
        Effect.map(store.members(viewer, builders.id, page), namesOf)
      equal(yield* shown(anonymousViewer), { names: ["user-2"], total: 1 })
      equal(yield* shown(viewing(bob)), { names: ["Limited", "user-2"], total: 2 })
      equal(yield* shown(viewing(hidden)), { names: ["a-hidden", "Limited", "user-2"], total: 3 })
      equal(yield* shown(viewing(bob), { page: 2, perPage: 1 }), { names: ["user-2"], total: 2 })
    }),
    "list members with hidden accounts on request": Effect.gen(function* () {
      const { builders, store } = yield* fixture
      const hidden = yield* user(8, { name: "a-hidden", visibility: "private" })
      yield* store.addMember(builders.id, hidden.id)
      equal(namesOf(yield* store.members(anonymousViewer, builders.id, all, true)), {
        names: ["a-hidden", "user-2"],
        total: 2
      })
    }),
    "return each member of many teams once, in the order of ids": Effect.gen(function* () {
      const { builders, keepers, store } = yield* fixture
      const [cy, dan] = [yield* user(8), yield* user(9)]
      for (const { id } of [dan, cy]) yield* store.addMember(builders.id, id)
      yield* store.addMember(keepers.id, dan.id)
      const found = yield* store.memberIds([builders.id, keepers.id, missingTeam], 1_000)
      equal(found.slice(-2), [cy.id, dan.id])
      equal(new Set(found).size, found.length)
      equal(yield* store.memberIds([keepers.id, builders.id], 1), found.slice(0, 1))
      equal(yield* store.memberIds([], 10), [])
    }),
    "grant a team a repository once, and report when the team or the repository is missing": Effect.gen(function* () {
      const { builders, elsewhere, own, site, store } = yield* holds
      for (const _ of ["once", "twice"]) assert.isTrue(yield* store.addRepository(builders.id, site.id))
      for (const { id } of [elsewhere, own, { id: missingRepository }]) {
        assert.isFalse(yield* store.addRepository(builders.id, id))
        assert.isFalse(yield* store.holds(builders.id, id))
      }
      assert.isFalse(yield* store.addRepository(missingTeam, site.id))
    }),
    "grant a repository only to those of several teams that are in its organization": Effect.gen(function* () {
      const { builders, elsewhere, keepers, site, store } = yield* holds
      const added = yield* store.addToTeams([builders.id, missingTeam, keepers.id], site.id)
      equal(new Set(added), new Set([builders.id, keepers.id]))
      assert.isTrue((yield* store.holds(builders.id, site.id)) && (yield* store.holds(keepers.id, site.id)))
      equal(yield* store.addToTeams([builders.id], elsewhere.id), [])
      equal(yield* store.addToTeams([], site.id), [])
    }),
    "revoke the grant of a repository, and report a missing one": Effect.gen(function* () {
      const { builders, site, store } = yield* holds
      assert.isFalse(yield* store.removeRepository(builders.id, site.id))
      yield* store.addRepository(builders.id, site.id)
      assert.isTrue(yield* store.removeRepository(builders.id, site.id))
      assert.isFalse(yield* store.removeRepository(builders.id, site.id))
      assert.isFalse(yield* store.holds(builders.id, site.id))
    }),
    "return the repositories of a team, or all of its organization when it includes all repositories": Effect.gen(
      function* () {
        const { acme, builders, elsewhere, own, owners, site, store } = yield* holds
        assert.isTrue(yield* store.holds(owners.id, site.id))
        for (const { id } of [elsewhere, own]) assert.isFalse(yield* store.holds(owners.id, id))
        assert.isFalse(yield* store.holds(builders.id, site.id))
        yield* store.replace({ ...builders, includesAllRepositories: true })
        const later = yield* repository(9, organizationOwner(acme))
        assert.isTrue(yield* store.holds(builders.id, later.id))
      }
    ),
    "list the teams with access to a repository by name, with the matching total": Effect.gen(function* () {
      const { builders, elsewhere, olga, own, owners, site, store } = yield* holds
      const shown = (id: RepositoryId, viewer = viewing(olga), page = all) =>
        Effect.map(store.ofRepository(viewer, id, page), namesOf)
      equal(yield* shown(site.id), { names: [owners.name], total: 1 })
      yield* store.addRepository(builders.id, site.id)
      equal(yield* shown(site.id), { names: [builders.name, owners.name], total: 2 })
      equal(yield* shown(site.id, viewing(olga), { page: 2, perPage: 1 }), { names: [owners.name], total: 2 })
      equal(yield* shown(site.id, anonymousViewer), { names: [], total: 0 })
      for (const { id } of [elsewhere, own]) equal((yield* shown(id)).total, 0)
    })
  }
}
