import { assert } from "@effect/vitest"
import type { OwnerName } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { MemberStore, OrganizationStore, ownersTeam, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Entry } from "@slipway/forge/entry"
import { Organizations } from "@slipway/forge/identity"
import { Effect } from "effect"
import { all, namesOf, newRepository, newTeam, organizationOwner, userOwner } from "../../builders.ts"
import {
  answer,
  authorizeAbout,
  basic,
  bearer,
  removeUser as deleteUser,
  equal,
  may,
  mayOn,
  type Sent,
  tokenOf,
  user
} from "../support.ts"
import { addOwner, create, idOf, mayIn, one, organizationNamed, read, remove, rename, team } from "./support.ts"

const founds = Effect.gen(function* () {
  yield* user("olga")
  yield* user("stopped", { mayCreateOrganizations: false })
  const acme = yield* create("olga", "Acme", { email: "acme@example.com", visibility: "limited", fullName: "A" })
  equal([acme.name, acme.visibility, acme.fullName, acme.description], ["Acme", "limited", "A", ""])
  equal(acme.createdAt, acme.updatedAt)
  const membership = yield* (yield* MemberStore).find(acme.id, yield* idOf("olga"))
  equal(
    membership?.teams.map(({ id: _, ...each }) => each),
    [{ ...ownersTeam, organizationId: acme.id }]
  )
  equal(membership?.public, false)
  equal(yield* answer(create("olga", "ACME")), "NameTaken ACME")
  equal(yield* answer(create("olga", "Olga")), "NameTaken Olga")
  assert.match(String(yield* answer(create("stopped", "other"))), /^403 /)
  const boss = yield* user("boss", { admin: true })
  const organization = yield* Effect.flatMap(may("admin.user.organization.create", basic("boss")), (proof) =>
    Organizations.createFor(proof, "stopped", { name: "given" as OwnerName })
  )
  assert.isDefined(yield* (yield* MemberStore).find(organization.id, yield* idOf("stopped")))
  assert.isUndefined(yield* (yield* MemberStore).find(organization.id, boss.id))
})

const namesOnce = Effect.gen(function* () {
  yield* user("olga")
  yield* user("boss", { admin: true })
  for (const name of ["first", "second", "third"]) {
    const results = yield* Effect.all(
      [
        answer(create("olga", name)),
        answer(create("olga", name.toUpperCase())),
        answer(user(name)),
        answer(create("boss", name)),
        answer(user(name.toUpperCase(), {}))
      ],
      { concurrency: "unbounded" }
    )
    one(results, (each) => typeof each === "object")
    const isThere = [
      (yield* (yield* OrganizationStore).named(name)) !== undefined,
      (yield* (yield* UserStore).named(name)) !== undefined
    ]
    equal(isThere.filter(Boolean).length, 1)
  }
})

const changes = Effect.gen(function* () {
  yield* user("olga")
  yield* user("bob")
  yield* create("olga", "acme", { email: "acme@example.com", website: "https://acme.example" })
  yield* team(1, "acme", "bob")
  const edit = (by: string) =>
    answer(
      Effect.flatMap(mayIn("organization.edit", "acme", basic(by)), (proof) =>
        Organizations.edit(proof, { visibility: "private", fullName: "ACME", email: "" })
      )
    )
  assert.match(String(yield* edit("bob")), /^403 /)
  yield* edit("olga")
  const acme = yield* organizationNamed("acme")
  equal([acme.visibility, acme.fullName, acme.email, acme.website], ["private", "ACME", "", "https://acme.example"])
  assert.match(String(yield* read({}, "acme")), /^404 /)
  equal(yield* read(basic("bob"), "acme"), acme)
})

const readsAsShown = Effect.gen(function* () {
  yield* user("olga")
  yield* user("eve")
  const acme = yield* create("olga", "acme", { email: "acme@example.com" })
  equal(yield* read(basic("eve"), "acme"), acme)
  equal(yield* read({}, "acme"), { ...acme, email: "" })
  // Invariant I4: a public-only token reads what an anonymous caller would read.
  equal(yield* read(bearer(yield* tokenOf("olga", ["all", "public-only"])), "acme"), { ...acme, email: "" })
})

const renames = Effect.gen(function* () {
  yield* user("olga")
  yield* user("eve")
  yield* create("olga", "acme")
  yield* create("olga", "hush", { visibility: "private" })
  equal(yield* rename("olga", "acme", "EVE"), "NameTaken EVE")
  equal(yield* rename("olga", "acme", "globex"), undefined)
  equal(yield* rename("olga", "hush", "secret"), undefined)
  const moved = 'Renamed {"organization":"globex"}'
  equal(yield* read({}, "ACME"), moved)
  // A caller who sees it is redirected before any other check.
  equal(yield* rename("eve", "acme", "x"), moved)
  equal(yield* answer(mayIn("organization.member.list", "acme", {})), moved)
  // A hidden organization is missing under its former name as well (invariant I9).
  for (const name of ["hush", "secret", "nothing"]) assert.match(String(yield* read(basic("eve"), name)), /^404 /)
  equal(yield* read(basic("olga"), "hush"), 'Renamed {"organization":"secret"}')
  const next = yield* create("eve", "acme")
  equal(yield* read(basic("eve"), "acme"), next)
  equal(yield* rename("olga", "globex", "hush"), undefined)
  equal((yield* organizationNamed("hush")).name, "hush")
})

