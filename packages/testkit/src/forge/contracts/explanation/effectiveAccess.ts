import { assert } from "@effect/vitest"
import type { Page } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import {
  type AccessPair,
  EffectiveAccessStore,
  grantsOfPair,
  type People,
  type RepositoryRange
} from "@slipway/domain/forge/explanation"
import { type TeamId, TeamStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, missing, organizationOwner, userOwner, viewing } from "../../builders.ts"
import { equal, organization, repository, samePaginated, team, user } from "../base/fixtures.ts"

const missingRepository = missing as unknown as RepositoryId

const fixture = Effect.gen(function* () {
  const store = yield* EffectiveAccessStore
  const repositories = yield* RepositoryStore
  const teams = yield* TeamStore
  const olga = yield* user(1, { name: "olga" })
  const bob = yield* user(2, { name: "bob" })
  const cy = yield* user(3, { name: "Cy", visibility: "private" })
  const eve = yield* user(4, { name: "eve" })
  const acme = yield* organization(1, { name: "acme" })
  const site = yield* repository(1, organizationOwner(acme), { name: "site" })
  const vault = yield* repository(2, organizationOwner(acme), { name: "vault", private: true })
  const shed = yield* repository(3, organizationOwner(acme), { name: "shed", private: true })
  const notes = yield* repository(4, userOwner(eve), { name: "notes" })
  const owners = yield* team(1, acme, { owners: true, name: "Owners", includesAllRepositories: true }, [olga])
  const builders = yield* team(2, acme, { name: "builders", units: { "repo.code": 2, "repo.ext_wiki": 1 } }, [bob, cy])
  const readers = yield* team(3, acme, { name: "readers", includesAllRepositories: true }, [bob])
  yield* teams.addRepository(builders.id, vault.id)
  yield* repositories.setCollaborator(vault.id, { userId: eve.id, level: 3 })
  const other = yield* organization(2, { name: "other" })
  yield* team(4, other, { name: "crew", includesAllRepositories: true }, [eve])
  return { store, repositories, acme, olga, bob, cy, eve, site, vault, shed, notes, owners, builders, readers }
})

const named = ({ rows, total }: Page<AccessPair>) => ({
  names: rows.map(({ repository, user }) => `${user.name} ${repository.name}`),
  total
})

const readsPairs = Effect.gen(function* () {
  const { acme, bob, builders, cy, readers, shed, site, store, vault } = yield* fixture
  const people: People = { kind: "team", id: builders.id }
  const repositories: RepositoryRange = { kind: "organization", id: acme.id }
  const first = yield* store.list(people, repositories, { page: 1, perPage: 4 })
  equal(named(first), { names: ["bob site", "Cy site", "bob vault", "Cy vault"], total: 6 })
  equal(named(yield* store.list(people, repositories, { page: 2, perPage: 4 })), {
    names: ["bob shed", "Cy shed"],
    total: 6
  })
  equal(named(yield* store.list(people, repositories, { page: 3, perPage: 4 })), { names: [], total: 6 })
  yield* samePaginated((page) => store.list(people, repositories, page))
  const teamView = ({ id, name, owners, units }: typeof builders) => ({ id, name, owners, units })
  equal(first.rows[2], {
    user: bob,
    repository: vault,
    member: true,
    collaborator: 0,
    teams: [teamView(builders), teamView(readers)]
  })
  equal(first.rows[0], { user: bob, repository: site, member: true, collaborator: 0, teams: [teamView(readers)] })
  equal(first.rows[1], { user: cy, repository: site, member: true, collaborator: 0, teams: [] })
  const one: RepositoryRange = { kind: "repository", id: shed.id }
  equal(named(yield* store.list(people, one, all)), { names: ["bob shed", "Cy shed"], total: 2 })
  equal(named(yield* store.list(people, { kind: "repository", id: missingRepository }, all)), { names: [], total: 0 })
})

