import type { PageRequest } from "@slipway/domain"
import { Transaction } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type Actor,
  LastOwner,
  MemberNotFound,
  MemberStore,
  type Organization,
  type OrganizationMembership,
  OrganizationNotFound,
  OrganizationStore,
  type OrganizationWithMembership,
  signedInUser,
  type User,
  UserRenamed,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { ignoreMissing, isVisible } from "../accounts/Users.ts"

const manages = ({ facts }: Actor, membership: OrganizationMembership): boolean => facts.siteAdmin || membership.owner

/**
 * Lists the members of an organization: all for members and site administrators, else the public ones.
 *
 * Owners also see members with hidden accounts, because they manage them.
 */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, organization, membership } }: Proof<"organization.member.list">,
  page: PageRequest
) {
  const filter = { publicOnes: !(membership.member || actor.facts.siteAdmin), hiddenToo: manages(actor, membership) }
  return yield* (yield* MemberStore).list(actor, organization.id, filter, page)
})

/** Lists the members with public membership. */
export const listPublic = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.public-member.list">,
  page: PageRequest
) {
  return yield* (yield* MemberStore).list(actor, organization.id, { publicOnes: true, hiddenToo: false }, page)
})

/** Finds a user by current or former name; hidden users only if `hiddenToo` is set. */
const person = Effect.fnUntraced(function* (actor: Actor, name: string, hiddenToo: boolean) {
  const found = yield* (yield* UserStore).named(name)
  return found !== undefined && (hiddenToo || (yield* isVisible(actor, found.user))) ? found.user : undefined
})

/** Returns whether a user is a member; with `publicOnes`, whether the user is a public member. */
const isListed = Effect.fnUntraced(function* (
  { organization }: OrganizationWithMembership,
  user: User | undefined,
  publicOnes: boolean
) {
  const membership = user && (yield* (yield* MemberStore).find(organization.id, user.id))
  return membership !== undefined && (membership.public || !publicOnes)
})

/** Returns whether a user is a member; false if the membership is hidden from the caller. */
export const check = Effect.fnUntraced(function* ({ resource }: Proof<"organization.member.check">, name: string) {
  const { actor, membership } = resource
  const user = yield* person(actor, name, manages(actor, membership))
  return yield* isListed(resource, user, !(membership.member || actor.facts.siteAdmin))
})

/** Returns whether a user is a public member. */
export const checkPublic = Effect.fnUntraced(function* (
  { resource }: Proof<"organization.public-member.check">,
  name: string
) {
  return yield* isListed(resource, yield* person(resource.actor, name, false), true)
})

const lock = Effect.fnUntraced(function* ({ id, name }: Organization) {
  if ((yield* (yield* OrganizationStore).lock(id)) === undefined) return yield* new OrganizationNotFound({ name })
})

/**
 * Removes a member from all teams of an organization.
 *
 * Fails for the last owner; does nothing for non-members.
 */
export const remove = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, organization } }: Proof<"organization.member.remove">,
    name: string
  ) {
    const found = yield* (yield* UserStore).named(name)
    if (found === undefined) return yield* new MemberNotFound({ name })
    const { renamed, user } = found
    // Changes of members run one after the other, so that two owners cannot remove each other.
    yield* lock(organization)
    const members = yield* MemberStore
    const membership = yield* members.find(organization.id, user.id)
    if (membership === undefined) return yield* renamed ? new MemberNotFound({ name }) : ignoreMissing(actor, user)
    // Owners know their members, so they may learn a member's new name.
    if (renamed) return yield* new UserRenamed({ name, present: user.name })
    const owns = membership.teams.some((team) => team.owners)
    if (owns && (yield* members.countOwners(organization.id)) === 1) {
      return yield* new LastOwner({ organization: organization.name })
    }
    yield* members.remove(organization.id, user.id)
  }),
  (_, name) => ({ details: { user: name } })
)

const setPublic = Effect.fnUntraced(function* (self: User, organization: Organization, isPublic: boolean) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      // A member who is removed concurrently must not become public (invariant I7).
      yield* lock(organization)
      const changed = yield* (yield* MemberStore).setPublic(organization.id, self.id, isPublic)
      if (!changed) return yield* new MemberNotFound({ name: self.name })
      return self
    })
  )
})

/** Makes the caller's membership public. */
export const publicize = audited(
  ({ resource }: Proof<"organization.public-member.add">) =>
    setPublic(signedInUser(resource), resource.organization, true),
  ({ name }) => ({ details: { user: name } })
)

/** Makes the caller's membership visible to members only. */
export const conceal = audited(
  ({ resource }: Proof<"organization.public-member.remove">) =>
    setPublic(signedInUser(resource), resource.organization, false),
  ({ name }) => ({ details: { user: name } })
)
