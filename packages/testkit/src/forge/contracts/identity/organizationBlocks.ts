import { assert } from "@effect/vitest"
import { BlockStore, OrganizationStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { all, anonymousViewer, namesOf, organizationOwner } from "../../builders.ts"
import { equal, organization, repository, user } from "../base/fixtures.ts"

/** Contract tests of the store of blocks: organizations that block users. */
export const organizationBlocks = {
  separate: Effect.gen(function* () {
    const store = yield* BlockStore
    const [bob, eve] = [yield* user(1), yield* user(2)] as const
    const acme = yield* organization(1)
    yield* store.add({ blocker: acme.id, blocked: eve.id, note: "by acme" })
    yield* store.add({ blocker: bob.id, blocked: eve.id, note: "by bob" })
    equal(yield* store.find(acme.id, eve.id), { blocker: acme.id, blocked: eve.id, note: "by acme" })
    equal(yield* Effect.map(store.list(anonymousViewer, acme.id, all), namesOf), { names: [eve.name], total: 1 })
    assert.isTrue(yield* store.remove(acme.id, eve.id))
    equal((yield* store.find(bob.id, eve.id))?.note, "by bob")
  }),
  forgotten: Effect.gen(function* () {
    const store = yield* BlockStore
    const eve = yield* user(2)
    const acme = yield* organization(1)
    yield* repository(1, organizationOwner(yield* organization(2)))
    yield* store.add({ blocker: acme.id, blocked: eve.id, note: "" })
    yield* (yield* OrganizationStore).remove(acme.id)
    assert.isUndefined(yield* store.find(acme.id, eve.id))
  })
} as const
