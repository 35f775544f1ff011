import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OwnerId } from "../../identity/organizations/Organization.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { SeenUser, UserId } from "../../identity/users/User.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"
import type { RepositoryWithGrants } from "./grants.ts"
import type { CollaboratorLevel, OwnerKey, Repository } from "./Repository.ts"

import type { RepositorySummary } from "./RepositorySummary.ts"
import type { RepositoryViewer } from "./visibility.ts"

/** A repository without a number; its owner exists. */
export interface NewRepository extends Omit<Repository, "id" | "owner"> {
  readonly owner: OwnerKey
}

/** The sort keys of repository lists: insertion, name, times, size, or the number of stars or forks. */
export const repositoryOrders = ["id", "name", "createdAt", "updatedAt", "size", "stars", "forks"] as const
export type RepositoryOrder = (typeof repositoryOrders)[number]

/** The filter and order of a repository list; omitted fields match all. */
export interface RepositoryFilter {
  readonly owner?: OwnerId | undefined
  /** The repositories that a team has access to; all of its organization's when it includes them. */
  readonly team?: TeamId | undefined
  /**
   * The repositories on which a user has permissions: as owner, as owner of the organization, by a team, or as
   * collaborator.
   */
  readonly reachedBy?: UserId | undefined
  readonly notOwner?: OwnerId | undefined
  /** Those that were forked from another. */
  readonly forkOf?: RepositoryId | undefined
  /** Whether they are forks of an existing repository. */
  readonly fork?: boolean | undefined
  /** A part of the name, ignoring case. */
  readonly text?: string | undefined
  /** Whether the text may also occur in the description. */
  readonly descriptions?: boolean | undefined
  readonly private?: boolean | undefined
  readonly archived?: boolean | undefined
  readonly template?: boolean | undefined
  readonly mirror?: boolean | undefined
  /** The name of a topic that they have. */
  readonly topic?: string | undefined
  /** The user who starred them. */
  readonly starredBy?: UserId | undefined
  /** The owner of the repositories that are listed first. */
  readonly first?: OwnerId | undefined
  /** The order; insertion order by default and for rows that are otherwise equal. */
  readonly order?: RepositoryOrder | undefined
  readonly descending?: boolean | undefined
}

/** A user with a granted level on a repository. */
export interface Collaborator {
  readonly userId: UserId
  readonly level: CollaboratorLevel
}

/**
 * Keeps repositories, the names they had, and who collaborates on them.
 *
 * Must:
 * - give back a repository as it was inserted, with a number and its owner
 * - answer nothing for a repository that is not there
 * - refuse a name that another repository of the owner has, ignoring case
 * - take a name of the owner that only leads to another repository
 * - replace all that its administrators set, and nothing else
 * - find a renamed repository by every name it had, until another takes it
 * - find a repository by every name that its owner had
 * - give a repository to another owner, unless they have one of its name
 * - find a repository that was given away by the names it had
 * - take what teams, the new owner and whom they block held on a repository that is given away
 * - take labels of an organization from the issues of a repository that is given away
 * - remove a repository with all that is its own, and tell when there was none
 * - remove all repositories of an owner, and tell which they were
 * - keep other transactions from changing a repository it has locked until this one ends
 * - tell whether somebody owns a repository, and how many
 * - answer the last number of an owner's repositories, and those up to one, in order, so many at a time
 * - list the repositories that the viewer has access to, with what the viewer holds there, and count them alike
 * - list to a job public repositories and, as far as its token reaches, the one that it runs for
 * - list the repositories of an owner, of a team or with a part of a name
 * - list the repositories on which a user holds something, and no others
 * - list the repositories that are private, archived, templates or mirrors, or not
 * - list the forks of a repository, and tell forks from other repositories
 * - list the repositories that have a topic, or a star of somebody
 * - list repositories in each order, either way, those of one owner first when asked to
 * - read what a user holds on a repository
 * - read what a user holds on many repositories, of those that are there
 * - read what is known of many repositories besides their settings, of those that are there
 * - give a collaborator one level, the last one given
 * - take the level of a collaborator once, and tell when there was none
 * - list the collaborators that the viewer sees, by name, and count them alike
 * - list collaborators whose account is hidden where that is asked for
 * - take all levels that a user was given on the repositories of an owner
 * - forget what was given to a user who is removed
 */
