import { assert } from "@effect/vitest"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { BlockStore, MemberStore, TeamStore } from "@slipway/domain/forge/identity"
import { Teams } from "@slipway/forge/identity"
import { Effect } from "effect"
import { all, namesOf } from "../../builders.ts"
import { repositoryAt, teamAt } from "../../plant.ts"
import { answer, basic, equal, mayAbout, type Sent } from "../support.ts"

import { addTeamMember, createTeam, fixture, idOf, memberRemoved, membership, onTeam, removeTeam } from "./fixture.ts"
/** Tests that members can be added to a team and removed from it. */
export const membersComeAndGo = Effect.gen(function* () {
  yield* fixture
  const members = (path: string, sent: Sent) =>
    Effect.gen(function* () {
      const proof = yield* mayAbout("team.member.list", yield* onTeam(path), sent)
      return namesOf(yield* Teams.members(proof, all))
    })
  const member = (path: string, name: string, sent: Sent) =>
    Effect.gen(function* () {
      const proof = yield* mayAbout("team.member.read", yield* onTeam(path), sent)
      return (yield* Teams.member(proof, name)).name
    })
  yield* addTeamMember("acme/builders", "EVE")
  yield* addTeamMember("acme/builders", "eve")
  equal(yield* members("acme/builders", basic("bob")), { names: ["bob", "eve"], total: 2 })
  equal(yield* member("acme/builders", "eve", basic("bob")), "eve")
  equal(yield* answer(member("acme/builders", "cy", basic("bob"))), "UserNotFound cy")
  // Invariant I9: a hidden user is missing as a member, except for owners, who add them by their exact name.
  equal(yield* members("acme/keepers", basic("bob")), { names: ["bob"], total: 1 })
  equal(yield* answer(member("acme/keepers", "pia", basic("bob"))), "UserNotFound pia")
  equal(yield* member("acme/keepers", "pia", basic("olga")), "pia")
  yield* addTeamMember("acme/builders", "pia")
  yield* memberRemoved("acme/builders", "pia")
  equal(yield* answer(addTeamMember("acme/builders", "nobody")), "UserNotFound nobody")
  equal(yield* answer(addTeamMember("acme/builders", "acme")), "UserNotFound acme")
  yield* memberRemoved("acme/keepers", "pia")
  equal(yield* answer(memberRemoved("acme/keepers", "pia")), "UserNotFound pia")
  equal(yield* members("acme/keepers", basic("pia")).pipe(answer), "404 The target couldn't be found.")
  // A user outside of the organization sees no members, even of a public team.
  equal(yield* answer(members("acme/club", basic("rex"))), "404 The target couldn't be found.")
})

/**
 * Tests that a user cannot be added to a team if the user has blocked the caller, or if the organization has blocked
 * the user.
 */
export const blockPreventsMembership = Effect.gen(function* () {
  yield* fixture
  const blocks = yield* BlockStore
  yield* blocks.add({ blocker: yield* idOf("eve"), blocked: yield* idOf("olga"), note: "" })
  equal(yield* answer(addTeamMember("acme/builders", "eve")), "403 user is blocked")
  yield* addTeamMember("acme/builders", "eve", basic("omar"))
  const { organizationId } = yield* teamAt("acme/Owners")
  yield* blocks.add({ blocker: organizationId, blocked: yield* idOf("rex"), note: "" })
  equal(yield* answer(addTeamMember("acme/builders", "rex")), "403 user is blocked")
})

/** Tests that the last owner of an organization cannot be removed. */
export const lastOwnerStays = Effect.gen(function* () {
  yield* fixture
  yield* memberRemoved("acme/Owners", "omar")
  equal(yield* answer(memberRemoved("acme/Owners", "olga")), "LastOwner acme")
  equal(
    (yield* membership("olga"))?.teams.map(({ name }) => name),
    ["Owners"]
  )
  equal(yield* membership("omar"), undefined)
})

/** Tests that one owner remains when the last two owners are removed concurrently. */
export const lastOwnerStaysConcurrently = Effect.gen(function* () {
  yield* fixture
  const answers = yield* Effect.all(
    [
      answer(memberRemoved("acme/Owners", "omar", basic("olga"))),
      answer(memberRemoved("acme/Owners", "olga", basic("omar")))
    ],
    { concurrency: "unbounded" }
  )
  // The other owner is removed by then, or is still an owner and subject to the rule.
  equal(answers.filter((each) => each === undefined).length, 1)
  const { organizationId } = yield* teamAt("acme/Owners")
  equal(yield* (yield* MemberStore).countOwners(organizationId), 1)
})

/** Tests that no member can be added to a team while it is deleted. */
export const noMemberOfNothing = Effect.gen(function* () {
  yield* fixture
  const { id } = yield* teamAt("acme/club")
  const added = Effect.gen(function* () {
    return yield* Teams.addMember(yield* mayAbout("team.member.add", { kind: "team", id }, basic("olga")), "eve")
  })
  const [remove, add] = yield* Effect.all([answer(removeTeam("acme/club")), answer(added)], {
    concurrency: "unbounded"
  })
  equal(remove, undefined)
  assert.include([undefined, `TeamNotFound ${id}`, "404 The target couldn't be found."], add)
  equal(yield* (yield* TeamStore).find(id), undefined)
  equal(yield* membership("eve"), undefined)
})

/** Tests that only one of several concurrent requests can create a team with the same name. */
export const oneName = Effect.gen(function* () {
  yield* fixture
  const answers = yield* Effect.forEach(
    ["twins", "Twins", "TWINS", "twins"],
    (name) => answer(createTeam({ name, permission: "read", units: ["repo.code"] })),
    { concurrency: "unbounded" }
  )
  equal(answers.filter((each) => String(each).startsWith("TeamNameTaken")).length, 3)
})

/** Tests that deleting a team revokes its grants. */
export const deletionRevokesGrants = Effect.gen(function* () {
  yield* fixture
  const members = yield* MemberStore
  const { organizationId } = yield* teamAt("acme/Owners")
  const cy = yield* idOf("cy")
  yield* members.setPublic(organizationId, cy, true)
  const reach = (path: string) =>
    Effect.gen(function* () {
      const held = yield* (yield* RepositoryStore).grantsOf(cy, (yield* repositoryAt(path)).id)
      return [held?.grants.membership.member, held?.grants.teams["repo.code"] ?? 0]
    })
  equal(yield* reach("acme/vault"), [true, 1])
  yield* memberRemoved("acme/readers", "cy")
  // Another team keeps the membership, and its visibility.
  equal((yield* membership("cy"))?.public, true)
  equal(yield* reach("acme/vault"), [true, 0])
  yield* removeTeam("acme/club")
  equal(yield* membership("cy"), undefined)
  equal(yield* reach("acme/site"), [false, 0])
  // A returning member gets no former grants.
  yield* addTeamMember("acme/builders", "cy")
  equal((yield* membership("cy"))?.public, false)
})
