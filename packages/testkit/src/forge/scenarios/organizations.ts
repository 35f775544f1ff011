import { assert } from "@effect/vitest"
import {
  AdminUsers,
  AvatarStore,
  Avatars,
  avatarSide,
  BlockStore,
  Entry,
  type KindOf,
  type Label,
  Labels,
  type LoadedAction,
  largestPicture,
  MemberStore,
  Members,
  OrganizationBlocks,
  OrganizationStore,
  Organizations,
  type OwnerName,
  ownersTeam,
  type Proof,
  RepositoryStore,
  TeamStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { all, namesOf, newRepository, newTeam, organizationOwner, userOwner } from "../builders.ts"
import type { Ground } from "../means.ts"
import {
  answer,
  basic,
  bearer,
  enterAbout,
  equal,
  may,
  mayOn,
  present,
  type Scenario,
  type Sent,
  tokenOf,
  user
} from "./support.ts"

type OrganizationAction = { [A in LoadedAction]: KindOf<A> extends "organization" ? A : never }[LoadedAction]

/** Returns the proof that a request may do something about an organization. */
const mayIn = <A extends OrganizationAction>(
  action: A,
  organization: string,
  sent: Sent
): Effect.Effect<Proof<A>, unknown, Ground> =>
  Effect.flatMap(enterAbout(sent, { kind: "organization", organization }), (each) =>
    Entry.authorize<A>(action, each as never)
  )

const create = (by: string, name: string, set: Partial<Organizations.NewOrganizationInput> = {}) =>
  Effect.flatMap(may("organization.create", basic(by)), (proof) =>
    Organizations.create(proof, { ...set, name: name as OwnerName })
  )
const remove = (by: string, name: string) =>
  answer(Effect.flatMap(mayIn("organization.delete", name, basic(by)), Organizations.remove))
const rename = (by: string, name: string, newName: string) =>
  answer(
    Effect.flatMap(mayIn("organization.rename", name, basic(by)), (proof) =>
      Organizations.rename(proof, newName as OwnerName)
    )
  )
const read = (sent: Sent, name: string) =>
  answer(Effect.map(mayIn("organization.read", name, sent), Organizations.read))
const removeMember = (by: string, organization: string, name: string) =>
  answer(
    Effect.flatMap(mayIn("organization.member.remove", organization, basic(by)), (proof) => Members.remove(proof, name))
  )
const idOf = (name: string) => Effect.map(present(name), (found) => found?.id as UserId)
const organizationNamed = Effect.fnUntraced(function* (name: string) {
  const found = yield* (yield* OrganizationStore).named(name)
  assert.isDefined(found)
  return found.organization
})

const team = Effect.fnUntraced(function* (n: number, organization: string, ...members: ReadonlyArray<string>) {
  const teams = yield* TeamStore
  const made = yield* teams.insert(newTeam(n, yield* organizationNamed(organization)))
  for (const each of members) yield* teams.addMember(made.id, yield* idOf(each))
  return made
})

const addOwner = Effect.fnUntraced(function* (organization: string, ...names: ReadonlyArray<string>) {
  const teams = yield* TeamStore
  const owners = yield* teams.named((yield* organizationNamed(organization)).id, "owners")
  assert.isDefined(owners)
  for (const name of names) yield* teams.addMember(owners.id, yield* idOf(name))
})

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
  const given = yield* Effect.flatMap(may("admin.user.organization.create", basic("boss")), (proof) =>
    Organizations.createFor(proof, "stopped", { name: "given" as OwnerName })
  )
  assert.isDefined(yield* (yield* MemberStore).find(given.id, yield* idOf("stopped")))
  assert.isUndefined(yield* (yield* MemberStore).find(given.id, boss.id))
})

