import { assert } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { forks, labels, noRepositoryGrants } from "@slipway/domain/forge/code"
import { issueLabels } from "@slipway/domain/forge/collaboration"
import { BlockStore, TeamStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { all, missing, newIssueIn, organizationOwner, userOwner, viewerOfSite, viewing } from "../../../builders.ts"
import { equal, refusalOf, repository, team, user } from "../../base/fixtures.ts"
import { fixture } from "./fixture.ts"

const missingRepository = missing as unknown as RepositoryId

/** Tests transfers of repositories to other owners. */
export const transfersRepositories = Effect.gen(function* () {
  const { acme, bob, notes, site, store } = yield* fixture
  assert.isTrue(yield* store.transfer(site.id, userOwner(bob)))
  const transferred = yield* store.find(site.id)
  equal([transferred?.owner.name, transferred?.name, transferred?.description], ["bob", "Site", site.description])
  equal([yield* store.countOwned(acme.id), yield* store.countOwned(bob.id)], [0, 2])
  equal(yield* refusalOf(store.rename(notes.id, "SITE")), "Duplicate repository.name")
  // Owners with repositories of the same name cannot transfer them to each other.
  const other = yield* repository(4, organizationOwner(acme), { name: "NOTES" })
  equal(yield* refusalOf(store.transfer(other.id, userOwner(bob))), "Duplicate repository.name")
  equal((yield* store.find(other.id))?.owner.name, "acme")
  assert.isFalse(yield* store.transfer(missingRepository, userOwner(bob)))
})

/** Tests that the former names of a transferred repository still find it. */
export const findsTransferred = Effect.gen(function* () {
  const { acme, bob, site, store } = yield* fixture
  yield* store.rename(site.id, "page")
  yield* store.transfer(site.id, userOwner(bob))
  const transferred = { ...site, name: "page", owner: { ...(yield* store.find(site.id))?.owner } }
  equal(yield* store.named("bob", "page"), { repository: transferred, renamed: false } as never)
  for (const name of ["site", "page"]) equal((yield* store.named("acme", name))?.renamed, true)
  // A new repository with the name replaces the redirect.
  const next = yield* repository(5, organizationOwner(acme), { name: "page" })
  equal((yield* store.named("acme", "page"))?.repository.id, next.id)
  yield* store.remove(next.id)
  yield* store.transfer(site.id, organizationOwner(acme))
  equal((yield* store.named("acme", "page"))?.renamed, false)
  equal((yield* store.named("bob", "page"))?.renamed, true)
})

/** Tests that a transfer revokes grants on the repository. */
export const revokesGrants = Effect.gen(function* () {
  const { acme, bob, site, store } = yield* fixture
  const teams = yield* TeamStore
  const [cy, eve] = [yield* user(5, { name: "cy" }), yield* user(6, { name: "eve" })]
  const builders = yield* team(1, acme, {}, [cy])
  yield* teams.addRepository(builders.id, site.id)
  for (const each of [bob, cy, eve]) yield* store.setCollaborator(site.id, { userId: each.id, level: 2 })
  yield* (yield* BlockStore).add({ blocker: bob.id, blocked: eve.id, note: "" })
  yield* store.transfer(site.id, userOwner(bob))
  assert.isFalse(yield* teams.holds(builders.id, site.id))
  equal(yield* store.collaborator(site.id, cy.id), 2)
  for (const each of [bob, eve]) assert.isUndefined(yield* store.collaborator(site.id, each.id))
})

/** Tests that a transfer removes labels of the former organization from the issues. */
export const removesLabels = Effect.gen(function* () {
  const { acme, bob, site, store } = yield* fixture
  const values = { description: "", color: "00aabb", exclusive: false, archived: false }
  const labelStore = yield* labels.store
  const theirs = yield* labelStore.insert({ ...values, name: "theirs", organizationId: acme.id, repositoryId: null })
  const own = yield* labelStore.insert({ ...values, name: "own", organizationId: null, repositoryId: site.id })
  const issue = yield* newIssueIn(site.id, bob.id, "one", {})
  const issueLabelStore = yield* issueLabels.store
  yield* issueLabelStore.insertMany([theirs, own].map(({ id }) => ({ issueId: issue.id, labelId: id })))
  yield* store.transfer(site.id, userOwner(bob))
  equal(
    (yield* issueLabelStore.list({ issueId: issue.id }, all)).rows.map(({ labelId }) => labelId),
    [own.id]
  )
})

/** Tests the lists of forks. */
export const listsForks = Effect.gen(function* () {
  const { acme, bob, notes, site, store } = yield* fixture
  const fork = yield* repository(7, userOwner(bob), { name: "site" })
  const forkStore = yield* forks.store
  yield* forkStore.insert({ repositoryId: fork.id, parentId: site.id, ownerId: bob.id })
  const named = (filter: Parameters<typeof store.list>[1]) =>
    Effect.map(store.list(viewerOfSite(viewing(bob)), filter, all), ({ rows, total }) => [
      total,
      ...rows.map(({ repository: { name, owner } }) => `${owner.name}/${name}`)
    ])
  equal(yield* named({ forkOf: site.id }), [1, "bob/site"])
  equal(yield* named({ forkOf: notes.id }), [0])
  equal(yield* named({ order: "forks", descending: true }), [3, "acme/Site", "bob/site", "bob/notes"])
  equal(yield* named({ fork: true }), [1, "bob/site"])
  equal(yield* named({ fork: false }), [2, "acme/Site", "bob/notes"])
  yield* store.remove(site.id)
  equal(yield* named({ fork: false }), [2, "bob/notes", "bob/site"])
  equal([yield* named({ fork: true }), acme.name], [[0], "acme"])
})

/** Tests reading the access of a user to many repositories in one call. */
export const holdsOnMany = Effect.gen(function* () {
  const { bob, notes, site, store } = yield* fixture
  yield* store.setCollaborator(site.id, { userId: bob.id, level: 2 })
  const found = yield* store.heldOn(bob.id, [site.id, notes.id, missingRepository, site.id])
  equal(
    [...found.keys()].toSorted((one, other) => one - other),
    [site.id, notes.id]
  )
  equal(found.get(site.id), yield* store.grantsOf(bob.id, site.id))
  equal((yield* store.heldOn(undefined, [site.id])).get(site.id)?.grants, noRepositoryGrants)
  equal((yield* store.heldOn(bob.id, [])).size, 0)
})
