import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { everyUnit } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  noRepositoryGrants,
  type Repository,
  RepositoryStore,
  switchesBut,
  usualPreferences
} from "@slipway/domain/forge/code"
import { type OrganizationId, OrganizationStore, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import {
  all,
  anonymousViewer,
  missing,
  moment,
  namesOf,
  newRepository,
  organizationOwner,
  userOwner,
  viewerOfSite,
  viewing
} from "../../builders.ts"
import { equal, oddTexts, organization, refusalOf, repository, run, team, user } from "../base/fixtures.ts"

import { fixture } from "./repositories/fixture.ts"
import {
  allowing,
  byFullName,
  filters,
  flags,
  jobs,
  lists,
  orders,
  reaches,
  ties,
  world
} from "./repositories/lists.ts"
import { summarizes } from "./repositories/summaries.ts"
import {
  findsTransferred,
  holdsOnMany,
  listsForks,
  removesLabels,
  revokesGrants,
  transfersRepositories
} from "./repositories/transfers.ts"

const missingRepository = missing as unknown as RepositoryId

const everySetting = {
  description: "another",
  website: "https://another.example",
  private: true,
  archived: true,
  archivedAt: moment(98),
  preferences: {
    ...usualPreferences,
    default_merge_style: "squash",
    external_wiki: { external_wiki_url: "https://wiki.example" }
  },
  mirror: true,
  template: true,
  empty: false,
  defaultBranch: "trunk",
  units: switchesBut("repo.code", "repo.actions", "repo.ext_wiki"),
  size: 5_000_000_000,
  updatedAt: moment(99)
} as const satisfies Partial<Repository>

const refusesNames = Effect.gen(function* () {
  const { acme, bob, notes, site, store } = yield* fixture
  for (const name of ["Site", "SITE"]) {
    equal(
      yield* refusalOf(store.insert(newRepository(3, organizationOwner(acme), { name }))),
      "Duplicate repository.name"
    )
  }
  const other = yield* repository(4, userOwner(bob), { name: "site" })
  equal(yield* refusalOf(store.rename(other.id, "NOTES")), "Duplicate repository.name")
  equal(yield* store.find(other.id), other)
  assert.isTrue(yield* store.rename(notes.id, "NOTES"))
  equal((yield* store.list(viewerOfSite(anonymousViewer), {}, all)).total, 3)
  equal((yield* store.named("acme", "site"))?.repository.id, site.id)
})

const findsRenamed = Effect.gen(function* () {
  const { acme, site, store } = yield* fixture
  yield* store.rename(site.id, "second")
  yield* store.rename(site.id, "third")
  const present = { ...site, name: "third" }
  for (const name of ["site", "SECOND"]) equal(yield* store.named("ACME", name), { repository: present, renamed: true })
  equal(yield* store.named("acme", "Third"), { repository: present, renamed: false })
  const next = yield* repository(3, organizationOwner(acme), { name: "site" })
  equal(yield* store.named("acme", "site"), { repository: next, renamed: false })
  yield* store.rename(site.id, "second")
  equal(yield* store.named("acme", "second"), { repository: { ...site, name: "second" }, renamed: false })
  for (const name of oddTexts) {
    assert.isUndefined(yield* store.named("acme", name))
    assert.isUndefined(yield* store.named(name, "site"))
  }
  assert.isUndefined(yield* store.named("bob", "site"))
  assert.isFalse(yield* store.rename(missingRepository, "x"))
})

const byOldOwners = Effect.gen(function* () {
  const { acme, bob, notes, site, store } = yield* fixture
  yield* (yield* OrganizationStore).rename(acme.id, "globex")
  yield* (yield* UserStore).rename(bob.id, "robert")
  const moved = { ...site, owner: { ...site.owner, name: "globex" } }
  equal(yield* store.named("acme", "site"), { repository: moved, renamed: true })
  equal(yield* store.named("globex", "site"), { repository: moved, renamed: false })
  const note = { ...notes, owner: { ...notes.owner, name: "robert" } }
  equal(yield* store.named("bob", "notes"), { repository: note, renamed: true })
  // After the old name is reused, it names the repository of its new owner.
  yield* organization(2, { name: "acme" })
  assert.isUndefined(yield* store.named("acme", "site"))
})

const removes = Effect.gen(function* () {
  const { acme, bob, site, store } = yield* fixture
  const teams = yield* TeamStore
  const builders = yield* team(1, acme, {}, [bob])
  yield* teams.addRepository(builders.id, site.id)
  yield* store.setCollaborator(site.id, { userId: bob.id, level: 2 })
  yield* store.rename(site.id, "other")
  assert.isTrue(yield* store.remove(site.id))
  assert.isFalse(yield* store.remove(site.id))
  assert.isUndefined(yield* store.find(site.id))
  for (const name of ["site", "other"]) assert.isUndefined(yield* store.named("acme", name))
  assert.isFalse(yield* teams.holds(builders.id, site.id))
  assert.isUndefined(yield* store.collaborator(site.id, bob.id))
  yield* repository(9, organizationOwner(acme), { name: "site" })
})

const locked = Effect.gen(function* () {
  const { site, store } = yield* fixture
  const changed = { ...site, description: "changed" }
  const [, seen] = yield* runInTurn(
    store.find(site.id),
    (held) => run(store.lock(site.id).pipe(Effect.andThen(held), Effect.andThen(store.replace(changed)))),
    run(store.lock(site.id))
  )
  equal(seen, changed)
  assert.isUndefined(yield* run(store.lock(missingRepository)))
})

const held = Effect.gen(function* () {
  const { bob, coders, cy, olga, plot, rex, store, vault } = yield* world
  const teams = yield* TeamStore
  const grants = (id: typeof bob.id, repository: RepositoryId) =>
    Effect.map(store.grantsOf(id, repository), (found) => found?.grants)
  equal(yield* grants(rex.id, vault.id), { ...noRepositoryGrants, collaborator: 1 })
  equal(yield* grants(olga.id, vault.id), { ...noRepositoryGrants, membership: { member: true, owner: true } })
  equal(yield* grants(cy.id, plot.id), {
    membership: { member: true, owner: false },
    collaborator: 0,
    teamAdmin: true,
    teams: everyUnit(3)
  })
  // The highest team level counts for each unit.
  yield* teams.addMember(coders.id, bob.id)
  yield* teams.replace({ ...coders, units: { "repo.code": 1, "repo.issues": 3, "repo.wiki": 1 } })
  yield* store.setCollaborator(vault.id, { userId: bob.id, level: 3 })
  equal(yield* grants(bob.id, vault.id), {
    membership: { member: true, owner: false },
    collaborator: 3,
    teamAdmin: false,
    teams: { "repo.code": 2, "repo.issues": 3, "repo.wiki": 1 }
  })
  equal((yield* store.grantsOf(bob.id, vault.id))?.repository, vault)
  equal(yield* grants(missing, vault.id), noRepositoryGrants)
  assert.isUndefined(yield* store.grantsOf(bob.id, missingRepository))
})

const collaborators = Effect.gen(function* () {
  const { bob, site, store } = yield* fixture
  const hidden = yield* user(2, { name: "a-hidden", visibility: "private" })
  const limited = yield* user(3, { name: "Limited", visibility: "limited" })
  for (const { id } of [bob, hidden, limited]) yield* store.setCollaborator(site.id, { userId: id, level: 2 })
  const listed = (viewer: typeof anonymousViewer, page = all) =>
    Effect.map(store.collaborators(viewer, site.id, page), namesOf)
  equal(yield* listed(anonymousViewer), { names: ["bob"], total: 1 })
  equal(yield* listed(viewing(bob)), { names: ["bob", "Limited"], total: 2 })
  equal(yield* listed(viewing(hidden), { page: 1, perPage: 2 }), { names: ["a-hidden", "bob"], total: 3 })
})

/** Contract tests of the store of repositories. Every implementation must pass them. */
export const repositories: Contract<Stores> = {
  port: "RepositoryStore",
  musts: {
    "return a repository as inserted, with an id and its owner": Effect.gen(function* () {
      const store = yield* RepositoryStore
      const bob = yield* user(1, { visibility: "limited" })
      const acme = yield* organization(1, { visibility: "private" })
      for (const [n, owner] of [userOwner(bob), organizationOwner(acme)].entries()) {
        const row = newRepository(n, owner, n === 0 ? {} : everySetting)
        const { fullName, name, visibility } = n === 0 ? bob : acme
        const { repoAdminChangeTeamAccess } = n === 0 ? { repoAdminChangeTeamAccess: false } : acme
        const stored = yield* store.insert(row)
        equal(stored, {
          ...row,
          id: stored.id,
          owner: { ...owner, name, fullName, visibility, repoAdminChangeTeamAccess }
        })
        equal(yield* store.find(stored.id), stored)
      }
    }),
    "return nothing for a missing repository": Effect.gen(function* () {
      const { site, store } = yield* fixture
      for (const id of [missingRepository, 0.5 as RepositoryId]) assert.isUndefined(yield* store.find(id))
      assert.isFalse(yield* store.replace({ ...site, id: missingRepository }))
    }),
    "reject a name of another repository of the owner, ignoring case": refusesNames,
    "accept a name of the owner that only redirects to another repository": Effect.gen(function* () {
      const { acme, site, store } = yield* fixture
      yield* store.rename(site.id, "other")
      const next = yield* repository(3, organizationOwner(acme), { name: "SITE" })
      equal(yield* store.named("acme", "site"), { repository: next, renamed: false })
      yield* store.rename(next.id, "next")
      assert.isTrue(yield* store.rename(site.id, "site"))
      equal((yield* store.named("acme", "site"))?.repository.id, site.id)
      equal((yield* store.named("acme", "other"))?.renamed, true)
    }),
    "replace only the settings of a repository": Effect.gen(function* () {
      const { bob, notes, site, store } = yield* fixture
      const owner = { ...site.owner, ...userOwner(bob) }
      const others = { createdAt: moment(50), objectFormat: "sha256" } as const
      assert.isTrue(yield* store.replace({ ...site, ...everySetting, ...others, name: "x", owner }))
      equal(yield* store.find(site.id), { ...site, ...everySetting })
      equal(yield* store.find(notes.id), notes)
    }),
    "find a renamed repository by all previous names, until another repository takes them": findsRenamed,
    "find a repository by all previous names of its owner": byOldOwners,
    "transfer a repository to another owner, unless that owner has one with the same name": transfersRepositories,
    "find a transferred repository by its previous names": findsTransferred,
    "revoke the grants of teams, of the new owner and of users it blocks when a repository is transferred":
      revokesGrants,
    "remove labels of the organization from the issues of a transferred repository": removesLabels,
    "remove a repository with all its resources, and report when it is missing": removes,
    "block changes to a locked repository by other transactions until this one ends": locked,
    "return the last id of an owner's repositories, and their ids up to a given one, in limited batches": Effect.gen(
      function* () {
        const { acme, site, store } = yield* fixture
        const nobody = missing as unknown as OrganizationId
        assert.isUndefined(yield* store.lastIdOf(nobody))
        equal(yield* store.idsOf(nobody, site.id, 10), [])
        const more = yield* Effect.forEach([11, 12, 13], (n) => repository(n, organizationOwner(acme)))
        const last = more[2]?.id
        equal(yield* store.lastIdOf(acme.id), last)
        const ids = yield* store.idsOf(acme.id, last as RepositoryId, 1_000)
        equal(
          ids,
          [...ids].sort((one, other) => one - other)
        )
        equal(ids.length, yield* store.countOwned(acme.id))
        equal(yield* store.idsOf(acme.id, last as RepositoryId, 2), ids.slice(0, 2))
        equal(yield* store.idsOf(acme.id, ids[0] as RepositoryId, 10), ids.slice(0, 1))
      }
    ),
    "remove all repositories of an owner, and return their ids": Effect.gen(function* () {
      const { acme, notes, site, store } = yield* fixture
      const other = yield* repository(5, organizationOwner(acme))
      equal(yield* store.removeOwnedBy(acme.id), [site.id, other.id])
      equal(yield* store.removeOwnedBy(acme.id), [])
      assert.isUndefined(yield* store.find(site.id))
      equal(yield* store.find(notes.id), notes)
    }),
    "report whether an owner has repositories, and how many": Effect.gen(function* () {
      const { acme, bob, site, store } = yield* fixture
      assert.isTrue(yield* store.ownsAny(acme.id))
      assert.isTrue(yield* store.ownsAny(bob.id))
      equal(yield* store.countOwned(acme.id), 1)
      yield* store.remove(site.id)
      assert.isFalse(yield* store.ownsAny(acme.id))
      equal(yield* store.countOwned(acme.id), 0)
      assert.isFalse(yield* store.ownsAny(missing as unknown as OrganizationId))
    }),
    "list the repositories that the viewer can access, with the viewer's grants and the matching total": lists,
    "list to a job only public repositories and, within its token's scope, the repository of its run": jobs,
    "list the repositories of an owner, of a team or with a part of a name": filters,
    "list only repositories on which a user has grants": reaches,
    "list only repositories on which the viewer may perform an action": allowing,
    "list repositories by whether they are private, archived, templates or mirrors": flags,
    "list the forks of a repository, and distinguish forks from other repositories": listsForks,
    "list the repositories with a topic, or with a star of a user": ties,
    "list repositories in each order and direction, optionally those of one owner first": orders,
    "sort repositories by the current name of their owner, then by name, ignoring case": byFullName,
    "return the grants of a user on a repository": held,
    "return the grants of a user on many repositories, omitting missing ones": holdsOnMany,
    "return the summaries of many repositories, omitting missing ones": summarizes,
    "keep one level per collaborator, the last one granted": Effect.gen(function* () {
      const { bob, notes, site, store } = yield* fixture
      for (const level of [1, 3, 2] as const) {
        assert.isTrue(yield* store.setCollaborator(site.id, { userId: bob.id, level }))
        equal(yield* store.collaborator(site.id, bob.id), level)
      }
      assert.isUndefined(yield* store.collaborator(notes.id, bob.id))
      assert.isFalse(yield* store.setCollaborator(site.id, { userId: missing, level: 1 }))
      assert.isFalse(yield* store.setCollaborator(missingRepository, { userId: bob.id, level: 1 }))
      equal((yield* store.collaborators(anonymousViewer, site.id, all)).total, 1)
    }),
    "revoke the level of a collaborator once, and report when there is none": Effect.gen(function* () {
      const { bob, site, store } = yield* fixture
      assert.isFalse(yield* store.removeCollaborator(site.id, bob.id))
      yield* store.setCollaborator(site.id, { userId: bob.id, level: 1 })
      assert.isTrue(yield* store.removeCollaborator(site.id, bob.id))
      assert.isFalse(yield* store.removeCollaborator(site.id, bob.id))
      assert.isUndefined(yield* store.collaborator(site.id, bob.id))
    }),
    "list the visible collaborators by name, with the matching total": collaborators,
    "list collaborators with hidden accounts on request": Effect.gen(function* () {
      const { site, store } = yield* fixture
      const hidden = yield* user(8, { name: "hidden", visibility: "private" })
      yield* store.setCollaborator(site.id, { userId: hidden.id, level: 1 })
      equal((yield* store.collaborators(anonymousViewer, site.id, all)).total, 0)
      equal(namesOf(yield* store.collaborators(anonymousViewer, site.id, all, true)), { names: ["hidden"], total: 1 })
    }),
    "revoke all levels of a user on the repositories of an owner": Effect.gen(function* () {
      const { acme, bob, notes, site, store } = yield* fixture
      const [cy, other] = [yield* user(4), yield* repository(5, organizationOwner(acme))] as const
      for (const { id } of [site, other, notes]) yield* store.setCollaborator(id, { userId: cy.id, level: 2 })
      yield* store.setCollaborator(site.id, { userId: bob.id, level: 1 })
      yield* store.removeCollaborations(acme.id, cy.id)
      for (const { id } of [site, other]) assert.isUndefined(yield* store.collaborator(id, cy.id))
      equal(yield* store.collaborator(notes.id, cy.id), 2)
      equal(yield* store.collaborator(site.id, bob.id), 1)
    }),
    "remove the grants of a removed user": Effect.gen(function* () {
      const { site, store } = yield* fixture
      const cy = yield* user(4)
      yield* store.setCollaborator(site.id, { userId: cy.id, level: 1 })
      yield* (yield* UserStore).remove(cy.id)
      assert.isUndefined(yield* store.collaborator(site.id, cy.id))
      equal((yield* store.collaborators(anonymousViewer, site.id, all)).total, 0)
    })
  }
}
