import { assert } from "@effect/vitest"
import type { OwnerName } from "@slipway/domain/forge/base"
import { EmailAddress, UserStore } from "@slipway/domain/forge/identity"
import { FirstStart } from "@slipway/forge"
import { Entry } from "@slipway/forge/entry"
import { AccessTokens, AdminUsers, Emails } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { all, namesOf } from "../builders.ts"
import {
  answer,
  basic,
  bearer,
  equal,
  may,
  present,
  removeUser,
  type Scenario,
  tokenOf,
  user,
  whoAmI
} from "./support.ts"

const edit = (by: string, name: string, change: AdminUsers.AccountChange) =>
  answer(Effect.flatMap(may("admin.user.edit", basic(by)), (proof) => AdminUsers.edit(proof, name, change)))
const remove = (by: string, name: string) =>
  answer(Effect.flatMap(may("admin.user.delete", basic(by)), (proof) => removeUser(proof, name)))
const rename = (by: string, name: string, newName: string) =>
  answer(
    Effect.flatMap(may("admin.user.rename", basic(by)), (proof) => AdminUsers.rename(proof, name, newName as OwnerName))
  )

const creates = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  const create = (name: string, facts: Partial<AdminUsers.NewAccount> = {}) =>
    Effect.flatMap(may("admin.user.create", basic("boss")), (proof) =>
      AdminUsers.create(proof, {
        name: name as OwnerName,
        email: EmailAddress.make(`${name}@example.com`),
        password: "some long password",
        ...facts
      })
    )
  const bob = yield* create("bob", { createdAt: "2020-02-02T02:02:02+02:00" })
  equal(
    [bob.visibility, bob.restricted, bob.mayCreateOrganizations, bob.hideEmail, bob.mustChangePassword, bob.createdAt],
    ["limited", true, false, true, true, "2020-02-02T00:02:02.000Z"]
  )
  equal(yield* answer(create("BOB")), "NameTaken BOB")
  equal(yield* answer(create("cy", { email: EmailAddress.make("BOB@example.com") })), "EmailTaken BOB@example.com")
  for (const common of ["password1", "PassWord1", "ILOVEYOU"]) {
    equal(yield* answer(create("cy", { password: common })), "PasswordTooCommon")
  }
  assert.isUndefined(yield* present("cy"))
})

const withinScope = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("bob")
  const [limited, full] = [yield* tokenOf("boss", ["write:admin", "write:user"]), yield* tokenOf("boss", ["all"])]
  const change = (token: string, name: string, what: AdminUsers.AccountChange) =>
    answer(
      Effect.flatMap(may("admin.user.edit", bearer(token)), (proof) =>
        Effect.map(AdminUsers.edit(proof, name, what), (each) => each.name)
      )
    )
  const create = (token: string, name: string, admin: boolean) =>
    answer(
      Effect.flatMap(may("admin.user.create", bearer(token)), (proof) =>
        Effect.map(
          AdminUsers.create(proof, {
            name: name as OwnerName,
            email: EmailAddress.make(`${name}@example.com`),
            password: "some long password",
            admin
          }),
          (each) => each.name
        )
      )
    )
  for (const name of ["boss", "bob"]) {
    equal(yield* change(limited, name, { password: "another password" }), "BeyondScope")
  }
  equal(yield* change(limited, "bob", { admin: true }), "BeyondScope")
  equal(yield* create(limited, "eve", true), "BeyondScope")
  equal(yield* create(limited, "eve", false), "eve")
  equal(yield* change(limited, "boss", { admin: true, fullName: "Boss" }), "boss")
  equal(yield* whoAmI(basic("boss")), "boss")
  equal(yield* change(full, "bob", { admin: true, password: "another password" }), "bob")
  equal(yield* create(full, "fay", true), "fay")
})

const endsTokens = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("bob")
  const tokens = [yield* tokenOf("bob", ["all"]), yield* tokenOf("bob", ["read:user"]), yield* tokenOf("boss")]
  const who = () => Effect.forEach(tokens, (token) => whoAmI(bearer(token)))
  yield* edit("boss", "bob", { password: "another password" })
  equal(yield* who(), ["bob", "bob", "boss"])
  yield* edit("boss", "bob", { password: "a third password", endTokens: true })
  const ended = "InvalidCredentials credentials"
  equal(yield* who(), [ended, ended, "boss"])
})