const one = <A>(results: ReadonlyArray<A>, is: (each: A) => boolean) => equal(results.filter(is).length, 1)

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
  const moved = 'Moved {"organization":"globex"}'
  equal(yield* read({}, "ACME"), moved)
  // Whoever sees it is led on before anything else is asked of them.
  equal(yield* rename("eve", "acme", "x"), moved)
  equal(yield* answer(mayIn("organization.member.list", "acme", {})), moved)
  // A hidden organization is as missing under its old name as under the present one (invariant I9).
  for (const name of ["hush", "secret", "nothing"]) assert.match(String(yield* read(basic("eve"), name)), /^404 /)
  equal(yield* read(basic("olga"), "hush"), 'Moved {"organization":"secret"}')
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
      const entered = yield* enterAbout(basic("olga"), about)
      const result = yield* Organizations.permissions(yield* Entry.authorize("user.organization.permissions", entered))
      return Object.values(result).map(Number).join("")
    })
  const said = yield* Effect.all([of("eve"), of("bob"), of("cy"), of("olga"), of("boss")])
  equal(said, ["00000", "10000", "11001", "11111", "11111"])
})

const membersAre = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("olga")
  yield* user("bob")
  yield* user("eve")
  yield* user("pia", { visibility: "private" })
  yield* create("olga", "acme")
  yield* team(1, "acme", "bob", "pia")
  const list = (sent: Sent) =>
    Effect.flatMap(mayIn("organization.member.list", "acme", sent), (proof) =>
      Effect.map(Members.list(proof, all), namesOf)
    )
  const known = (sent: Sent) =>
    Effect.flatMap(mayIn("organization.public-member.list", "acme", sent), (proof) =>
      Effect.map(Members.listPublic(proof, all), namesOf)
    )
  const isMember = (sent: Sent, name: string) =>
    Effect.flatMap(mayIn("organization.member.check", "acme", sent), (proof) => Members.check(proof, name))
  const isKnown = (sent: Sent, name: string) =>
    Effect.flatMap(mayIn("organization.public-member.check", "acme", sent), (proof) => Members.checkPublic(proof, name))
  const show = (by: string, name: string, action: "add" | "remove") =>
    answer(
      action === "add"
        ? Effect.flatMap(mayIn("organization.public-member.add", "acme", basic(by)), (proof) =>
            Members.publicize(proof, name)
          )
        : Effect.flatMap(mayIn("organization.public-member.remove", "acme", basic(by)), (proof) =>
            Members.conceal(proof, name)
          )
    )
  equal(yield* list(basic("bob")), { names: ["bob", "olga"], total: 2 })
  // Owners manage members whose account is hidden too.
  equal(yield* list(basic("olga")), { names: ["bob", "olga", "pia"], total: 3 })
  equal(yield* list(basic("boss")), { names: ["bob", "olga", "pia"], total: 3 })
  equal(yield* list(basic("eve")), { names: [], total: 0 })
  equal(
    yield* Effect.all([
      isMember(basic("bob"), "OLGA"),
      isMember(basic("bob"), "pia"),
      isMember(basic("olga"), "pia"),
      isMember(basic("eve"), "bob"),
      isMember(basic("bob"), "eve"),
      isMember(basic("bob"), "nobody")
    ]),
    [true, false, true, false, false, false]
  )
  equal(yield* show("bob", "olga", "add"), "MembershipOfAnother olga publicize")
  equal(yield* show("olga", "bob", "add"), "MembershipOfAnother bob publicize")
  equal(yield* show("bob", "BOB", "add"), undefined)
  equal(yield* show("pia", "pia", "add"), undefined)
  equal(yield* show("boss", "boss", "add"), "MemberNotFound boss")
  assert.match(String(yield* show("eve", "eve", "add")), /^403 /)
  equal(yield* known({}), { names: ["bob"], total: 1 })
  equal(yield* list(basic("eve")), { names: ["bob"], total: 1 })
  equal(yield* isMember(basic("eve"), "bob"), true)
  equal(yield* Effect.all([isKnown({}, "bob"), isKnown({}, "olga"), isKnown({}, "pia")]), [true, false, false])
  equal(yield* show("bob", "olga", "remove"), "MembershipOfAnother olga conceal")
  equal(yield* show("bob", "bob", "remove"), undefined)
  equal(yield* known({}), { names: [], total: 0 })
})

