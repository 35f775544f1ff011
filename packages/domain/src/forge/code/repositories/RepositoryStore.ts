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
import type { RepositoryAction, RepositoryViewer } from "./visibility.ts"

/** A repository before it is stored, without an id; its owner must exist. */
export interface NewRepository extends Omit<Repository, "id" | "owner"> {
  readonly owner: OwnerKey
}

/** The sort keys of repository lists: insertion, owner and name, times, size, or the number of stars or forks. */
export const repositoryOrders = ["id", "fullName", "createdAt", "updatedAt", "size", "stars", "forks"] as const
export type RepositoryOrder = (typeof repositoryOrders)[number]

/** The filter and order of a repository list; omitted fields match all. */
export interface RepositoryFilter {
  readonly owner?: OwnerId | undefined
  /** Only repositories to which this team has access. */
  readonly team?: TeamId | undefined
  /**
   * Only repositories on which this user has permissions: as the owner, an owner of the organization, a team member or
   * a collaborator.
   */
  readonly reachedBy?: UserId | undefined
  /** Only repositories on which the viewer may perform this action. */
  readonly allowing?: RepositoryAction | undefined
  readonly notOwner?: OwnerId | undefined
  /** Only forks of this repository. */
  readonly forkOf?: RepositoryId | undefined
  /** Only forks (true), or only repositories that are no forks (false). */
  readonly fork?: boolean | undefined
  /** Only repositories with this text in their name, ignoring case. */
  readonly text?: string | undefined
  /** Whether `text` is also searched in descriptions and compared with topics. */
  readonly descriptions?: boolean | undefined
  readonly private?: boolean | undefined
  readonly archived?: boolean | undefined
  readonly template?: boolean | undefined
  readonly mirror?: boolean | undefined
  /** Only repositories with this topic. */
  readonly topic?: string | undefined
  /** Only repositories that this user starred. */
  readonly starredBy?: UserId | undefined
  /** The repositories of this owner are listed first. */
  readonly first?: OwnerId | undefined
  /** The sort key; by default, and for equal keys, the order of insertion. */
  readonly order?: RepositoryOrder | undefined
  readonly descending?: boolean | undefined
}

/** A collaborator: a user with a granted access level on a repository. */
export interface Collaborator {
  readonly userId: UserId
  readonly level: CollaboratorLevel
}

/**
 * Stores repositories, their previous names and their collaborators.
 *
 * Must:
 * - return a repository as inserted, with an id and its owner
 * - return nothing for a missing repository
 * - reject a name of another repository of the owner, ignoring case
 * - accept a name of the owner that only redirects to another repository
 * - replace only the settings of a repository
 * - find a renamed repository by all previous names, until another repository takes them
 * - find a repository by all previous names of its owner
 * - transfer a repository to another owner, unless that owner has one with the same name
 * - find a transferred repository by its previous names
 * - revoke the grants of teams, of the new owner and of users it blocks when a repository is transferred
 * - remove labels of the organization from the issues of a transferred repository
 * - remove a repository with all its resources, and report when it is missing
 * - remove all repositories of an owner, and return their ids
 * - block changes to a locked repository by other transactions until this one ends
 * - report whether an owner has repositories, and how many
 * - return the last id of an owner's repositories, and their ids up to a given one, in limited batches
 * - list the repositories that the viewer can access, with the viewer's grants and the matching total
 * - list to a job only public repositories and, within its token's scope, the repository of its run
 * - list the repositories of an owner, of a team or with a part of a name
 * - list only repositories on which a user has grants
 * - list only repositories on which the viewer may perform an action
 * - list repositories by whether they are private, archived, templates or mirrors
 * - list the forks of a repository, and distinguish forks from other repositories
 * - list the repositories with a topic, or with a star of a user
 * - list repositories in each order and direction, optionally those of one owner first
 * - sort repositories by the current name of their owner, then by name, ignoring case
 * - return the grants of a user on a repository
 * - return the grants of a user on many repositories, omitting missing ones
 * - return the summaries of many repositories, omitting missing ones
 * - keep one level per collaborator, the last one granted
 * - revoke the level of a collaborator once, and report when there is none
 * - list the visible collaborators by name, with the matching total
 * - list collaborators with hidden accounts on request
 * - revoke all levels of a user on the repositories of an owner
 * - remove the grants of a removed user
 */
export class RepositoryStore extends Context.Service<
  RepositoryStore,
  {
    /** Adds a repository; fails with `Duplicate` (`repository.name`) if the owner has one with this name. */
    readonly insert: (repository: NewRepository) => Effect.Effect<Repository, Duplicate>
    readonly find: (id: RepositoryId) => Effect.Effect<Repository | undefined>
    readonly named: (
      owner: string,
      name: string
    ) => Effect.Effect<{ readonly repository: Repository; readonly renamed: boolean } | undefined>
    /** Finds a repository and locks it until the running transaction ends. */
    readonly lock: (id: RepositoryId) => Effect.Effect<Repository | undefined>
    /** Replaces all fields of a repository except the name, the owner and the creation time; false if it is missing. */
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
    /** Returns the largest id of an owner's repositories; undefined if the owner has no repositories. */
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
    /** Grants a level to a collaborator; false if the repository or the user does not exist. */
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
