import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../../identity/organizations/Organization.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"
import type { AccessPair } from "./EffectiveAccess.ts"

/**
 * Selects the users of an access query: one user, the members of a team, or the users of a repository. With `seenBy`,
 * only users that this viewer can see.
 */
export type People = (
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "team"; readonly id: TeamId }
  /**
   * The users of a repository: its owner, its collaborators, and the members of teams with access to it.
   *
   * With `membersToo`, also every member of the organization that owns the repository.
   */
  | { readonly kind: "repository"; readonly id: RepositoryId; readonly membersToo: boolean }
) & { readonly seenBy?: Viewer | undefined }

/** Selects the repositories of an access query: one repository, or those of an organization. */
export type RepositoryRange =
  | { readonly kind: "repository"; readonly id: RepositoryId }
  /**
   * All repositories of an organization. With `grantedTo`, only those that the team was granted individually; with
   * `openToo`, also those that are not private.
   */
  | {
      readonly kind: "organization"
      readonly id: OrganizationId
      readonly grantedTo?: TeamId | undefined
      readonly openToo?: boolean | undefined
    }

/** The ids of a user and a repository. */
export interface AccessPairIds {
  readonly user: UserId
  readonly repository: RepositoryId
}

/**
 * Reads the stored access data of users and repositories; it makes no access decision.
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