const leaves = Effect.gen(function* () {
  for (const name of ["olga", "bob", "eve"]) yield* user(name)
  yield* user("pia", { visibility: "private" })
  yield* create("olga", "acme")
  yield* create("olga", "other")
  const held = yield* team(1, "acme", "bob", "pia")
  yield* team(2, "acme", "bob")
  yield* team(3, "other", "bob")
  const acme = yield* organizationNamed("acme")
  const members = yield* MemberStore
  const bob = yield* idOf("bob")
  yield* members.setPublic(acme.id, bob, true)
  assert.match(String(yield* removeMember("bob", "acme", "pia")), /^403 /)
  equal(yield* removeMember("olga", "acme", "bob"), undefined)
  assert.isUndefined(yield* members.find(acme.id, bob))
  assert.isDefined(yield* members.find((yield* organizationNamed("other")).id, bob))
  equal(yield* removeMember("olga", "acme", "bob"), "MemberNotFound bob")
  equal(yield* removeMember("olga", "acme", "eve"), "MemberNotFound eve")
  equal(yield* removeMember("olga", "acme", "nobody"), "MemberNotFound nobody")
  equal(yield* removeMember("olga", "acme", "pia"), undefined)
  // Invariant I7: nothing of the old membership is there for who comes back.
  yield* (yield* TeamStore).addMember(held.id, bob)
  const back = yield* members.find(acme.id, bob)
  equal([back?.teams.length, back?.public], [1, false])
  equal(yield* removeMember("olga", "acme", "olga"), "LastOwner acme")
})

const ownersStay = Effect.gen(function* () {
  yield* user("olga")
  yield* user("bob")
  yield* user("cy")
  for (const name of ["first", "second", "third", "fourth"]) {
    yield* create("olga", name)
    yield* addOwner(name, "bob", "cy")
    const results = yield* Effect.all(
      [removeMember("olga", name, "bob"), removeMember("bob", name, "cy"), removeMember("cy", name, "olga")],
      { concurrency: "unbounded" }
    )
    // Each of them was still an owner when they asked, and yet one is left.
    const left = yield* (yield* MemberStore).countOwners((yield* organizationNamed(name)).id)
    assert.isAtLeast(left, 1)
    equal(left, 3 - results.filter((each) => each === undefined).length)
  }
  for (const name of ["pair", "other-pair", "third-pair"]) {
    yield* create("olga", name)
    yield* addOwner(name, "bob")
    const results = yield* Effect.all([removeMember("olga", name, "bob"), removeMember("olga", name, "olga")], {
      concurrency: "unbounded"
    })
    equal(yield* (yield* MemberStore).countOwners((yield* organizationNamed(name)).id), 1)
    one(results, (each) => each === undefined)
  }
})

