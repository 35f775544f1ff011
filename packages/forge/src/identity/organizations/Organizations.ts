import { Level } from "@slipway/access"
import type { PageRequest } from "@slipway/domain"
import { now, Transaction } from "@slipway/domain"
import type { OwnerName } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  AvatarStore,
  defaultOrganization,
  levelInOrganization,
  MemberStore,
  NameTaken,
  type Organization,
  OrganizationNotFound,
  type OrganizationSettings,
  OrganizationStore,
  OwnsRepositories,
  organizationFor,
  ownersTeam,
  signedInUser,
  TeamStore,
  type User,
  UserNotFound
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { refusePackages } from "../../base/locks/refusePackages.ts"
import { findUser } from "../accounts/namedUser.ts"

/**
 * Lists the organization directory: public ones, and others as the caller's sign-in allows; with `text` only those with
 * it in their name.
 */
export const list = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"organization.list">,
  page: PageRequest,
  text?: string
) {
  return yield* (yield* OrganizationStore).directory(actor, page, text)
})

/** Lists all organizations, for site administrators. */
export const listAll = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"admin.organization.list">,
  page: PageRequest
) {
  return yield* (yield* OrganizationStore).directory(actor, page)
})

/** Lists the organizations of the caller. */
export const ofSelf = Effect.fnUntraced(function* (
  { resource }: Proof<"account.organization.list">,
  page: PageRequest
) {
  const { id } = signedInUser(resource)
  return yield* (yield* OrganizationStore).ofUser(resource.actor, id, { concealedToo: true }, page)
})

/** Lists the organizations of a user that the caller may see: all for the user and site administrators. */
export const ofUser = Effect.fnUntraced(function* (
  { resource: { actor, user } }: Proof<"user.organization.list">,
  page: PageRequest
) {
  const { publicOnly, siteAdmin } = actor.facts
  // A public-only token reads what an anonymous caller would read (invariant I4).
  const concealedToo = !publicOnly && (siteAdmin || actor.userId === user.id)
  return yield* (yield* OrganizationStore).ofUser(actor, user.id, { concealedToo }, page)
})

/** Lists the organizations of any user, for site administrators. */
export const ofAnyUser = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"admin.user.organization.list">,
  name: string,
  page: PageRequest
) {
  const { id } = yield* findUser(name)
  return yield* (yield* OrganizationStore).ofUser(actor, id, { concealedToo: true }, page)
})

/** The fields of a new organization. */
export interface NewOrganizationInput extends Partial<OrganizationSettings> {
  readonly name: OwnerName
}

const found = Effect.fnUntraced(function* ({ name, ...set }: NewOrganizationInput, founder: Pick<User, "id" | "name">) {
  const at = yield* now
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const organization = yield* (yield* OrganizationStore)
        .insert({ ...defaultOrganization, ...set, name, createdAt: at, updatedAt: at })
        .pipe(Effect.mapError(() => new NameTaken({ name })))
      const teams = yield* TeamStore
      // The organization is not visible yet, so it has no other teams.
      const owners = yield* Effect.orDie(teams.insert({ ...ownersTeam, organizationId: organization.id }))
      if (!(yield* teams.addMember(owners.id, founder.id))) return yield* new UserNotFound({ name: founder.name })
      return organization
    })
  )
})

/** Creates an organization owned by the caller. */
export const create = audited(
  ({ resource }: Proof<"organization.create">, input: NewOrganizationInput) => found(input, signedInUser(resource)),
  (organization) => ({ organization })
)

/** Creates an organization owned by another user, regardless of that user's permissions. */
export const createFor = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.user.organization.create">, name: string, input: NewOrganizationInput) {
    return yield* found(input, yield* findUser(name))
  }),
  (organization, name) => ({ organization, details: { owner: name } })
)

/** Reads an organization as the caller sees it. */
export const read = ({ resource: { actor, organization } }: Proof<"organization.read">): Organization =>
  organizationFor(actor, organization)

const lock = Effect.fnUntraced(function* ({ id, name }: Organization) {
  return (yield* (yield* OrganizationStore).lock(id)) ?? (yield* new OrganizationNotFound({ name }))
})

/** Changes the given fields of an organization. */
export const edit = audited(
  Effect.fnUntraced(function* (
    { resource: { organization } }: Proof<"organization.edit">,
    change: Partial<OrganizationSettings>
  ) {
    const after: Organization = { ...(yield* lock(organization)), ...change, updatedAt: yield* now }
    yield* (yield* OrganizationStore).replace(after)
    return after
  }),
  (_, change) => ({ details: { fields: Object.keys(change).sort().join(), visibility: change.visibility ?? null } })
)

/** Renames an organization; the old name redirects until another owner takes it. */
export const rename = audited(
  Effect.fnUntraced(function* ({ resource: { organization } }: Proof<"organization.rename">, name: OwnerName) {
    yield* lock(organization)
    yield* (yield* OrganizationStore).rename(organization.id, name).pipe(Effect.mapError(() => new NameTaken({ name })))
  }),
  (_, name) => ({ details: { to: name } })
)

/** Deletes an organization with its teams; its repositories must be deleted first. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { organization } }: Proof<"organization.delete">) {
    const { avatar, id, name } = yield* lock(organization)
    if (yield* (yield* RepositoryStore).ownsAny(id)) return yield* new OwnsRepositories({ name, kind: "organization" })
    yield* refusePackages({ kind: "organization", id })
    yield* (yield* OrganizationStore).remove(id)
    if (avatar !== null) yield* (yield* AvatarStore).remove(avatar)
  })
)

/** The permissions of a user in an organization. */
export interface OrganizationPermissions {
  readonly canRead: boolean
  readonly canWrite: boolean
  readonly isAdmin: boolean
  readonly isOwner: boolean
  readonly canCreateRepository: boolean
}

/** Returns the permissions of a user in an organization. Source: "Organization permissions (result)". */
export const permissions = Effect.fnUntraced(function* ({
  resource: { organization, user }
}: Proof<"user.organization.permissions">) {
  const teams = (yield* (yield* MemberStore).find(organization.id, user.id))?.teams ?? []
  const level = levelInOrganization(teams, user.admin)
  return {
    canRead: level > Level.none,
    canWrite: level > Level.read,
    isAdmin: level > Level.write,
    isOwner: level > Level.admin,
    canCreateRepository: level > Level.admin || teams.some((team) => team.mayCreateRepositories)
  } satisfies OrganizationPermissions
})
