import type { Page, PageRequest } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type AccessPair,
  asViewer,
  type EffectiveAccess,
  EffectiveAccessStore,
  effectiveAccessOf,
  type People
} from "@slipway/domain/forge/explanation"
import type { Actor, Organization, OrganizationMembership } from "@slipway/domain/forge/identity"
import { MemberStore, UserNotFound } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { findUserUnlessHiddenRename, isVisible } from "../../identity/accounts/Users.ts"

/**
 * Lists the repositories of an organization to which a user has access, each as a pair of the user and the repository.
 */
export const pairsWithin = Effect.fnUntraced(function* (
  user: AccessPair["user"],
  organization: Pick<Organization, "id">,
  page: PageRequest
) {
  const { switches } = yield* SiteSettings
  const viewer = { ...asViewer(user), switches }
  const { rows, ...rest } = yield* (yield* RepositoryStore).list(viewer, { owner: organization.id }, page)
  const ids = rows.map(({ repository }) => ({ user: user.id, repository: repository.id }))
  const found: Page<AccessPair> = { ...rest, rows: yield* (yield* EffectiveAccessStore).find(ids) }
  return found
})

const effectiveAccesses = Effect.fnUntraced(function* ({ rows, ...rest }: Page<AccessPair>) {
  const { switches } = yield* SiteSettings
  const page: Page<EffectiveAccess> = { ...rest, rows: rows.map((pair) => effectiveAccessOf(switches, pair)) }
  return page
})

/**
 * Lists the repositories of an organization to which a user has access, with the level on each unit (feature) and the
 * rules that grant it.
 *
 * Owners of the organization can request this for all its members, even hidden ones, and for all users that they see.
 */
export const ofUser = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.member.access">,
  name: string,
  page: PageRequest
) {
  const user = yield* findUserUnlessHiddenRename(actor, name)
  if (!(yield* isVisible(actor, user)) && (yield* (yield* MemberStore).find(organization.id, user.id)) === undefined) {
    return yield* new UserNotFound({ name })
  }
  return yield* effectiveAccesses(yield* pairsWithin(user, organization, page))
})

/**
 * Returns the filter of users that the actor may see. Owners see every user with access to repositories of their
 * organization.
 */
export const knownTo = (actor: Actor, membership: Pick<OrganizationMembership, "owner">): Pick<People, "seenBy"> =>
  actor.facts.siteAdmin || membership.owner ? {} : { seenBy: actor }

/**
 * Lists the users with access to a repository, with the level on each unit (feature) and the rules that grant it.
 *
 * These users are the owner or the owners of the organization, the members of teams with access, and the collaborators.
 */
export const ofRepository = Effect.fnUntraced(function* (
  { resource: { actor, grants, repository } }: Proof<"repository.access.list">,
  page: PageRequest
) {
  const people: People = {
    kind: "repository",
    id: repository.id,
    membersToo: false,
    ...knownTo(actor, grants.membership)
  }
  return yield* effectiveAccesses(
    yield* (yield* EffectiveAccessStore).list(people, { kind: "repository", id: repository.id }, page)
  )
})
