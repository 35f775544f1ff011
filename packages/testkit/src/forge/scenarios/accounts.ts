import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { fullScope, isWithin, type ScopeWord, scopeOf } from "@slipway/domain/forge/access"
import {
  EmailAddress,
  emails,
  emailsOf,
  replacePrimary,
  type User,
  UserStore,
  usersByEmail
} from "@slipway/domain/forge/identity"
import { Entry } from "@slipway/forge/entry"
import { AccessTokens, Emails, UserSettings } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { all, namesOf } from "../builders.ts"
import { at } from "../testEnv.ts"
import {
  actor,
  answer,
  basic,
  bearer,
  equal,
  may,
  mayOn,
  password,
  people,
  present,
  type Scenario,
  type Sent,
  search,
  tokenOf,
  user,
  whoAmI
} from "./support.ts"

const settings = Effect.gen(function* () {
  yield* user("bob")
  const edit = (input: Parameters<typeof UserSettings.edit>[1]) =>
    Effect.flatMap(may("account.settings.edit", basic("bob")), (proof) => UserSettings.edit(proof, input))
  const read = Effect.map(may("account.settings.read", basic("bob")), UserSettings.read)
  const before = yield* read
  equal(yield* edit({ fullName: "Bob", hideEmail: true }), { ...before, fullName: "Bob", hideEmail: true })
  equal(yield* read, { ...before, fullName: "Bob", hideEmail: true })
  // Additional fields of a request are not settings of a user, and change nothing.
  const smuggled = { location: "here", admin: true, active: false, visibility: "private", name: "boss", id: 1 } as const
  yield* edit(smuggled)
  const after = yield* present("bob")
  equal(
    [after?.location, after?.admin, after?.active, after?.visibility, after?.name],
    ["here", false, true, "public", "bob"]
  )
})

const addresses = Effect.gen(function* () {
  yield* user("bob")
  yield* user("cy")
  const list = Effect.flatMap(may("account.email.list", basic("bob")), (proof) =>
    Effect.map(Emails.list(proof), (rows) => rows.map((row) => row.address))
  )
  const add = (...addresses: ReadonlyArray<string>) =>
    Effect.flatMap(may("account.email.add", basic("bob")), (proof) =>
      Emails.add(
        proof,
        addresses.map((each) => EmailAddress.make(each))
      )
    )
  const remove = (...addresses: ReadonlyArray<string>) =>
    answer(Effect.flatMap(may("account.email.remove", basic("bob")), (proof) => Emails.remove(proof, addresses)))
  equal(
    (yield* add("b@example.com", "a@example.com")).map((row) => row.verified),
    [true, true, true]
  )
  equal(yield* answer(add("c@example.com", "CY@example.com")), "EmailTaken c@example.com, CY@example.com")
  equal(yield* answer(add("c@example.com", "C@example.com")), "EmailTaken C@example.com")
  equal(yield* list, ["bob@example.com", "b@example.com", "a@example.com"])
  equal(yield* remove("a@example.com", "cy@example.com"), "EmailNotFound cy@example.com")
  equal(yield* remove("a@example.com", "BOB@example.com"), "EmailIsPrimary BOB@example.com")
  equal(yield* list, ["bob@example.com", "b@example.com", "a@example.com"])
  equal(yield* remove("A@example.com"), undefined)
  equal(yield* list, ["bob@example.com", "b@example.com"])
  equal(yield* whoAmI(basic("b@example.com")), "bob")
})

/** Reads the primary email address and all confirmed email addresses of a user. */
const addressesOf = ({ id }: Pick<User, "id">) =>
  Effect.map(emailsOf(id), (rows) =>
    rows.map(({ address, primaryOf, verified }) => `${primaryOf === id ? "*" : ""}${address}${verified ? "" : "?"}`)
  )

const primary = Effect.gen(function* () {
  const [bob, cy] = [yield* user("bob"), yield* user("cy")]
  const { email } = yield* replaced(bob, "new@example.com")
  equal([email, yield* addressesOf(bob)], ["new@example.com", ["*new@example.com"]])
  equal(yield* answer(replaced(bob, "CY@example.com")), "EmailTaken CY@example.com")
  equal((yield* replaced(bob, "NEW@example.com")).email, "NEW@example.com")
  const store = yield* emails.store
  for (const address of ["a@example.com", "b@example.com"])
    yield* store.insert({ userId: bob.id, primaryOf: null, address, verified: false })
  // An existing address keeps its position in the list, and becomes confirmed.
  equal((yield* replaced(bob, "B@example.com")).email, "B@example.com")
  equal([yield* addressesOf(bob), yield* addressesOf(cy)], [["a@example.com?", "*B@example.com"], ["*cy@example.com"]])
  const asked = ["b@EXAMPLE.com", "a@example.com", "cy@example.com", "nobody@example.com", "\0"]
  equal(
    [...(yield* usersByEmail(asked))],
    [
      ["b@EXAMPLE.com", bob.id],
      ["cy@example.com", cy.id]
    ]
  )
  equal(yield* usersByEmail([]), new Map())
})

