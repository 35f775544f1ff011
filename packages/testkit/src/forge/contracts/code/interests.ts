import type { Stores } from "@slipway/domain/forge"
import { type Interest, InterestStore, RepositoryStore, stars, watches } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, anonymousViewer, moment, namesOf, userOwner, viewerOfSite, viewing } from "../../builders.ts"
import { equal, repository, user } from "../base/fixtures.ts"

const fixture = Effect.gen(function* () {
  const store = yield* InterestStore
  const [ann, bob] = [yield* user(1), yield* user(2)]
  const [open, shut] = [yield* repository(1, userOwner(ann)), yield* repository(2, userOwner(ann), { private: true })]
  const tie = Effect.fnUntraced(function* (who: typeof ann, what: typeof open) {
    const pair = { userId: who.id, repositoryId: what.id, createdAt: moment(0) }
    yield* Effect.orDie((yield* stars.store).insert(pair))
    yield* Effect.orDie((yield* watches.store).insert({ ...pair, watching: true }))
  })
  return { ann, bob, open, shut, store, tie }
})

const interests: ReadonlyArray<Interest> = ["star", "watch"]
const page = (found: {
  readonly rows: ReadonlyArray<{ readonly repository: { readonly name: string } }>
  readonly total: number | undefined
}) => namesOf({ rows: found.rows.map((each) => each.repository), total: found.total })

/** Contract tests of the store of stars and watches. Every implementation must pass them. */
export const interestContract: Contract<Stores> = {
  port: "InterestStore",
  musts: {
    "list the visible repositories that a user starred or watches, latest first, with the matching total": Effect.gen(
      function* () {
        const { ann, bob, open, shut, store, tie } = yield* fixture
        for (const what of [open, shut]) yield* tie(bob, what)
        yield* tie(ann, open)
        const repositories = yield* RepositoryStore
        for (const interest of interests) {
          const shown = (viewer: typeof anonymousViewer, at = all) =>
            Effect.map(store.repositories(viewerOfSite(viewer), interest, bob.id, at), page)
          equal(yield* shown(viewing(ann)), { names: [shut.name, open.name], total: 2 })
          equal(yield* shown(viewing(ann), { page: 2, perPage: 1 }), { names: [open.name], total: 2 })
          // Invariants I7 and I8: repositories that bob no longer sees are neither listed nor counted.
          equal(yield* shown(viewing(bob)), { names: [open.name], total: 1 })
          equal(yield* shown(anonymousViewer), { names: [open.name], total: 1 })
          yield* repositories.setCollaborator(shut.id, { userId: bob.id, level: 1 })
          equal(yield* shown(viewing(bob)), { names: [shut.name, open.name], total: 2 })
          yield* repositories.removeCollaborator(shut.id, bob.id)
        }
      }
    ),
    "list the visible users who starred or watch a repository, earliest first, with the matching total": Effect.gen(
      function* () {
        const { ann, bob, open, shut, store, tie } = yield* fixture
        const eve = yield* user(3, { visibility: "private" })
        for (const who of [ann, eve, bob]) yield* tie(who, open)
        yield* tie(ann, shut)
        for (const interest of interests) {
          const shown = (viewer: typeof anonymousViewer, at = all) =>
            Effect.map(store.users(viewer, interest, open.id, at), namesOf)
          equal(yield* shown(anonymousViewer), { names: [ann.name, bob.name], total: 2 })
          equal(yield* shown(viewing(eve)), { names: [ann.name, eve.name, bob.name], total: 3 })
          equal(yield* shown(viewing(eve), { page: 2, perPage: 2 }), { names: [bob.name], total: 3 })
        }
      }
    ),
    "omit users who stopped watching": Effect.gen(function* () {
      const { bob, open, store, tie } = yield* fixture
      yield* tie(bob, open)
      const rows = yield* watches.store
      const watch = yield* rows.findBy("pair", { userId: bob.id, repositoryId: open.id })
      yield* Effect.orDie(rows.patch({ userId: bob.id }, watch?.id ?? 0, { watching: false }))
      equal((yield* store.users(anonymousViewer, "watch", open.id, all)).total, 0)
      equal((yield* store.repositories(viewerOfSite(anonymousViewer), "watch", bob.id, all)).total, 0)
      equal((yield* store.users(anonymousViewer, "star", open.id, all)).total, 1)
    })
  }
}
