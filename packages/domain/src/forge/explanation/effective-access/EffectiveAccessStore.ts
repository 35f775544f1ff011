import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../../identity/organizations/Organization.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"
import type { AccessPair } from "./EffectiveAccess.ts"

/** Selects users by id, team or repository for a query of access; with `seenBy` only users that this viewer can see. */
export type People = (
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "team"; readonly id: TeamId }
  /**
   * Its owner, its collaborators and the members of the teams with access to it.
   *
   * With `membersToo`, also every member of the organization that owns it.
   */
  | { readonly kind: "repository"; readonly id: RepositoryId; readonly membersToo: boolean }
) & { readonly seenBy?: Viewer | undefined }

/** The repositories of a query. */
export type RepositoryRange =
  | { readonly kind: "repository"; readonly id: RepositoryId }
  /**
   * Those of an organization; with `grantedTo`, those granted to a team by name, and with `openToo` those that are not
   * private.
   */
  | {
      readonly kind: "organization"
      readonly id: OrganizationId
      readonly grantedTo?: TeamId | undefined
      readonly openToo?: boolean | undefined
    }

/** A user and a repository, by id. */
export interface AccessPairIds {
  readonly user: UserId
  readonly repository: RepositoryId
}

/**
 * Reads pairs of users and repositories with the stored access between them, without deciding.
 *
 * Must:
 * - list the pairs of every user and every repository, by repository, then by user name
 * - read the same grants that decide the requests of a user
 * - find one user, the members of a team, and the users of a repository
 * - omit users hidden from the viewer, with the matching total
 * - find the repositories of an organization, those granted to a team by name, and the public ones
 * - read the requested pairs that exist, in the given order
 */
export class EffectiveAccessStore extends Context.Service<
  EffectiveAccessStore,
  {
    readonly list: (people: People, repositories: RepositoryRange, page: PageRequest) => Effect.Effect<Page<AccessPair>>
    readonly find: (pairs: ReadonlyArray<AccessPairIds>) => Effect.Effect<ReadonlyArray<AccessPair>>
  }
>()("@slipway/domain/forge/EffectiveAccessStore") {}