const replaced = Effect.fnUntraced(function* ({ id }: Pick<User, "id">, address: string) {
  yield* (yield* Transaction).run(replacePrimary(id, address))
  return yield* Effect.orDie(Effect.fromNullishOr(yield* (yield* UserStore).find(id)))
})

const tokens = Effect.gen(function* () {
  yield* people
  const create = (sent: Sent, name: string, scopes: ReadonlyArray<ScopeWord>, expiresAt: string | null = null) =>
    Effect.flatMap(mayOn("user.token.create", "open", sent), (proof) =>
      AccessTokens.create(proof, { name, scopes, expiresAt })
    )
  const { plain, token } = yield* at(5)(create(basic("open"), "one", ["write:user", "read:user", "read:issue"]))
  equal(token.scopes, ["read:issue", "write:user"])
  equal(token.lastEight, Redacted.value(plain).slice(-8))
  equal(yield* answer(create(basic("open"), "ONE", ["all"])), "TokenNameTaken ONE")
  equal(yield* answer(create(basic("open"), "two", [])), "TokenWithoutScope")
  equal(yield* answer(at(5)(create(basic("open"), "two", ["all"], "2026-01-01T00:00:05Z"))), "TokenExpired")
  const { token: expiring } = yield* at(5)(create(basic("boss"), "two", ["all"], "2026-02-01T00:00:00+01:00"))
  equal(expiring.expiresAt, "2026-01-31T23:00:00.000Z")
  equal(
    yield* answer(create(basic("limited"), "mine", ["all"])),
    "403 doer should be the site admin or be same as the contextUser"
  )
  const list = (sent: Sent) =>
    Effect.flatMap(mayOn("user.token.list", "open", sent), (proof) =>
      Effect.map(AccessTokens.list(proof, all), namesOf)
    )
  equal(yield* list(basic("boss")), { names: ["one", "two"], total: 2 })
  const remove = (name: string) =>
    answer(
      Effect.flatMap(mayOn("user.token.delete", "open", basic("open")), (proof) => AccessTokens.remove(proof, name))
    )
  equal(yield* remove("three"), "TokenNotFound")
  equal(yield* remove("TWO"), undefined)
  equal(yield* remove(String(token.id)), undefined)
  equal(yield* remove(String(token.id)), "TokenNotFound")
  equal(yield* whoAmI(bearer(Redacted.value(plain))), "InvalidCredentials credentials")
})

const minted = Effect.gen(function* () {
  yield* people
  for (const words of [["all"], ["write:user"], ["all", "public-only"], ["write:admin", "write:user"]] as const) {
    const sent = bearer(yield* tokenOf("boss", words))
    for (const name of ["boss", "open"]) {
      const refused = yield* answer(mayOn("user.token.create", name, sent))
      equal([words, refused], [words, "401 auth required"])
    }
    const viewer = yield* actor(sent)
    equal(viewer.scope, scopeOf(words))
    assert.isTrue(isWithin(viewer.scope, fullScope))
  }
})

const inUse = Effect.gen(function* () {
  yield* people
  const text = yield* tokenOf("open", ["read:user"])
  const read = (sent: Sent) => answer(Effect.flatMap(may("token.read", sent), AccessTokens.introspect))
  const tokenInfo = (yield* read(bearer(text))) as { readonly scopes: unknown }
  equal(tokenInfo.scopes, ["read:user"])
  equal(yield* read(basic("open")), "TokenNotFound")
  equal(yield* read({}), "401 token is required")
  yield* Effect.flatMap(may("token.delete", bearer(text)), AccessTokens.removeInUse)
  equal(yield* read(bearer(text)), "InvalidCredentials credentials")
})

/** Tests of the use cases by which users change their own settings. */
export const accounts: Scenario = {
  port: "accounts",
  musts: {
    "I13: an edit of settings changes no other field of the user": settings,
    "a user adds and removes all given addresses or none": addresses,
    "a user has one primary address, and is found by confirmed addresses": primary,
    "a user creates tokens that are shown once, and lists and deletes them": tokens,
    "I5: a token creates no token, and has only the requested scopes": minted,
    "a caller reads and deletes the token in use": inUse,
    "I15: no response contains a secret": Effect.gen(function* () {
      yield* people
      const text = yield* tokenOf("open")
      const responses = JSON.stringify([
        yield* Effect.flatMap(mayOn("user.token.list", "open", basic("open")), (proof) =>
          AccessTokens.list(proof, all)
        ),
        yield* search(basic("boss")),
        yield* Effect.flatMap(may("token.read", bearer(text)), AccessTokens.introspect),
        yield* may("account.read", basic("open"))
      ])
      for (const secret of [text, text.slice(0, -8), password, "test$"]) assert.notInclude(responses, secret)
      assert.include(responses, text.slice(-8))
    }),
    "an action is authorized before it runs": Effect.gen(function* () {
      yield* people
      for (const action of [
        "account.read",
        "account.settings.edit",
        "account.email.add",
        "account.block.add"
      ] as const) {
        equal(yield* answer(may(action, {})), "401 token is required")
      }
      equal(Entry.system("admin.user.list").allowed, true)
      assert.throws(() => Entry.system("nodeinfo.read"), "the service itself may not do `nodeinfo.read`")
    })
  }
}
