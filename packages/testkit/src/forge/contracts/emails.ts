import { assert } from "@effect/vitest"
import { Duplicate } from "@slipway/domain"
import { EmailStore, type Stores, UserStore } from "@slipway/domain/forge"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import { all, newUser } from "../builders.ts"
import { cutsAlike } from "./fixtures.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)

const two = Effect.gen(function* () {
  const users = yield* UserStore
  const one = yield* users.insert(newUser(1, { emailVerified: false }))
  const other = yield* users.insert(newUser(2))
  return { store: yield* EmailStore, users, one, other }
})

const addresses = (user: { readonly id: Parameters<EmailStore["Service"]["ofUser"]>[0] }) =>
  Effect.flatMap(EmailStore, (store) =>
    Effect.map(store.ofUser(user.id), (rows) => rows.map((row) => (row.primary ? `*${row.address}` : row.address)))
  )

/** What the store of addresses promises. */
export const emails: Contract<Stores> = {
  port: "EmailStore",
  musts: {
    "list the addresses of one user alone, the primary one among them, in the order of their insertion": Effect.gen(
      function* () {
        const { one, other, store } = yield* two
        const [added] = yield* store.add(one.id, ["Zed@example.com"], true)
        yield* store.add(one.id, ["abe@example.com"], false)
        yield* store.add(other.id, ["other@example.com"], true)
        const rows = yield* store.ofUser(one.id)
        equal(
          rows.map(({ id: _, ...row }) => row),
          [
            { userId: one.id, userName: one.name, address: one.email, verified: false, primary: true },
            { userId: one.id, userName: one.name, address: "Zed@example.com", verified: true, primary: false },
            { userId: one.id, userName: one.name, address: "abe@example.com", verified: false, primary: false }
          ]
        )
        equal(rows[1], added)
      }
    ),
    "add all addresses or none, and refuse what another or the same user has, ignoring case": Effect.gen(function* () {
      const { one, other, store } = yield* two
      yield* store.add(one.id, ["taken@example.com"], true)
      for (const user of [one, other]) {
        const refusal = yield* Effect.flip(store.add(user.id, ["new@example.com", "TAKEN@example.com"], true))
        assert.instanceOf(refusal, Duplicate)
        equal(refusal.of, "email.address")
      }
      equal(yield* addresses(other), [`*${other.email}`])
      const added = yield* store.add(other.id, ["c@example.com", "a@example.com", "b@example.com"], true)
      equal(
        added.map((row) => row.address),
        ["c@example.com", "a@example.com", "b@example.com"]
      )
      equal(yield* addresses(other), [`*${other.email}`, "c@example.com", "a@example.com", "b@example.com"])
    }),
    "remove addresses of one user alone, ignoring case, but never the primary one": Effect.gen(function* () {
      const { one, other, store } = yield* two
      yield* store.add(one.id, ["a@example.com", "b@example.com"], true)
      yield* store.remove(other.id, ["a@example.com"])
      yield* store.remove(one.id, ["A@EXAMPLE.com", one.email, "nobody@example.com"])
      equal(yield* addresses(one), [`*${one.email}`, "b@example.com"])
      equal(yield* addresses(other), [`*${other.email}`])
    }),
    "put an address in the place of the primary one, which goes": Effect.gen(function* () {
      const { one, other, store, users } = yield* two
      yield* store.replacePrimary(one.id, "new@example.com")
      equal(yield* addresses(one), ["*new@example.com"])
      equal((yield* users.find(one.id))?.email, "new@example.com")
      assert.instanceOf(yield* Effect.flip(store.replacePrimary(one.id, other.email.toUpperCase())), Duplicate)
      equal(yield* addresses(one), ["*new@example.com"])
      yield* store.replacePrimary(one.id, "NEW@example.com")
      equal(yield* addresses(one), ["*NEW@example.com"])
    }),
    "make an address that the user has the primary one": Effect.gen(function* () {
      const { one, store } = yield* two
      yield* store.add(one.id, ["a@example.com", "b@example.com"], false)
      yield* store.replacePrimary(one.id, "b@example.com")
      equal(yield* addresses(one), ["a@example.com", "*b@example.com"])
      equal(
        (yield* store.ofUser(one.id)).map((row) => row.verified),
        [false, true]
      )
    }),
    "confirm an address of one user alone, ignoring case, and tell whether they have it": Effect.gen(function* () {
      const { one, other, store } = yield* two
      yield* store.add(one.id, ["a@example.com", "b@example.com"], false)
      equal(yield* store.confirm(other.id, "a@example.com"), false)
      equal(yield* store.confirm(one.id, "nobody@example.com"), false)
      equal(yield* store.confirm(one.id, "A@EXAMPLE.com"), true)
      equal(yield* store.confirm(one.id, "a@example.com"), true)
      equal(
        (yield* store.ofUser(one.id)).map((row) => [row.address, row.verified]),
        [
          [one.email, false],
          ["a@example.com", true],
          ["b@example.com", false]
        ]
      )
    }),
    "tell whose confirmed addresses some are, ignoring case": Effect.gen(function* () {
      const { one, other, store } = yield* two
      yield* store.add(one.id, ["Zed@example.com"], true)
      yield* store.add(other.id, ["open@example.com"], false)
      const asked = ["zed@EXAMPLE.com", other.email, "open@example.com", one.email, "nobody@example.com"]
      equal(
        yield* store.owners(asked),
        new Map([
          ["zed@EXAMPLE.com", one.id],
          [other.email, other.id]
        ])
      )
      equal(yield* store.owners([]), new Map())
    }),
    "list the addresses of all users by a part of the address or of the user's name, and count them": Effect.gen(
      function* () {
        const { one, store } = yield* two
        yield* store.add(one.id, ["wild_card@example.org"], true)
        const found = (text: string, page = all) =>
          Effect.map(store.search(text, page), ({ rows, total }) => [rows.map((row) => row.address).join(), total])
        equal(yield* found(""), ["user-1@example.com,user-2@example.com,wild_card@example.org", 3])
        equal(yield* found("EXAMPLE.org"), ["wild_card@example.org", 1])
        equal(yield* found("User-1"), ["user-1@example.com,wild_card@example.org", 2])
        equal(yield* found("_"), ["wild_card@example.org", 1])
        equal(yield* found("", { page: 2, perPage: 2 }), ["wild_card@example.org", 3])
        equal(yield* found("", { page: 3, perPage: 2 }), ["", 3])
        equal(yield* found("\0"), ["", 0])
        yield* cutsAlike((page) => store.search("", page))
      }
    )
  }
}
