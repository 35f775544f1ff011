import { assert } from "@effect/vitest"
import {
  AvatarStore,
  type LabelId,
  LabelStore,
  type NewLabel,
  type OrganizationId,
  OrganizationStore,
  type Stores
} from "@slipway/domain/forge"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import { all, avatarNamed, namesOf } from "../builders.ts"
import { equal, organization } from "./ground.ts"

const newLabel = (organizationId: OrganizationId, facts: Partial<NewLabel> = {}): NewLabel => ({
  organizationId,
  name: "bug",
  color: "ff0000",
  description: "does not work",
  exclusive: false,
  archived: false,
  ...facts
})

const fixture = Effect.gen(function* () {
  const store = yield* LabelStore
  const [acme, other] = [yield* organization(1), yield* organization(2)] as const
  const bug = yield* store.insert(newLabel(acme.id))
  return { store, acme, other, bug }
})

/** What the store of labels promises. */
export const labels: Contract<Stores> = {
  port: "LabelStore",
  musts: {
    "give back a label as it was inserted, with a number": Effect.gen(function* () {
      const { acme, bug, store } = yield* fixture
      equal(bug, { ...newLabel(acme.id), id: bug.id })
      const row = newLabel(acme.id, { name: "Ünï/é", exclusive: true, archived: true, description: "" })
      const made = yield* store.insert(row)
      equal(made, { ...row, id: made.id })
      equal(yield* store.find(acme.id, made.id), made)
    }),
    "find, replace and remove the labels of one organization alone": Effect.gen(function* () {
      const { acme, bug, other, store } = yield* fixture
      const changed = { ...bug, ...newLabel(acme.id, { name: "x", color: "0000ff", exclusive: true, archived: true }) }
      // Invariant I6: the number of a label means nothing below another organization.
      for (const [organizationId, id] of [
        [other.id, bug.id],
        [acme.id, 404_404],
        [acme.id, 1.5]
      ] as const) {
        assert.isUndefined(yield* store.find(organizationId, id))
        assert.isFalse(yield* store.replace({ ...changed, organizationId, id: id as LabelId }))
        assert.isFalse(yield* store.remove(organizationId, id))
      }
      equal(yield* store.find(acme.id, bug.id), bug)
      assert.isTrue(yield* store.replace(changed))
      equal(yield* store.find(acme.id, bug.id), changed)
      assert.isTrue(yield* store.remove(acme.id, bug.id))
      assert.isFalse(yield* store.remove(acme.id, bug.id))
      assert.isUndefined(yield* store.find(acme.id, bug.id))
    }),
    "list the labels of an organization by name, and count them": Effect.gen(function* () {
      const { acme, other, store } = yield* fixture
      for (const name of ["Zeta", "alpha", "BUG"]) yield* store.insert(newLabel(acme.id, { name }))
      yield* store.insert(newLabel(other.id, { name: "other" }))
      const shown = (page = all) => Effect.map(store.list(acme.id, page), namesOf)
      equal(yield* shown(), { names: ["alpha", "bug", "BUG", "Zeta"], total: 4 })
      equal(yield* shown({ page: 2, perPage: 3 }), { names: ["Zeta"], total: 4 })
      equal(yield* shown({ page: 3, perPage: 3 }), { names: [], total: 4 })
    }),
    "remove the labels of an organization that is removed": Effect.gen(function* () {
      const { acme, bug, store } = yield* fixture
      yield* (yield* OrganizationStore).remove(acme.id)
      assert.isUndefined(yield* store.find(acme.id, bug.id))
      equal((yield* store.list(acme.id, all)).total, 0)
    })
  }
}

/** What the store of pictures promises. */
export const avatars: Contract<Stores> = {
  port: "AvatarStore",
  musts: {
    "give back a picture as it was put, by its name alone": Effect.gen(function* () {
      const store = yield* AvatarStore
      const bytes = Uint8Array.from({ length: 5_000 }, (_, n) => (n * 31) % 256)
      yield* store.put(avatarNamed(1), bytes)
      yield* store.put(avatarNamed(2), new Uint8Array([0]))
      equal([...((yield* store.find(avatarNamed(1))) ?? [])], [...bytes])
      equal([...((yield* store.find(avatarNamed(2))) ?? [])], [0])
    }),
    "remove a picture once, and tell when there was none": Effect.gen(function* () {
      const store = yield* AvatarStore
      yield* store.put(avatarNamed(1), new Uint8Array([1]))
      assert.isTrue(yield* store.remove(avatarNamed(1)))
      assert.isFalse(yield* store.remove(avatarNamed(1)))
      assert.isUndefined(yield* store.find(avatarNamed(1)))
    }),
    "answer nothing for a picture that is not there": Effect.gen(function* () {
      const store = yield* AvatarStore
      for (const name of ["", "\0", "\ud800", "%", avatarNamed(9)]) assert.isUndefined(yield* store.find(name))
    })
  }
}
