import { assert } from "@effect/vitest"
import { scopeOf } from "@slipway/domain/forge/access"
import { type Repository, RepositoryStore, stars } from "@slipway/domain/forge/code"
import { FollowStore, TeamStore, type User, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { all, anonymousViewer, moment, namesOf, organizationOwner, userOwner, viewing } from "../../../builders.ts"
import { equal, organization, repository, team, user } from "../../base/fixtures.ts"

/** Tests the users that a restricted user gets in lists. */
export const showsRestricted = Effect.gen(function* () {
  const users = yield* UserStore
  const repositories = yield* RepositoryStore
  const rex = yield* user(1, { name: "rex", restricted: true })
  const [host, guest, mate] = [
    yield* user(2, { name: "host" }),
    yield* user(3, { name: "guest" }),
    yield* user(4, { name: "mate" })
  ]
  const limited = yield* user(5, { name: "limited", visibility: "limited" })
  const apart = yield* user(6, { name: "apart" })
  const shown = (viewer: User) =>
    Effect.map(users.search(viewing(viewer), { text: "" }, all), ({ rows, total }) => [
      rows.map(({ name }) => name),
      total
    ])
  const everybody = [["apart", "guest", "host", "limited", "mate", "rex"], 6]
  equal(yield* shown(apart), everybody)
  equal(yield* shown(rex), [["rex"], 1])
  const shared = yield* repository(1, userOwner(host), { private: true })
  yield* repositories.setCollaborator(shared.id, { userId: guest.id, level: 1 })
  equal(yield* shown(rex), [["rex"], 1])
  yield* repositories.setCollaborator(shared.id, { userId: rex.id, level: 1 })
  equal(yield* shown(rex), [["guest", "host", "rex"], 3])
  const acme = yield* organization(9)
  const crew = yield* team(1, acme, {}, [rex])
  yield* team(2, acme, {}, [mate, limited])
  equal(yield* shown(rex), [["guest", "host", "limited", "mate", "rex"], 5])
  // Invariant I7: visibility ends with the shared resource.
  yield* repositories.remove(shared.id)
  yield* (yield* TeamStore).removeMember(crew.id, rex.id)
  equal(yield* shown(rex), [["rex"], 1])
  // The users share a team with access to the repository in which they collaborate; a team without access doesn't
  // count.
  const site = yield* repository(2, organizationOwner(acme))
  const makers = yield* team(3, acme, { units: { "repo.code": 1 } }, [mate])
  yield* repositories.setCollaborator(site.id, { userId: rex.id, level: 1 })
  equal(yield* shown(rex), [["rex"], 1])
  yield* (yield* TeamStore).addRepository(makers.id, site.id)
  equal(yield* shown(rex), [["mate", "rex"], 2])
  equal(yield* shown(apart), everybody)
})

/** Tests the counts of starred repositories. */
export const countsStars = Effect.gen(function* () {
  const [ann, bob, hidden] = [yield* user(1), yield* user(2), yield* user(3, { visibility: "private" })]
  const repositories = [
    yield* repository(1, userOwner(ann)),
    yield* repository(2, userOwner(ann), { private: true }),
    yield* repository(3, userOwner(hidden))
  ]
  const rows = repositories.map(({ id }) => ({ userId: bob.id, repositoryId: id, createdAt: moment(1) }))
  yield* Effect.orDie((yield* stars.store).insertMany(rows))
  const starred = Effect.map((yield* UserStore).findMany(viewing(ann), [ann.id, bob.id]), (found) =>
    [ann, bob].map(({ id }) => found.get(id)?.starred)
  )
  equal(yield* starred, [0, 1])
  yield* (yield* UserStore).replace({ ...hidden, visibility: "public" })
  equal(yield* starred, [0, 2])
  const [first, second, third] = repositories as [Repository, Repository, Repository]
  yield* (yield* RepositoryStore).replace({ ...second, private: false })
  equal(yield* starred, [0, 3])
  yield* (yield* RepositoryStore).replace({ ...first, private: true })
  equal(yield* starred, [0, 2])
  yield* (yield* stars.store).removeBy("pair", { userId: bob.id, repositoryId: second.id })
  equal(yield* starred, [0, 1])
  yield* (yield* RepositoryStore).remove(third.id)
  equal(yield* starred, [0, 0])
})

/** Tests the counts of followers and followed users, as each viewer sees them. */
export const countsFollows = Effect.gen(function* () {
  const store = yield* UserStore
  const follows = yield* FollowStore
  const star = yield* user(1, { name: "star" })
  const open = yield* user(2)
  const limited = yield* user(3, { visibility: "limited" })
  const hidden = yield* user(4, { visibility: "private" })
  for (const each of [open, limited, hidden]) {
    yield* follows.add(each.id, star.id)
    yield* follows.add(star.id, each.id)
  }
  yield* follows.add(open.id, hidden.id)
  const counts = (viewer: Parameters<typeof store.search>[0]) =>
    Effect.map(store.findMany(viewer, [star.id]), (found) => {
      const row = found.get(star.id)
      return [row?.followers, row?.following]
    })
  equal(yield* counts(anonymousViewer), [1, 1])
  equal(yield* counts(viewing(open)), [2, 2])
  equal(yield* counts(viewing(hidden)), [3, 3])
  equal(yield* counts(viewing(open, scopeOf(["all", "public-only"]))), [1, 1])
  equal(yield* counts(viewing(star)), [2, 2])
  equal(yield* counts(viewing({ ...star, admin: true })), [3, 3])
  // A restricted user sees users who share something with them.
  const rex = yield* user(8, { restricted: true })
  equal(yield* counts(viewing(rex)), [0, 0])
  yield* team(1, yield* organization(1), {}, [rex, open])
  equal(yield* counts(viewing(rex)), [1, 1])
  // Invariants I7 and I8: the current state counts.
  yield* store.replace({ ...open, visibility: "private" })
  equal(yield* counts(anonymousViewer), [0, 0])
  yield* store.replace({ ...hidden, visibility: "public" })
  equal(yield* counts(anonymousViewer), [1, 1])
  yield* follows.remove(star.id, hidden.id)
  equal(yield* counts(anonymousViewer), [1, 0])
  yield* store.remove(hidden.id)
  equal(yield* counts(viewing({ ...star, admin: true })), [2, 2])
})

/** Tests that the service account can be found by name, but is not in lists. */
export const leavesOutSystem = Effect.gen(function* () {
  const store = yield* UserStore
  const boss = yield* user(1, { name: "boss", admin: true })
  assert.isUndefined(yield* store.system)
  const system = yield* user(2, { name: "system", system: true, visibility: "public", sourceId: 3 })
  equal(yield* store.system, system)
  equal(yield* store.named("system"), { user: system, renamed: false })
  const shown = { names: ["boss"], total: 1 }
  for (const viewer of [anonymousViewer, viewing(boss), viewing(system)]) {
    equal(namesOf(yield* store.search(viewer, {}, all)), shown)
    const filters = [{ text: "syst" }, { ids: [system.id] }, { id: system.id }, { names: ["system"] }, { sourceId: 3 }]
    for (const filter of filters) equal((yield* store.search(viewer, filter, all)).total, 0)
  }
  equal((yield* store.findMany(viewing(boss), [system.id])).get(system.id)?.name, "system")
  // Other changes keep it the service account.
  yield* store.replace({ ...system, system: false, location: "changed" })
  equal(yield* store.system, { ...system, location: "changed" })
})