const agreesAcrossLists = Effect.gen(function* () {
  const { bob, cy, eve, notes, olga, repositories, shed, site, store, vault } = yield* fixture
  for (const each of [olga, bob, cy, eve]) {
    for (const place of [site, vault, shed, notes]) {
      const [pair] = yield* store.find([{ user: each.id, repository: place.id }])
      assert.isDefined(pair)
      const held = yield* repositories.grantsOf(each.id, place.id)
      equal({ repository: pair.repository, grants: grantsOfPair(pair) }, held)
    }
  }
})

const findsPeople = Effect.gen(function* () {
  const { bob, builders, notes, site, store, vault } = yield* fixture
  const whom = (people: People) =>
    Effect.map(store.list(people, { kind: "repository", id: site.id }, all), ({ rows, total }) => {
      equal(total, rows.length)
      return rows.map((row) => row.user.name)
    })
  equal(yield* whom({ kind: "user", id: bob.id }), ["bob"])
  equal(yield* whom({ kind: "user", id: missing }), [])
  equal(yield* whom({ kind: "team", id: builders.id }), ["bob", "Cy"])
  equal(yield* whom({ kind: "team", id: missing as unknown as TeamId }), [])
  equal(yield* whom({ kind: "repository", id: site.id, membersToo: false }), ["bob", "olga"])
  equal(yield* whom({ kind: "repository", id: site.id, membersToo: true }), ["bob", "Cy", "olga"])
  equal(yield* whom({ kind: "repository", id: vault.id, membersToo: false }), ["bob", "Cy", "eve", "olga"])
  equal(yield* whom({ kind: "repository", id: notes.id, membersToo: true }), ["eve"])
})

const leavesOut = Effect.gen(function* () {
  const { bob, builders, cy, store, vault } = yield* fixture
  const seenBy = (viewer: typeof bob) =>
    Effect.map(
      store.list({ kind: "team", id: builders.id, seenBy: viewing(viewer) }, { kind: "repository", id: vault.id }, all),
      named
    )
  equal(yield* seenBy(bob), { names: ["bob vault"], total: 1 })
  equal(yield* seenBy(cy), { names: ["bob vault", "Cy vault"], total: 2 })
  equal(yield* seenBy({ ...bob, admin: true }), { names: ["bob vault", "Cy vault"], total: 2 })
})

const findsRepositories = Effect.gen(function* () {
  const { acme, bob, builders, store } = yield* fixture
  const where = (repositories: RepositoryRange) =>
    Effect.map(store.list({ kind: "user", id: bob.id }, repositories, all), ({ rows, total }) => {
      equal(total, rows.length)
      return rows.map((row) => row.repository.name)
    })
  equal(yield* where({ kind: "organization", id: acme.id }), ["site", "vault", "shed"])
  equal(yield* where({ kind: "organization", id: acme.id, grantedTo: builders.id }), ["vault"])
  equal(yield* where({ kind: "organization", id: acme.id, grantedTo: builders.id, openToo: true }), ["site", "vault"])
})

const findsPairs = Effect.gen(function* () {
  const { bob, eve, notes, site, store, vault } = yield* fixture
  const pairs = yield* store.find([
    { user: eve.id, repository: vault.id },
    { user: missing, repository: vault.id },
    { user: bob.id, repository: notes.id },
    { user: bob.id, repository: missingRepository },
    { user: bob.id, repository: site.id }
  ])
  equal(named({ rows: pairs, total: 0 }).names, ["eve vault", "bob notes", "bob site"])
  equal(pairs[0], { user: eve, repository: vault, member: false, collaborator: 3, teams: [] })
  equal(yield* store.find([]), [])
})

/** Contract tests of the store that lists the access of users to repositories. */
export const effectiveAccess: Contract<Stores> = {
  port: "EffectiveAccessStore",
  musts: {
    "list the pairs of every user and every repository, by repository, then by user name": readsPairs,
    "read the same grants that decide the requests of a user": agreesAcrossLists,
    "find one user, the members of a team, and the users of a repository": findsPeople,
    "omit users hidden from the viewer, with the matching total": leavesOut,
    "find the repositories of an organization, those granted to a team by name, and the public ones": findsRepositories,
    "read the requested pairs that exist, in the given order": findsPairs
  }
}