const deletes = Effect.gen(function* () {
  yield* user("olga")
  yield* create("olga", "acme")
  const repositories = yield* RepositoryStore
  const site = yield* repositories.insert(newRepository(1, organizationOwner(yield* organizationNamed("acme"))))
  equal(yield* remove("olga", "acme"), "OwnsRepositories acme organization")
  equal((yield* organizationNamed("acme")).name, "acme")
  yield* repositories.remove(site.id)
  equal(yield* remove("olga", "acme"), undefined)
  assert.match(String(yield* remove("olga", "acme")), /^404 /)
  yield* create("olga", "acme")
})

const listed = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("olga")
  yield* user("eve")
  yield* user("pia", { visibility: "private" })
  for (const name of ["zeta", "Beta"]) yield* create("olga", name)
  yield* create("olga", "hush", { visibility: "private" })
  yield* create("pia", "inner", { visibility: "limited" })
  const directory = (sent: Sent, page = all) =>
    Effect.flatMap(may("organization.list", sent), (proof) => Effect.map(Organizations.list(proof, page), namesOf))
  equal(yield* directory({}), { names: ["Beta", "zeta"], total: 2 })
  equal(yield* directory(basic("eve")), { names: ["Beta", "inner", "zeta"], total: 3 })
  equal(yield* directory(basic("boss"), { page: 2, perPage: 3 }), { names: ["zeta"], total: 4 })
  const everything = Effect.flatMap(may("admin.organization.list", basic("boss")), (proof) =>
    Effect.map(Organizations.listAll(proof, all), namesOf)
  )
  equal((yield* everything).total, 4)
  const narrow = bearer(yield* tokenOf("olga", ["all", "public-only"]))
  const own = (sent: Sent) =>
    Effect.flatMap(may("account.organization.list", sent), (proof) =>
      Effect.map(Organizations.ofSelf(proof, all), namesOf)
    )
  equal(yield* own(basic("olga")), { names: ["Beta", "hush", "zeta"], total: 3 })
  equal(yield* own(narrow), { names: ["Beta", "zeta"], total: 2 })
  const of = (name: string, sent: Sent) =>
    answer(
      Effect.flatMap(mayOn("user.organization.list", name, sent), (proof) =>
        Effect.map(Organizations.ofUser(proof, all), namesOf)
      )
    )
  equal(yield* of("olga", basic("eve")), { names: [], total: 0 })
  yield* (yield* MemberStore).setPublic((yield* organizationNamed("zeta")).id, yield* idOf("olga"), true)
  equal(yield* of("olga", {}), { names: ["zeta"], total: 1 })
  equal(yield* of("olga", basic("olga")), { names: ["Beta", "hush", "zeta"], total: 3 })
  equal(yield* of("olga", basic("boss")), { names: ["Beta", "hush", "zeta"], total: 3 })
  equal(yield* of("olga", narrow), { names: ["zeta"], total: 1 })
  assert.match(String(yield* of("pia", basic("eve"))), /^404 /)
  const any = (name: string) =>
    answer(
      Effect.flatMap(may("admin.user.organization.list", basic("boss")), (proof) =>
        Effect.map(Organizations.ofAnyUser(proof, name, all), namesOf)
      )
    )
  equal(yield* any("pia"), { names: ["inner"], total: 1 })
  equal(yield* any("nobody"), "UserNotFound nobody")
})

const permits = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  for (const name of ["olga", "bob", "cy", "eve"]) yield* user(name)
  yield* create("olga", "acme")
  yield* team(1, "acme", "bob")
  const teams = yield* TeamStore
  const creators = yield* teams.insert({
    ...newTeam(2, yield* organizationNamed("acme")),
    units: { "repo.code": 2 },
    mayCreateRepositories: true
  })
  yield* teams.addMember(creators.id, yield* idOf("cy"))
  const of = (name: string) =>
    Effect.gen(function* () {
      const about = { kind: "organizationUser", organization: "acme", name } as const
      const entered = yield* authorizeAbout(basic("olga"), about)
      const result = yield* Organizations.permissions(yield* Entry.authorize("user.organization.permissions", entered))
      return Object.values(result).map(Number).join("")
    })
  const said = yield* Effect.all([of("eve"), of("bob"), of("cy"), of("olga"), of("boss")])
  equal(said, ["00000", "10000", "11001", "11111", "11111"])
})

const usersStay = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("olga")
  yield* user("bob")
  yield* create("olga", "zeta")
  yield* create("olga", "alpha")
  const removeUser = (name: string) =>
    answer(Effect.flatMap(may("admin.user.delete", basic("boss")), (proof) => deleteUser(proof, name)))
  equal(yield* removeUser("olga"), 'IsOnlyOwner ["alpha","zeta"]')
  yield* addOwner("alpha", "bob")
  equal(yield* removeUser("olga"), 'IsOnlyOwner ["zeta"]')
  yield* addOwner("zeta", "bob")
  const repositories = yield* RepositoryStore
  const own = yield* repositories.insert(newRepository(1, userOwner({ id: yield* idOf("olga") })))
  equal(yield* removeUser("olga"), "OwnsRepositories olga user")
  yield* repositories.remove(own.id)
  equal(yield* removeUser("olga"), undefined)
  const { id } = yield* organizationNamed("zeta")
  equal(yield* (yield* MemberStore).countOwners(id), 1)
})

/** Tests of creating, changing and deleting organizations. */
export const organizationLifecycle = {
  "a user with permission creates an organization and owns it": founds,
  "only one of several concurrent users and organizations gets a name": namesOnce,
  "only owners can change an organization": changes,
  "only signed-in users see the email address of an organization": readsAsShown,
  "a visible organization is found by old names until another account takes them": renames,
  "an organization can be deleted when it owns no repositories": deletes,
  "lists contain only organizations visible to the viewer": listed,
  "an organization reports the permissions of a user": permits,
  "a user who is the only owner or owns repositories cannot be deleted": usersStay
}
