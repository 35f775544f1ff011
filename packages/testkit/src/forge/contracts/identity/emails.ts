import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { EmailSearch, emails, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { addressOf, all, newUser } from "../../builders.ts"
import { samePaginated } from "../base/fixtures.ts"

const equal = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)

/** Contract tests of the search for email addresses. Every implementation must pass them. */
export const emailSearch: Contract<Stores> = {
  port: "EmailSearch",
  musts: {
    "find the email addresses of all users by a part of the address or the user name, and count them": Effect.gen(
      function* () {
        const users = yield* UserStore
        const one = yield* users.insert(newUser(1))
        yield* users.insert(newUser(2))
        yield* (yield* emails.store).insert(addressOf(one, "wild_card@example.org"))
        const store = yield* EmailSearch
        const found = (text: string, page = all) =>
          Effect.map(store.search(text, page), ({ rows, total }) => [rows.map((row) => row.address).join(), total])
        equal(yield* found(""), ["user-1@example.com,user-2@example.com,wild_card@example.org", 3])
        equal(yield* found("EXAMPLE.org"), ["wild_card@example.org", 1])
        equal(yield* found("User-1"), ["user-1@example.com,wild_card@example.org", 2])
        equal(yield* found("_"), ["wild_card@example.org", 1])
        equal(yield* found("", { page: 2, perPage: 2 }), ["wild_card@example.org", 3])
        equal(yield* found("", { page: 3, perPage: 2 }), ["", 3])
        equal(yield* found("\0"), ["", 0])
        yield* samePaginated((page) => store.search("", page))
      }
    ),
    "omit the email address of the service account": Effect.gen(function* () {
      const users = yield* UserStore
      yield* users.insert(newUser(1, { name: "system", system: true }))
      yield* users.insert(newUser(2))
      const store = yield* EmailSearch
      for (const [text, total] of [
        ["", 1],
        ["system", 0],
        ["user-", 1]
      ] as const) {
        equal((yield* store.search(text, all)).total, total)
      }
    })
  }
}
