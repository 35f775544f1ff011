import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OwnerKey, Repository } from "../../code/repositories/Repository.ts"
import type { Actor } from "../../identity/actors/Actor.ts"
import { signedInUser } from "../../identity/actors/Actor.ts"
import type { Organization, OrganizationId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"

/**
 * The possible reach of a runner, secret or variable. It decides which workflow jobs use the resource: those of one
 * repository, of all repositories of an organization or a user, or of the whole site.
 */
export const reaches = ["repository", "organization", "user", "site"] as const
export type Reach = (typeof reaches)[number]

/** The owner of a runner, secret or variable: a repository, organization or user. At most one field is not null. */
export interface Holder {
  readonly repositoryId: RepositoryId | null
  readonly organizationId: OrganizationId | null
  readonly userId: UserId | null
}

/**
 * The place of a runner, secret or variable: its owner, or the site. Only the id for the type in `reach` is not null.
 */
export interface Place extends Holder {
  readonly reach: Reach
}

/** The database fields for the owner of a runner, secret or variable; the row is removed together with its owner. */
export const holderFields = {
  repositoryId: Fields.nullable(Fields.reference<RepositoryId>("repository")),
  organizationId: Fields.nullable(Fields.reference<OrganizationId>("organization")),
  userId: Fields.nullable(Fields.reference<UserId>("user"))
}

/** The names of the fields in `holderFields`. */
export const holders = ["repositoryId", "organizationId", "userId"] as const

/** The database fields for the place of a runner: an owner, or the entire site. */
export const placeFields = { reach: Fields.oneOf<Reach>(...reaches), ...holderFields }

/** The database fields that filter runners, secrets and variables by their place (owner or site). */
export const placeFilters = ["reach", ...holders] as const

const nowhere = { repositoryId: null, organizationId: null, userId: null }

/** The place of runners that execute jobs of the entire site. */
export const site: Place = { ...nowhere, reach: "site" }

/** Returns the place of a repository's own runners, secrets and variables. */
export const inRepository = (id: RepositoryId): Place => ({ ...nowhere, reach: "repository", repositoryId: id })

/** Returns the place of runners, secrets and variables for all repositories of an organization or a user. */
export const inOwner = (owner: OwnerKey): Place =>
  owner.kind === "organization"
    ? { ...nowhere, reach: "organization", organizationId: owner.id }
    : { ...nowhere, reach: "user", userId: owner.id }

interface Resource {
  readonly actor: Actor
  readonly repository?: Repository
  readonly organization?: Organization
}

/** Returns the place (repository, organization, user or site) that an authorized action is about. */
export const placeOf = (proof: { readonly action: string; readonly resource: unknown }): Place => {
  const resource = proof.resource as Resource
  const [area] = proof.action.split(".")
  if (area === "repository" && resource.repository !== undefined) return inRepository(resource.repository.id)
  if (area === "organization" && resource.organization !== undefined) {
    return { ...nowhere, reach: "organization", organizationId: resource.organization.id }
  }
  if (area === "account") return { ...nowhere, reach: "user", userId: signedInUser(resource).id }
  if (area === "admin") return site
  throw new Error(`${proof.action} is not about a scope of actions`)
}

/** Returns the database filter for runners, secrets or variables of a place (owner or site). */
export const filterOf = ({ organizationId, reach, repositoryId, userId }: Place) => {
  if (repositoryId !== null) return { repositoryId }
  if (organizationId !== null) return { organizationId }
  return userId === null ? { reach } : { userId }
}

/**
 * Returns whether a runner, secret or variable belongs to a place (owner or site). Requests with an id from another
 * place are rejected (invariant I6).
 */
export const isIn = (row: Place, place: Place): boolean =>
  row.reach === place.reach &&
  row.repositoryId === place.repositoryId &&
  row.organizationId === place.organizationId &&
  row.userId === place.userId

/** Reports that a repository, owner or the site has the maximum number of runners, secrets or variables. */
export class PlaceFull extends Schema.TaggedError<PlaceFull>()("PlaceFull", {
  most: Schema.Int,
  of: Schema.String
}) {}
