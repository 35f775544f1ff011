import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OwnerKey, Repository } from "../../code/repositories/Repository.ts"
import type { Actor } from "../../identity/actors/Actor.ts"
import { signedInUser } from "../../identity/actors/Actor.ts"
import type { Organization, OrganizationId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"

/**
 * The reach of a runner, a secret or a variable: the jobs of one repository, of an owner's repositories, or of the
 * whole site.
 */
export const reaches = ["repository", "organization", "user", "site"] as const
export type Reach = (typeof reaches)[number]

/** The owner of a resource of the actions unit: at most one of the three fields is set. */
export interface Holder {
  readonly repositoryId: RepositoryId | null
  readonly organizationId: OrganizationId | null
  readonly userId: UserId | null
}

/** The owner of a resource of the actions unit, or the site; only the id for the type in `reach` is set. */
export interface Place extends Holder {
  readonly reach: Reach
}

/** The fields for the owner of a row; the row is removed together with its owner. */
export const holderFields = {
  repositoryId: Fields.nullable(Fields.reference<RepositoryId>("repository")),
  organizationId: Fields.nullable(Fields.reference<OrganizationId>("organization")),
  userId: Fields.nullable(Fields.reference<UserId>("user"))
}

/** The names of the fields in `holderFields`. */
export const holders = ["repositoryId", "organizationId", "userId"] as const

/** The fields for the place of a row, which may be the entire site. */
export const placeFields = { reach: Fields.oneOf<Reach>(...reaches), ...holderFields }

/** The fields by which the rows of a place are listed. */
export const placeFilters = ["reach", ...holders] as const

const nowhere = { repositoryId: null, organizationId: null, userId: null }

/** The place of the entire site. */
export const site: Place = { ...nowhere, reach: "site" }

/** Returns the place of a repository. */
export const inRepository = (id: RepositoryId): Place => ({ ...nowhere, reach: "repository", repositoryId: id })

/** Returns the place of all repositories of an owner. */
export const inOwner = (owner: OwnerKey): Place =>
  owner.kind === "organization"
    ? { ...nowhere, reach: "organization", organizationId: owner.id }
    : { ...nowhere, reach: "user", userId: owner.id }

interface Resource {
  readonly actor: Actor
  readonly repository?: Repository
  readonly organization?: Organization
}

/** Returns the place of a proof. */
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

/** Returns the filter that finds the rows of a place by an indexed field. */
export const filterOf = ({ organizationId, reach, repositoryId, userId }: Place) => {
  if (repositoryId !== null) return { repositoryId }
  if (organizationId !== null) return { organizationId }
  return userId === null ? { reach } : { userId }
}

/** Returns whether a row belongs to a place; an id from another place is invalid (invariant I6). */
export const isIn = (row: Place, place: Place): boolean =>
  row.reach === place.reach &&
  row.repositoryId === place.repositoryId &&
  row.organizationId === place.organizationId &&
  row.userId === place.userId

/** Reports that a place has the maximum number of resources of a type. */
export class PlaceFull extends Schema.TaggedError<PlaceFull>()("PlaceFull", {
  most: Schema.Int,
  of: Schema.String
}) {}