export class RepositoryStore extends Context.Service<
  RepositoryStore,
  {
    /** Fails with `Duplicate` of `repository.name`. */
    readonly insert: (repository: NewRepository) => Effect.Effect<Repository, Duplicate>
    readonly find: (id: RepositoryId) => Effect.Effect<Repository | undefined>
    readonly named: (
      owner: string,
      name: string
    ) => Effect.Effect<{ readonly repository: Repository; readonly renamed: boolean } | undefined>
    /** Finds a repository and keeps it as it is until the running transaction ends. */
    readonly lock: (id: RepositoryId) => Effect.Effect<Repository | undefined>
    /** Replaces all but the name, the owner and when it was created. */
    readonly replace: (repository: Repository) => Effect.Effect<boolean>
    /** Renames a repository; its previous name redirects to it. Fails with `Duplicate` of `repository.name`. */
    readonly rename: (id: RepositoryId, name: string) => Effect.Effect<boolean, Duplicate>
    /**
     * Transfers a repository to another owner; its previous name redirects to it.
     *
     * Removes the access of teams, the grant of the new owner, the grants of users that the new owner blocks, and
     * labels of the organization. Fails with `Duplicate` of `repository.name`.
     */
    readonly transfer: (id: RepositoryId, owner: OwnerKey) => Effect.Effect<boolean, Duplicate>
    readonly remove: (id: RepositoryId) => Effect.Effect<boolean>
    readonly removeOwnedBy: (owner: OwnerId) => Effect.Effect<ReadonlyArray<RepositoryId>>
    readonly ownsAny: (owner: OwnerId) => Effect.Effect<boolean>
    /** Returns the largest number of an owner's repositories; undefined when it has none. */
    readonly lastIdOf: (owner: OwnerId) => Effect.Effect<RepositoryId | undefined>
    readonly countOwned: (owner: OwnerId) => Effect.Effect<number>
    readonly idsOf: (owner: OwnerId, upTo: RepositoryId, limit: number) => Effect.Effect<ReadonlyArray<RepositoryId>>
    readonly list: (
      viewer: RepositoryViewer,
      filter: RepositoryFilter,
      page: PageRequest
    ) => Effect.Effect<Page<RepositoryWithGrants>>
    /** Reads a user's permissions on a repository; undefined when the repository does not exist. */
    readonly grantsOf: (user: UserId, repository: RepositoryId) => Effect.Effect<RepositoryWithGrants | undefined>
    readonly heldOn: (
      user: UserId | undefined,
      repositories: ReadonlyArray<RepositoryId>
    ) => Effect.Effect<ReadonlyMap<RepositoryId, RepositoryWithGrants>>
    readonly summaries: (
      repositories: ReadonlyArray<RepositoryId>
    ) => Effect.Effect<ReadonlyMap<RepositoryId, RepositorySummary>>
    /** `false` when the repository or the user is not there. */
    readonly setCollaborator: (repository: RepositoryId, collaborator: Collaborator) => Effect.Effect<boolean>
    readonly removeCollaborator: (repository: RepositoryId, user: UserId) => Effect.Effect<boolean>
    readonly removeCollaborations: (owner: OwnerId, user: UserId) => Effect.Effect<void>
    readonly collaborator: (repository: RepositoryId, user: UserId) => Effect.Effect<CollaboratorLevel | undefined>
    readonly collaborators: (
      viewer: Viewer,
      repository: RepositoryId,
      page: PageRequest,
      hiddenToo?: boolean
    ) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/RepositoryStore") {}