const blocks = Effect.gen(function* () {
  for (const name of ["olga", "bob", "eve"]) yield* user(name)
  yield* user("pia", { visibility: "private" })
  const acme = yield* create("olga", "acme")
  yield* team(1, "acme", "bob")
  const repositories = yield* RepositoryStore
  const site = yield* repositories.insert(newRepository(1, organizationOwner(acme)))
  const notes = yield* repositories.insert(newRepository(2, userOwner({ id: yield* idOf("bob") })))
  for (const { id } of [site, notes]) yield* repositories.setCollaborator(id, { userId: yield* idOf("eve"), level: 2 })
  const block = (by: string, name: string, note = "") =>
    answer(
      Effect.flatMap(mayIn("organization.block.add", "acme", basic(by)), (proof) =>
        OrganizationBlocks.add(proof, name, note)
      )
    )
  const unblock = (name: string) =>
    answer(
      Effect.flatMap(mayIn("organization.block.remove", "acme", basic("olga")), (proof) =>
        OrganizationBlocks.remove(proof, name)
      )
    )
  const isBlocked = (name: string) =>
    answer(
      Effect.flatMap(mayIn("organization.block.check", "acme", basic("olga")), (proof) =>
        OrganizationBlocks.check(proof, name)
      )
    )
  assert.match(String(yield* block("bob", "eve")), /^403 /)
  equal(yield* block("olga", "bob"), "MemberNotBlocked bob")
  equal(yield* block("olga", "olga"), "MemberNotBlocked olga")
  for (const name of ["pia", "nobody", "acme"]) equal(yield* block("olga", name), `UserNotFound ${name}`)
  equal(yield* isBlocked("eve"), false)
  equal(yield* block("olga", "eve", "rude"), undefined)
  equal(yield* isBlocked("EVE"), true)
  equal(yield* (yield* BlockStore).find(acme.id, yield* idOf("eve")), {
    blocker: acme.id,
    blocked: yield* idOf("eve"),
    note: "rude"
  })
  // What eve was given on repositories of the organization goes (invariant I7), and nothing else.
  assert.isUndefined(yield* repositories.collaborator(site.id, yield* idOf("eve")))
  equal(yield* repositories.collaborator(notes.id, yield* idOf("eve")), 2)
  const list = Effect.flatMap(mayIn("organization.block.list", "acme", basic("olga")), (proof) =>
    Effect.map(OrganizationBlocks.list(proof, all), namesOf)
  )
  equal(yield* list, { names: ["eve"], total: 1 })
  equal(yield* unblock("eve"), undefined)
  equal(yield* unblock("eve"), "UserNotFound eve")
})

const labels = Effect.gen(function* () {
  yield* user("olga")
  yield* user("eve")
  const acme = yield* create("olga", "acme")
  yield* create("olga", "other")
  const made = yield* Effect.flatMap(mayIn("organization.label.create", "acme", basic("olga")), (proof) =>
    Labels.create(proof, { name: "kind/bug", color: "#0AF", exclusive: true })
  )
  const bug: Label = {
    id: made.id,
    organizationId: acme.id,
    name: "kind/bug",
    color: "00aaff",
    description: "",
    exclusive: true,
    archived: false
  }
  equal(made, bug)
  const get = (organization: string, id: number, sent: Sent = basic("eve")) =>
    answer(Effect.flatMap(mayIn("organization.label.read", organization, sent), (proof) => Labels.read(proof, id)))
  equal(yield* get("acme", bug.id), bug)
  // Invariant I6: the number of a label means nothing below another organization.
  equal(yield* get("other", bug.id), `LabelNotFound ${bug.id}`)
  const edit = (organization: string, by: string) =>
    answer(
      Effect.flatMap(mayIn("organization.label.edit", organization, basic(by)), (proof) =>
        Labels.edit(proof, bug.id, { color: "ff0000", archived: true })
      )
    )
  assert.match(String(yield* edit("acme", "eve")), /^403 /)
  equal(yield* edit("other", "olga"), `LabelNotFound ${bug.id}`)
  equal(yield* edit("acme", "olga"), { ...bug, color: "ff0000", archived: true })
  const list = (sent: Sent) =>
    Effect.flatMap(mayIn("organization.label.list", "acme", sent), (proof) =>
      Effect.map(Labels.list(proof, all), namesOf)
    )
  equal(yield* list({}), { names: ["kind/bug"], total: 1 })
  const drop = (organization: string) =>
    answer(
      Effect.flatMap(mayIn("organization.label.delete", organization, basic("olga")), (proof) =>
        Labels.remove(proof, bug.id)
      )
    )
  equal(yield* drop("other"), `LabelNotFound ${bug.id}`)
  equal(yield* drop("acme"), undefined)
  equal(yield* drop("acme"), `LabelNotFound ${bug.id}`)
})

