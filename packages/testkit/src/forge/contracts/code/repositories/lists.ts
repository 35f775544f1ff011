import { assert } from "@effect/vitest"
import type { Page } from "@slipway/domain"
import { type Action, actionNames, actions, decide, everyUnit, scopeOf } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  noRepositoryGrants,
  type RepositoryAction,
  type RepositoryFilter,
  RepositoryStore,
  type RepositoryViewer,
  type RepositoryWithGrants,
  repositoryFacts,
  repositoryOrders,
  repositoryTopics,
  stars,
  switchesBut,
  TopicName
} from "@slipway/domain/forge/code"
import { type CallerKey, FactsStore } from "@slipway/domain/forge/entry"
import { BlockStore, OrganizationStore, type TeamId, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import {
  all,
  anonymousViewer,
  jobViewing,
  missing,
  moment,
  organizationOwner,
  userOwner,
  viewerOfSite,
  viewing
} from "../../../builders.ts"
import { equal, organization, repository, samePaginated, team, user } from "../../base/fixtures.ts"

const shown = (page: Page<RepositoryWithGrants>) => ({
  names: page.rows.map(({ repository: { name, owner } }) => `${owner.name}/${name}`),
  total: page.total
})

/**
 * Tests the repositories that a job token can list: public ones, and the repository of the job even if it is private.
 */
export const jobs = Effect.gen(function* () {
  const store = yield* RepositoryStore
  const [ann, system] = [yield* user(1, { name: "ann" }), yield* user(2, { name: "system", system: true })]
  const acme = yield* organization(1, { name: "acme" })
  const own = yield* repository(1, userOwner(ann), { private: true })
  const open = yield* repository(2, userOwner(ann))
  const theirs = yield* repository(3, organizationOwner(acme), { private: true })
  for (const [{ id }, level, names] of [
    [own, 1, ["ann/repository-1", "ann/repository-2"]],
    [own, 2, ["ann/repository-1", "ann/repository-2"]],
    [open, 1, ["ann/repository-2"]],
    [theirs, 2, ["ann/repository-2", "acme/repository-3"]]
  ] as const) {
    const shownToJob = store.list(viewerOfSite(jobViewing(system, { jobId: 7, repositoryId: id, level })), {}, all)
    equal(shown(yield* shownToJob), { names, total: names.length })
  }
  const nowhere = jobViewing(system, { jobId: 7, repositoryId: missing as unknown as RepositoryId, level: 2 })
  equal(shown(yield* store.list(viewerOfSite(nowhere), {}, all)), { names: ["ann/repository-2"], total: 1 })
  const forOwner = viewerOfSite(jobViewing(system, { jobId: 7, repositoryId: own.id, level: 2 }))
  equal((yield* store.list(forOwner, { reachedBy: system.id }, all)).total, 0)
  equal((yield* store.list(forOwner, { text: theirs.name }, all)).total, 0)
})

/** Stores users, organizations and repositories, with the access of the users to them. */
export const world = Effect.gen(function* () {
  const store = yield* RepositoryStore
  const teams = yield* TeamStore
  const [boss, olga, bob, cy, rex] = [
    yield* user(1, { name: "boss", admin: true }),
    yield* user(2, { name: "olga" }),
    yield* user(3, { name: "bob" }),
    yield* user(4, { name: "cy" }),
    yield* user(5, { name: "rex", restricted: true })
  ] as const
  const hid = yield* user(6, { name: "hid", visibility: "private" })
  const acme = yield* organization(1, { name: "acme" })
  const inner = yield* organization(2, { name: "inner", visibility: "limited" })
  const hush = yield* organization(3, { name: "hush", visibility: "private" })
  const site = yield* repository(1, organizationOwner(acme), { name: "site" })
  const vault = yield* repository(2, organizationOwner(acme), { name: "vault", private: true })
  const bare = yield* repository(3, organizationOwner(acme), {
    name: "bare",
    private: true,
    units: switchesBut("repo.code", "repo.wiki")
  })
  yield* repository(4, organizationOwner(inner), { name: "plan" })
  const plot = yield* repository(5, organizationOwner(hush), { name: "plot" })
  yield* repository(6, userOwner(hid), { name: "diary" })
  const own = yield* repository(7, userOwner(bob), { name: "own", private: true })
  yield* team(1, acme, { owners: true, name: "Owners", units: everyUnit(3), includesAllRepositories: true }, [olga])
  const builders = yield* team(2, acme, { units: { "repo.code": 2, "repo.issues": 1 } }, [bob])
  for (const { id } of [site, vault, bare]) yield* teams.addRepository(builders.id, id)
  const coders = yield* team(3, acme, { units: { "repo.code": 1 } }, [cy])
  for (const { id } of [vault, bare]) yield* teams.addRepository(coders.id, id)
  const crew = yield* team(4, hush, { units: everyUnit(3), includesAllRepositories: true }, [cy])
  yield* store.setCollaborator(vault.id, { userId: rex.id, level: 1 })
  return { store, boss, olga, bob, cy, rex, acme, hush, site, vault, bare, plot, own, builders, coders, crew }
})

/** Tests that each viewer gets the repositories that the viewer can see. */
export const lists = Effect.gen(function* () {
  const { acme, bob, boss, cy, olga, rex, store } = yield* world
  const list = (viewer: RepositoryViewer, page = all) => Effect.map(store.list(viewer, {}, page), shown)
  const open = ["acme/site"]
  equal(yield* list(viewerOfSite(anonymousViewer)), { names: open, total: 1 })
  equal(yield* list(viewerOfSite(viewing(rex))), { names: ["acme/vault"], total: 1 })
  equal(yield* list(viewerOfSite(viewing(olga))), {
    names: ["acme/site", "acme/vault", "acme/bare", "inner/plan"],
    total: 4
  })
  equal(yield* list(viewerOfSite(viewing(bob))), {
    names: ["acme/site", "acme/vault", "acme/bare", "inner/plan", "bob/own"],
    total: 5
  })
  // A team grants no access by disabled units.
  equal(yield* list(viewerOfSite(viewing(cy))), {
    names: ["acme/site", "acme/vault", "inner/plan", "hush/plot"],
    total: 4
  })
  equal((yield* list(viewerOfSite(viewing(boss)))).total, 7)
  equal(yield* list(viewerOfSite(viewing(bob, scopeOf(["all", "public-only"])))), { names: open, total: 1 })
  equal((yield* list(viewerOfSite(viewing(bob), { secondFactorRequired: true }))).total, 0)
  equal((yield* list(viewerOfSite(viewing({ ...bob, secondFactor: true }), { secondFactorRequired: true }))).total, 5)
  equal(yield* list(viewerOfSite(viewing(bob)), { page: 2, perPage: 2 }), {
    names: ["acme/bare", "inner/plan"],
    total: 5
  })
  equal(yield* list(viewerOfSite(viewing(bob)), { page: 9, perPage: 2 }), { names: [], total: 5 })
  for (const order of repositoryOrders) {
    for (const descending of [true, false]) {
      for (const first of [undefined, bob.id]) {
        yield* samePaginated((page) => store.list(viewerOfSite(viewing(bob)), { order, descending, first }, page))
      }
    }
  }
  // A repository's visibility depends on its owner's.
  const organizations = yield* OrganizationStore
  yield* organizations.replace({ ...acme, visibility: "private" })
  equal(yield* list(viewerOfSite(anonymousViewer)), { names: [], total: 0 })
  yield* organizations.replace({ ...acme, visibility: "public" })
  equal(yield* list(viewerOfSite(anonymousViewer)), { names: open, total: 1 })
  const mine = yield* store.list(viewerOfSite(viewing(bob)), {}, all)
  equal(
    mine.rows.map(({ grants }) => grants),
    [
      ...Array.from({ length: 3 }, () => ({
        ...noRepositoryGrants,
        membership: { member: true, owner: false },
        teams: { "repo.code": 2, "repo.issues": 1 }
      })),
      noRepositoryGrants,
      noRepositoryGrants
    ]
  )
})

/** Tests lists of repositories that are filtered by owner, by team, or by a substring of the name. */
export const filters = Effect.gen(function* () {
  const { acme, bob, builders, crew, cy, hush, olga, own, store } = yield* world
  const list = (viewer: RepositoryViewer, filter: Parameters<typeof store.list>[1]) =>
    Effect.map(store.list(viewer, filter, all), shown)
  equal(yield* list(viewerOfSite(viewing(olga)), { owner: acme.id }), {
    names: ["acme/site", "acme/vault", "acme/bare"],
    total: 3
  })
  equal(yield* list(viewerOfSite(anonymousViewer), { owner: acme.id }), { names: ["acme/site"], total: 1 })
  equal(yield* list(viewerOfSite(viewing(bob)), { owner: bob.id }), { names: ["bob/own"], total: 1 })
  equal((yield* list(viewerOfSite(viewing(cy)), { owner: bob.id })).total, 0)
  equal((yield* list(viewerOfSite(viewing(cy)), { owner: missing })).total, 0)
  equal(yield* list(viewerOfSite(viewing(cy)), { team: builders.id }), {
    names: ["acme/site", "acme/vault"],
    total: 2
  })
  yield* repository(20, organizationOwner(hush), { name: "later" })
  equal(yield* list(viewerOfSite(viewing(cy)), { team: crew.id }), { names: ["hush/plot", "hush/later"], total: 2 })
  equal((yield* list(viewerOfSite(viewing(cy)), { team: missing as unknown as TeamId })).total, 0)
  equal(yield* list(viewerOfSite(viewing(bob)), { text: "OW" }), { names: ["bob/own"], total: 1 })
  for (const text of ["%", "\0", "\ud800", "'"]) equal((yield* list(viewerOfSite(viewing(bob)), { text })).total, 0)
  equal((yield* store.find(own.id))?.name, "own")
})

/** Tests lists of repositories that are granted to a user. */
export const reaches = Effect.gen(function* () {
  const { bob, boss, cy, olga, rex, store } = yield* world
  const reached = (user: typeof bob, viewer = user) =>
    Effect.map(store.list(viewerOfSite(viewing(viewer)), { reachedBy: user.id }, all), shown)
  equal(yield* reached(olga), { names: ["acme/site", "acme/vault", "acme/bare"], total: 3 })
  equal(yield* reached(bob), { names: ["acme/site", "acme/vault", "acme/bare", "bob/own"], total: 4 })
  // A team grants no access by disabled units.
  equal(yield* reached(cy), { names: ["acme/vault", "hush/plot"], total: 2 })
  equal(yield* reached(rex), { names: ["acme/vault"], total: 1 })
  equal(yield* reached(boss), { names: [], total: 0 })
  equal(yield* reached(bob, cy), { names: ["acme/site", "acme/vault"], total: 2 })
})

const repositoryActions = actionNames.filter(
  (name): name is RepositoryAction => (actions[name] as Action).on === "repository"
)

/** Tests lists of the repositories on which a viewer may perform an action: the same as by single decisions. */
export const allowing = Effect.gen(function* () {
  const { acme, bob, boss, cy, olga, rex, site, store, vault } = yield* world
  yield* store.replace({ ...site, archived: true })
  yield* store.replace({ ...vault, mirror: true })
  yield* (yield* BlockStore).add({ blocker: acme.id, blocked: cy.id, note: "" })
  const facts = yield* FactsStore
  const { rows } = yield* store.list(viewerOfSite(viewing(boss)), {}, all)
  const viewers: ReadonlyArray<readonly [RepositoryViewer, CallerKey]> = [
    [viewerOfSite(anonymousViewer), { _tag: "Nobody" }],
    ...[boss, olga, bob, cy, rex].map(
      (each) => [viewerOfSite(viewing(each)), { _tag: "Name", name: each.name }] as const
    ),
    [viewerOfSite(viewing(bob, scopeOf(["read:repository"]))), { _tag: "Name", name: bob.name }],
    [viewerOfSite(viewing(bob), { secondFactorRequired: true }), { _tag: "Name", name: bob.name }]
  ]
  let allowed = 0
  for (const [viewer, caller] of viewers) {
    const found = yield* Effect.forEach(rows, ({ repository: { name, owner } }) => {
      const about = { kind: "repository", owner: owner.name, repository: name } as const
      return Effect.map(facts.load({ caller, sudo: undefined, about }), (loaded) => loaded.found)
    })
    for (const action of repositoryActions) {
      const names = found.flatMap((each) =>
        decide(action, repositoryFacts(viewer, viewer.switches, each)).allowed
          ? `${each?.repository.owner.name}/${each?.repository.name}`
          : []
      )
      equal(shown(yield* store.list(viewer, { allowing: action }, all)), { names, total: names.length })
      allowed += names.length
    }
  }
  assert.isAbove(allowed, 100)
  equal(shown(yield* store.list(viewerOfSite(viewing(bob)), { allowing: "repository.edit" }, all)).names, ["bob/own"])
  yield* samePaginated((page) =>
    store.list(viewerOfSite(viewing(boss)), { allowing: "repository.read", order: "fullName" }, page)
  )
})

/** Tests lists of repositories that are filtered by a property, such as archived or mirror. */
export const flags = Effect.gen(function* () {
  const { bob, boss, own, store } = yield* world
  yield* store.replace({ ...own, archived: true, template: true, mirror: true, description: "Über uns" })
  const list = (filter: Parameters<typeof store.list>[1], viewer = bob) =>
    Effect.map(store.list(viewerOfSite(viewing(viewer)), filter, all), (page) => shown(page).names)
  for (const flag of ["archived", "template", "mirror"] as const) {
    equal(yield* list({ [flag]: true }), ["bob/own"])
    equal((yield* list({ [flag]: false }, boss)).length, 6)
  }
  equal(yield* list({ private: true }), ["acme/vault", "acme/bare", "bob/own"])
  equal(yield* list({ private: false }), ["acme/site", "inner/plan"])
  equal(yield* list({ notOwner: bob.id, private: true }), ["acme/vault", "acme/bare"])
  equal(yield* list({ text: "über" }), [])
  equal(yield* list({ text: "über", descriptions: true }), ["bob/own"])
})

/** Tests lists of repositories that are filtered by topic or by star. */
export const ties = Effect.gen(function* () {
  const { bob, cy, own, site, store, vault } = yield* world
  const rows = [own, site, vault].map(({ id }) => ({
    repositoryId: id,
    name: TopicName.make("wiki"),
    createdAt: moment(1)
  }))
  yield* Effect.orDie((yield* repositoryTopics.store).insertMany(rows))
  const star = (who: typeof bob, what: typeof own) => ({ userId: who.id, repositoryId: what.id, createdAt: moment(1) })
  yield* Effect.orDie((yield* stars.store).insertMany([star(bob, own), star(cy, site), star(bob, site)]))
  const list = (filter: Parameters<typeof store.list>[1], viewer = bob) =>
    Effect.map(store.list(viewerOfSite(viewing(viewer)), filter, all), (page) => shown(page).names)
  equal(yield* list({ topic: "wiki" }), ["acme/site", "acme/vault", "bob/own"])
  equal(yield* list({ topic: "WIKI" }, cy), ["acme/site", "acme/vault"])
  for (const topic of ["wik", "", "%", "\0", "\ud800"]) equal(yield* list({ topic }), [])
  equal(yield* list({ text: "Wiki", descriptions: true }), ["acme/site", "acme/vault", "bob/own"])
  equal(yield* list({ text: "wiki" }), [])
  equal(yield* list({ text: "wik", descriptions: true }), [])
  equal(yield* list({ starredBy: bob.id }), ["acme/site", "bob/own"])
  equal(yield* list({ starredBy: bob.id }, cy), ["acme/site"])
  equal(yield* list({ starredBy: missing as unknown as typeof bob.id }), [])
})

/** Tests the lists of repositories in each order. */
export const orders = Effect.gen(function* () {
  const { acme, bob, cy, own, site, store, vault } = yield* world
  yield* store.replace({ ...site, size: 7, updatedAt: moment(50) })
  yield* store.replace({ ...vault, size: 9, updatedAt: moment(60) })
  yield* store.replace({ ...own, size: 8, updatedAt: moment(55) })
  const list = (filter: Parameters<typeof store.list>[1]) =>
    Effect.map(store.list(viewerOfSite(viewing(bob)), filter, all), (page) =>
      page.rows.map(({ repository }) => repository.name).join(" ")
    )
  equal(yield* list({}), "site vault bare plan own")
  equal(yield* list({ descending: true }), "own plan bare vault site")
  equal(yield* list({ order: "fullName" }), "bare site vault own plan")
  equal(yield* list({ order: "fullName", descending: true }), "plan own vault site bare")
  equal(yield* list({ order: "fullName", owner: acme.id, descending: true }), "vault site bare")
  equal(yield* list({ order: "size", descending: true }), "vault own site plan bare")
  equal(yield* list({ order: "updatedAt", owner: acme.id, descending: true }), "vault site bare")
  equal(yield* list({ order: "createdAt" }), "site vault bare plan own")
  const star = (who: typeof bob, what: typeof own) => ({ userId: who.id, repositoryId: what.id, createdAt: moment(1) })
  const starred = yield* stars.store
  yield* Effect.orDie(starred.insertMany([star(bob, vault), star(cy, vault), star(bob, own), star(cy, site)]))
  yield* starred.removeWhere({ userId: cy.id }, {})
  equal(yield* list({ order: "stars" }), "site bare plan vault own")
  equal(yield* list({ order: "stars", descending: true }), "own vault plan bare site")
  equal(yield* list({ order: "forks", descending: true }), "own plan bare vault site")
  equal(yield* list({ first: bob.id }), "own site vault bare plan")
  equal(yield* list({ first: bob.id, order: "fullName", descending: true }), "own plan vault site bare")
  const second = yield* store.list(viewerOfSite(viewing(bob)), { order: "fullName" }, { page: 2, perPage: 2 })
  equal(shown(second), { names: ["acme/vault", "bob/own"], total: 5 })
})

/** Tests the sort order by owner and name, also after the owner is renamed or the repository is transferred. */
export const byFullName = Effect.gen(function* () {
  const { acme, bob, boss, hush, own, site, store } = yield* world
  const list = (order: Pick<RepositoryFilter, "descending" | "owner"> = {}) =>
    Effect.map(
      store.list(viewerOfSite(viewing(boss)), { ...order, order: "fullName" }, all),
      (page) => shown(page).names
    )
  equal(yield* list(), ["acme/bare", "acme/site", "acme/vault", "bob/own", "hid/diary", "hush/plot", "inner/plan"])
  yield* (yield* OrganizationStore).rename(acme.id, "Zeta")
  yield* (yield* UserStore).rename(bob.id, "inner-2")
  yield* store.rename(site.id, "Will")
  yield* store.transfer(own.id, organizationOwner(hush))
  const renamed = ["hid/diary", "hush/own", "hush/plot", "inner/plan", "Zeta/bare", "Zeta/vault", "Zeta/Will"]
  equal(yield* list(), renamed)
  equal(yield* list({ descending: true }), renamed.toReversed())
  equal(yield* list({ owner: acme.id }), ["Zeta/bare", "Zeta/vault", "Zeta/Will"])
  // A name that is part of another one comes first, whatever follows it.
  yield* repository(8, userOwner(bob), { name: "a" })
  yield* (yield* OrganizationStore).rename(hush.id, "inner.x")
  equal(yield* list(), [
    "hid/diary",
    "inner/plan",
    "inner-2/a",
    "inner.x/own",
    "inner.x/plot",
    "Zeta/bare",
    "Zeta/vault",
    "Zeta/Will"
  ])
})