const edits = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("bob")
  yield* edit("boss", "BOB", { fullName: "Bob", maxRepositories: 3, restricted: true })
  const bob = yield* present("bob")
  equal([bob?.fullName, bob?.maxRepositories, bob?.restricted, bob?.active], ["Bob", 3, true, true])
  yield* edit("boss", "bob", { email: EmailAddress.make("new@example.com"), password: "another password" })
  equal((yield* present("bob"))?.email, "new@example.com")
  equal(yield* whoAmI(basic("bob")), "InvalidCredentials credentials")
  equal(yield* whoAmI(basic("new@example.com", "another password")), "bob")
  equal(
    yield* edit("boss", "bob", { email: EmailAddress.make("boss@example.com"), fullName: "No" }),
    "EmailTaken boss@example.com"
  )
  equal(yield* edit("boss", "bob", { password: "password1", fullName: "No" }), "PasswordTooCommon")
  equal((yield* present("bob"))?.fullName, "Bob")
  equal(yield* edit("boss", "nobody", {}), "UserNotFound nobody")
})

const lastOne = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("other", { admin: true })
  yield* user("stopped", { admin: true, prohibited: true })
  for (const change of [{ prohibited: true }, { active: false }]) {
    equal(yield* edit("boss", "boss", change), "NotYourself")
  }
  equal(yield* remove("boss", "boss"), "NotYourself")
  yield* edit("boss", "boss", { admin: false })
  const proof = Entry.system("admin.user.edit")
  for (const change of [{ admin: false }, { prohibited: true }, { active: false }]) {
    equal(yield* answer(AdminUsers.edit(proof, "other", change)), "LastAdministrator")
  }
  equal(yield* answer(removeUser(Entry.system("admin.user.delete"), "other")), "LastAdministrator")
  // An administrator who can't sign in doesn't count, and can be removed.
  equal(yield* remove("other", "stopped"), undefined)
  yield* edit("other", "boss", { admin: true })
  const resign = (name: string) => answer(AdminUsers.edit(proof, name, { admin: false }))
  const answers = yield* Effect.all([resign("boss"), resign("other")], { concurrency: "unbounded" })
  equal(answers.filter((each) => each === "LastAdministrator").length, 1)
})

const renames = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("bob")
  yield* user("cy")
  equal(yield* rename("boss", "bob", "CY"), "NameTaken CY")
  equal(yield* rename("boss", "nobody", "anybody"), "UserNotFound nobody")
  equal(yield* rename("boss", "bob", "robert"), undefined)
  equal(yield* rename("boss", "bob", "bobby"), "UserRenamed bob robert")
  equal(yield* edit("boss", "bob", {}), "UserRenamed bob robert")
  equal(yield* rename("boss", "cy", "BOB"), undefined)
  equal((yield* present("bob"))?.name, "BOB")
})

const removes = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("bob")
  const token = yield* tokenOf("bob")
  equal(yield* remove("boss", "bob"), undefined)
  equal(yield* remove("boss", "bob"), "UserNotFound bob")
  equal(yield* whoAmI(bearer(token)), "InvalidCredentials credentials")
  equal(yield* whoAmI(basic("bob")), "InvalidCredentials credentials")
})

const lists = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("hidden", { visibility: "private" })
  yield* user("remote", { sourceId: 2, loginName: "uid=1" })
  const list = (filter: Parameters<typeof AdminUsers.list>[1]) =>
    Effect.flatMap(may("admin.user.list", basic("boss")), (proof) =>
      Effect.map(AdminUsers.list(proof, filter, all), (page) => namesOf(page).names)
    )
  equal(yield* list({}), ["boss", "hidden", "remote"])
  equal(yield* list({ sourceId: 2 }), ["remote"])
  equal(yield* list({ loginName: "uid=1" }), ["remote"])
  const addresses = yield* Effect.flatMap(may("admin.email.search", basic("boss")), (proof) =>
    Emails.searchAll(proof, "HIDDEN", all)
  )
  equal(
    addresses.rows.map((row) => [row.userName, row.address, row.primaryOf !== null, row.verified]),
    [["hidden", "hidden@example.com", true, true]]
  )
  const every = yield* Effect.flatMap(may("admin.email.list", basic("boss")), (proof) => Emails.listAll(proof, all))
  equal(every.total, 3)
})