const pictures = Effect.gen(function* () {
  yield* user("olga")
  yield* create("olga", "acme")
  const bytes = (text: string) => new TextEncoder().encode(text)
  const set = (sent: Uint8Array) =>
    answer(
      Effect.flatMap(mayIn("organization.avatar.set", "acme", basic("olga")), (proof) =>
        Avatars.setOfOrganization(proof, sent)
      )
    )
  const shown = Effect.gen(function* () {
    const { avatar } = yield* organizationNamed("acme")
    const picture = avatar === null ? undefined : yield* Avatars.read(avatar)
    return { avatar, text: picture && new TextDecoder().decode(picture) }
  })
  equal(yield* shown, { avatar: null, text: undefined })
  equal(yield* set(bytes("picture of a house (taken at home)")), undefined)
  const first = yield* shown
  equal(first.text, "picture of a house ")
  assert.match(String(first.avatar), /^[0-9a-f]{32}$/)
  equal(yield* set(bytes("no picture")), "PictureInvalid must be a picture")
  equal(
    yield* set(bytes(`picture ${"x".repeat(largestPicture)}`)),
    `PictureInvalid must have at most ${largestPicture} bytes`
  )
  equal(yield* shown, first)
  yield* set(bytes("picture of a car"))
  const second = yield* shown
  equal(second.text, "picture of a car")
  // The one before is gone (invariant I7).
  assert.isUndefined(yield* Avatars.read(first.avatar ?? ""))
  yield* Effect.flatMap(mayIn("organization.avatar.delete", "acme", basic("olga")), Avatars.removeOfOrganization)
  equal(yield* shown, { avatar: null, text: undefined })
  assert.isUndefined(yield* (yield* AvatarStore).find(second.avatar ?? ""))
  yield* set(bytes("picture of a boat"))
  const third = yield* shown
  yield* remove("olga", "acme")
  assert.isUndefined(yield* Avatars.read(third.avatar ?? ""))
  yield* Effect.flatMap(may("account.avatar.set", basic("olga")), (proof) => Avatars.setOwn(proof, bytes("picture me")))
  const own = (yield* present("olga"))?.avatar
  equal(new TextDecoder().decode(yield* Avatars.read(own ?? "")), "picture me")
  yield* Effect.flatMap(may("account.avatar.delete", basic("olga")), Avatars.removeOwn)
  equal((yield* present("olga"))?.avatar, null)
  assert.isUndefined(yield* Avatars.read(own ?? ""))
  assert.isAbove(avatarSide, 100)
})

const usersStay = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("olga")
  yield* user("bob")
  yield* create("olga", "zeta")
  yield* create("olga", "alpha")
  const removeUser = (name: string) =>
    answer(Effect.flatMap(may("admin.user.delete", basic("boss")), (proof) => AdminUsers.remove(proof, name)))
  equal(yield* removeUser("olga"), 'OwnsAlone ["alpha","zeta"]')
  yield* addOwner("alpha", "bob")
  equal(yield* removeUser("olga"), 'OwnsAlone ["zeta"]')
  yield* addOwner("zeta", "bob")
  const repositories = yield* RepositoryStore
  const own = yield* repositories.insert(newRepository(1, userOwner({ id: yield* idOf("olga") })))
  equal(yield* removeUser("olga"), "OwnsRepositories olga user")
  yield* repositories.remove(own.id)
  equal(yield* removeUser("olga"), undefined)
  const { id } = yield* organizationNamed("zeta")
  equal(yield* (yield* MemberStore).countOwners(id), 1)
})

/** The story of organizations, their members, labels and pictures. */
export const organizations: Scenario = {
  port: "organizations",
  musts: {
    "are founded by users who may, and owned by their founder": founds,
    "take a name once, however many ask for it at the same time, users and organizations alike": namesOnce,
    "are changed by their owners": changes,
    "show their address to those who are signed in": readsAsShown,
    "are found by old names where they are seen, until another takes them": renames,
    "are deleted once they own no repositories": deletes,
    "are listed as the viewer sees them": listed,
    "say what a user may do there": permits,
    "show their members to each other, and to others those who let it be known": membersAre,
    "let go of members with all that came with the membership": leaves,
    "never lose the last owner, however many are removed at the same time": ownersStay,
    "block users who are no members, and take what these were given": blocks,
    "have labels of their own": labels,
    "have a picture, made of what was sent": pictures,
    "keep the users on whom they and repositories rely": usersStay
  }
}
