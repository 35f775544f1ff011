import { assert } from "@effect/vitest"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { BlockStore, MemberStore, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Members, OrganizationBlocks } from "@slipway/forge/identity"
import { Effect } from "effect"
import { all, namesOf, newRepository, organizationOwner, userOwner } from "../../builders.ts"
import { answer, basic, equal, type Sent, user } from "../support.ts"
import { addOwner, create, idOf, mayIn, one, organizationNamed, removeMember, team } from "./support.ts"

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
      Effect.asVoid(
        action === "add"
          ? Effect.flatMap(mayIn("organization.public-member.add", "acme", basic(by), name), Members.publicize)
          : Effect.flatMap(mayIn("organization.public-member.remove", "acme", basic(by), name), Members.conceal)
      )
    )
  equal(yield* list(basic("bob")), { names: ["bob", "olga"], total: 2 })
  // Owners manage members with hidden accounts too.
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
  equal(yield* show("bob", "olga", "add"), "403 cannot publicize the membership of another member")
  equal(yield* show("olga", "bob", "add"), "403 cannot publicize the membership of another member")
  equal(yield* show("bob", "BOB", "add"), undefined)
  equal(yield* show("pia", "pia", "add"), undefined)
  equal(yield* show("boss", "boss", "add"), "MemberNotFound boss")
  assert.match(String(yield* show("eve", "eve", "add")), /^403 /)
  equal(yield* known({}), { names: ["bob"], total: 1 })
  equal(yield* list(basic("eve")), { names: ["bob"], total: 1 })
  equal(yield* isMember(basic("eve"), "bob"), true)
  equal(yield* Effect.all([isKnown({}, "bob"), isKnown({}, "olga"), isKnown({}, "pia")]), [true, false, false])
  equal(yield* show("bob", "olga", "remove"), "403 cannot conceal the membership of another member")
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
  // The operation is idempotent.
  for (const name of ["bob", "eve"]) equal(yield* removeMember("olga", "acme", name), undefined)
  equal(yield* removeMember("olga", "acme", "nobody"), "MemberNotFound nobody")
  const users = yield* UserStore
  yield* users.rename(yield* idOf("pia"), "mia")
  yield* users.rename(yield* idOf("eve"), "ada")
  // A member's former name redirects to the current one; that of other users doesn't.
  equal(yield* removeMember("olga", "acme", "pia"), "UserRenamed pia mia")
  equal(yield* removeMember("olga", "acme", "eve"), "MemberNotFound eve")
  equal(yield* removeMember("olga", "acme", "mia"), undefined)
  // Invariant I7: a returning member has nothing of the old membership.
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
    // Each of them was still an owner at the time of the request, and still one remains.
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
  // Only eve's grants on repositories of the organization are revoked (invariant I7).
  assert.isUndefined(yield* repositories.collaborator(site.id, yield* idOf("eve")))
  equal(yield* repositories.collaborator(notes.id, yield* idOf("eve")), 2)
  const list = Effect.flatMap(mayIn("organization.block.list", "acme", basic("olga")), (proof) =>
    Effect.map(OrganizationBlocks.list(proof, all), namesOf)
  )
  equal(yield* list, { names: ["eve"], total: 1 })
  equal(yield* unblock("eve"), undefined)
  equal(yield* unblock("eve"), "UserNotFound eve")
})

/** Tests of the members of organizations. */
export const organizationMembers = {
  "members see all members, and other users see only public ones": membersAre,
  "a removed member loses all teams and the public membership, even after joining again": leaves,
  "one owner remains after concurrent removals": ownersStay,
  "an organization blocks only non-members, and revokes their grants": blocks
}
