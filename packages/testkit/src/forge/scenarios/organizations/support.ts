import { assert } from "@effect/vitest"
import type { KindOf } from "@slipway/domain/forge/access"
import type { OwnerName } from "@slipway/domain/forge/base"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import { OrganizationStore, TeamStore, type UserId } from "@slipway/domain/forge/identity"
import { Entry } from "@slipway/forge/entry"
import { Members, Organizations } from "@slipway/forge/identity"
import { Effect } from "effect"
import { newTeam } from "../../builders.ts"
import type { TestEnv } from "../../testEnv.ts"
import { answer, authorizeAbout, basic, equal, may, present, type Sent } from "../support.ts"

type OrganizationAction = { [A in LoadedAction]: KindOf<A> extends "organization" ? A : never }[LoadedAction]

/**
 * Authorizes a request for an action on an organization. Returns the proof of authorization, which use cases require.
 */
export const mayIn = <A extends OrganizationAction>(
  action: A,
  organization: string,
  sent: Sent,
  named?: string
): Effect.Effect<Proof<A>, unknown, TestEnv> =>
  Effect.flatMap(authorizeAbout(sent, { kind: "organization", organization, named }), (each) =>
    Entry.authorize<A>(action, each as never)
  )

/** Creates an organization on behalf of a user. */
export const create = (by: string, name: string, set: Partial<Organizations.NewOrganizationInput> = {}) =>
  Effect.flatMap(may("organization.create", basic(by)), (proof) =>
    Organizations.create(proof, { ...set, name: name as OwnerName })
  )
/** Deletes an organization on behalf of a user. An error is returned as a value. */
export const remove = (by: string, name: string) =>
  answer(Effect.flatMap(mayIn("organization.delete", name, basic(by)), Organizations.remove))
/** Renames an organization on behalf of a user. An error is returned as a value. */
export const rename = (by: string, name: string, newName: string) =>
  answer(
    Effect.flatMap(mayIn("organization.rename", name, basic(by)), (proof) =>
      Organizations.rename(proof, newName as OwnerName)
    )
  )
/** Reads an organization. A denial is returned as a value. */
export const read = (sent: Sent, name: string) =>
  answer(Effect.map(mayIn("organization.read", name, sent), Organizations.read))
/** Removes a member from an organization. An error is returned as a value. */
export const removeMember = (by: string, organization: string, name: string) =>
  answer(
    Effect.flatMap(mayIn("organization.member.remove", organization, basic(by)), (proof) => Members.remove(proof, name))
  )
/** Returns the id of a user. */
export const idOf = (name: string) => Effect.map(present(name), (found) => found?.id as UserId)
/** Returns an organization as it is stored. */
export const organizationNamed = Effect.fnUntraced(function* (name: string) {
  const found = yield* (yield* OrganizationStore).named(name)
  assert.isDefined(found)
  return found.organization
})

/** Stores a new team, and adds users to it. */
export const team = Effect.fnUntraced(function* (n: number, organization: string, ...members: ReadonlyArray<string>) {
  const teams = yield* TeamStore
  const created = yield* teams.insert(newTeam(n, yield* organizationNamed(organization)))
  for (const each of members) yield* teams.addMember(created.id, yield* idOf(each))
  return created
})

/** Makes users owners of an organization. */
export const addOwner = Effect.fnUntraced(function* (organization: string, ...names: ReadonlyArray<string>) {
  const teams = yield* TeamStore
  const owners = yield* teams.named((yield* organizationNamed(organization)).id, "owners")
  assert.isDefined(owners)
  for (const name of names) yield* teams.addMember(owners.id, yield* idOf(name))
})
/** Asserts that exactly one result satisfies the predicate `is`. */
export const one = <A>(results: ReadonlyArray<A>, is: (each: A) => boolean) => equal(results.filter(is).length, 1)