const others = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("bob")
  const actions = ["admin.user.list", "admin.user.create", "admin.user.edit", "admin.user.delete"] as const
  for (const action of actions) {
    equal(yield* answer(may(action, {})), "401 token is required")
    equal(yield* answer(may(action, basic("bob"))), "403 user should be the site admin")
    equal(
      yield* answer(may(action, bearer(yield* tokenOf("bob", ["all"], { name: action })))),
      "403 user should be the site admin"
    )
    const reading = bearer(yield* tokenOf("boss", ["read:admin", "write:user"], { name: action }))
    equal(typeof (yield* answer(may(action, reading))), action === "admin.user.list" ? "object" : "string")
    const open = bearer(yield* tokenOf("boss", ["all", "public-only"], { name: `${action} public` }))
    equal(yield* answer(may(action, open)), "403 this endpoint is not available for public-only tokens")
  }
})

const firstStart = Effect.gen(function* () {
  const chosen = { name: "root" as OwnerName, email: EmailAddress.make("root@example.com") }
  const starts = yield* Effect.all(
    Array.from({ length: 4 }, () => FirstStart.prepare(chosen)),
    { concurrency: "unbounded" }
  )
  const successes = starts.filter((each) => each !== undefined)
  equal(successes.length, 1)
  const [prepared] = successes
  assert.isDefined(prepared?.password)
  equal([prepared.administrator.admin, prepared.administrator.mustChangePassword], [true, false])
  equal(yield* whoAmI(basic("root", Redacted.value(prepared.password))), "root")
  equal(yield* FirstStart.prepare({ ...chosen, password: Redacted.make("never looked at") }), undefined)
})

/**
 * Tests of the use cases of administrators. On this site, new accounts are restricted and have the visibility
 * `limited`.
 */
export const administration: Scenario = {
  port: "administration",
  musts: {
    "an administrator creates users with the site's defaults, and without common passwords": creates,
    "an edit of a user changes all given fields or none": edits,
    "I5: a token sets no password and promotes no administrator beyond its scope": withinScope,
    "a password change revokes the user's tokens on request": endsTokens,
    "the site keeps its last administrator, and administrators cannot lock themselves out": lastOne,
    "an old name redirects to the renamed user": renames,
    "deleting a user removes all resources of the user": removes,
    "an administrator lists users and addresses, including hidden ones": lists,
    "I13: administration needs a site administrator and a token with the scope": others,
    "a first start creates one administrator and shows the generated password once": firstStart,
    "a first start uses the operator's password": Effect.gen(function* () {
      const password = Redacted.make("chosen by the operator")
      const prepared = yield* FirstStart.prepare({
        name: "root" as OwnerName,
        email: EmailAddress.make("root@example.com"),
        password
      })
      assert.isDefined(prepared)
      assert.isUndefined(prepared.password)
      equal(yield* whoAmI(basic("root", Redacted.value(password))), "root")
    }),
    "the operator creates tokens for users": Effect.gen(function* () {
      yield* user("bob")
      const mint = (name: string) =>
        AccessTokens.createFor(Entry.system("admin.user.edit"), name, { name: "x", scopes: ["all"], expiresAt: null })
      const { plain } = yield* mint("BOB")
      equal(yield* whoAmI(bearer(Redacted.value(plain))), "bob")
      equal(yield* answer(mint("nobody")), "UserNotFound nobody")
      const bob = yield* present("bob")
      assert.isDefined(bob)
      yield* (yield* UserStore).rename(bob.id, "robert")
      equal(yield* answer(mint("bob")), "UserRenamed bob robert")
    })
  }
}
