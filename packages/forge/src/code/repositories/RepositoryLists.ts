import type { PageRequest } from "@slipway/domain"
import { type RepositoryFilter, RepositoryStore, viewerOn } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { TeamId, UserId } from "@slipway/domain/forge/identity"
import { type Actor, OrganizationStore, signedInUser, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { isVisible } from "../../identity/accounts/Users.ts"
import { isListedTeam } from "../../identity/teams/isListedTeam.ts"

const listed = Effect.fnUntraced(function* (actor: Actor, filter: RepositoryFilter, page: PageRequest) {
  return yield* (yield* RepositoryStore).list(yield* viewerOn(actor), filter, page)
})

/** Lists the repositories of an organization that the caller has access to. */
export const ofOrganization = (
  { resource: { actor, organization } }: Proof<"organization.repository.list">,
  page: PageRequest
) => listed(actor, { owner: organization.id }, page)

/** Lists the repositories of a user that the caller has access to. */
export const ofUser = ({ resource: { actor, user } }: Proof<"user.repository.list">, page: PageRequest) =>
  listed(actor, { owner: user.id }, page)

/** Lists the repositories that the caller owns, or has access to as a collaborator or through teams. */
export const ofSelf = ({ resource }: Proof<"account.repository.list">, page: PageRequest) =>
  listed(resource.actor, { reachedBy: signedInUser(resource).id }, page)

/** The filters of a repository search. */
export interface RepositorySearch
  extends Pick<
    RepositoryFilter,
    | "text"
    | "descriptions"
    | "topic"
    | "starredBy"
    | "private"
    | "archived"
    | "template"
    | "first"
    | "order"
    | "descending"
  > {
  readonly team?: TeamId | undefined
  /**
   * The id of a user: finds repositories that the user owns or has access to; with `exclusive`, only those that the
   * user owns.
   */
  readonly user?: UserId | undefined
  readonly exclusive?: boolean | undefined
  readonly kind?: "source" | "fork" | "mirror" | "collaborative" | undefined
}

const nothing = { rows: [], total: 0 }

/** Returns whether the caller sees a team. A search for repositories of a hidden team finds nothing. */
const seesTeamOf = Effect.fnUntraced(function* (actor: Actor, id: TeamId) {
  const team = yield* (yield* TeamStore).find(id)
  const organization = team && (yield* (yield* OrganizationStore).find(team.organizationId))
  return team !== undefined && organization !== undefined && (yield* isListedTeam(actor, organization, team))
})

/** Returns whether the caller sees a user, and therefore the user's starred repositories. */
const seesAccount = Effect.fnUntraced(function* (actor: Actor, id: UserId) {
  const user = yield* (yield* UserStore).find(id)
  return user !== undefined && (yield* isVisible(actor, user))
})

/**
 * Searches the repositories that the caller can see.
 *
 * Repositories that a user has access to as a collaborator or through teams are returned only to that user and to site
 * administrators. For other callers, a search by user returns only repositories that the user owns.
 */
export const search = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"repository.search">,
  { exclusive = false, kind, team, user, ...filter }: RepositorySearch,
  page: PageRequest
) {
  if (team !== undefined && !(yield* seesTeamOf(actor, team))) return nothing
  if (filter.starredBy !== undefined && !(yield* seesAccount(actor, filter.starredBy))) return nothing
  const { publicOnly, siteAdmin } = actor.facts
  const seesPrivate = !publicOnly && (siteAdmin || actor.userId === user)
  const mirror = kind === "mirror" ? true : kind === "source" ? false : undefined
  const fork = kind === "fork" ? true : kind === "source" ? false : undefined
  const whose =
    kind === "collaborative" && user !== undefined
      ? seesPrivate
        ? { reachedBy: user, notOwner: user }
        : undefined
      : seesPrivate && !exclusive && user !== undefined
        ? { reachedBy: user }
        : { owner: user }
  return whose === undefined ? nothing : yield* listed(actor, { ...filter, ...whose, team, mirror, fork }, page)
})
