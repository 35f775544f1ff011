import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { BranchProtection } from "./BranchProtection.ts"
import type { TagProtection } from "./TagProtection.ts"

/** A branch protection before it is stored, without an id. */
export type NewBranchProtection = Omit<BranchProtection, "id">

/** A tag protection before it is stored, without an id. */
export type NewTagProtection = Omit<TagProtection, "id">

/**
 * Stores the protections of branches and tags.
 *
 * Must:
 * - return a branch protection as inserted, with an id
 * - return a tag protection as inserted, with an id
 * - reject a second protection of the same rule or pattern in a repository
 * - insert all of several branch protections or none
 * - remove teams only from the protections of the given repository
 * - find, replace and remove only protections of the given repository
 * - list the branch protections of a repository by priority, and its tag protections by id
 * - set the priorities of branch protections by the given order, and only in their repository
 * - return which of the given teams a user is in
 * - return which of the given teams each of many users is in
 * - remove the protections of a removed repository
 */
export class ProtectionStore extends Context.Service<
  ProtectionStore,
  {
    /** Adds a branch protection; fails with `Duplicate` (`branchProtection.ruleName`) if the rule name exists. */
    readonly insertBranch: (row: NewBranchProtection) => Effect.Effect<BranchProtection, Duplicate>
    /**
     * Adds all branch protections or none; fails with `Duplicate` (`branchProtection.ruleName`) like `insertBranch`.
     */
    readonly insertBranches: (
      rows: ReadonlyArray<NewBranchProtection>
    ) => Effect.Effect<ReadonlyArray<BranchProtection>, Duplicate>
    readonly branchNamed: (repository: RepositoryId, ruleName: string) => Effect.Effect<BranchProtection | undefined>
    readonly branches: (repository: RepositoryId) => Effect.Effect<ReadonlyArray<BranchProtection>>
    /** Replaces all fields of a branch protection except the repository and `ruleName`; false if it does not exist. */
    readonly replaceBranch: (row: BranchProtection) => Effect.Effect<boolean>
    readonly removeBranch: (repository: RepositoryId, id: number) => Effect.Effect<boolean>
    /**
     * Assigns the priorities 1, 2, 3… to the branch protections in the given order; skips ids of other repositories.
     */
    readonly prioritise: (repository: RepositoryId, ids: ReadonlyArray<number>) => Effect.Effect<void>
    /** Adds a tag protection; fails with `Duplicate` (`tagProtection.namePattern`) if the pattern exists. */
    readonly insertTag: (row: NewTagProtection) => Effect.Effect<TagProtection, Duplicate>
    readonly tag: (repository: RepositoryId, id: number) => Effect.Effect<TagProtection | undefined>
    readonly tags: (repository: RepositoryId) => Effect.Effect<ReadonlyArray<TagProtection>>
    /** Replaces a tag protection; fails with `Duplicate` (`tagProtection.namePattern`) if the pattern exists. */
    readonly replaceTag: (row: TagProtection) => Effect.Effect<boolean, Duplicate>
    /** Removes all teams from the permissions of a repository's protections. */
    readonly withoutTeams: (repository: RepositoryId) => Effect.Effect<void>
    /** Returns those of the given teams of which the user is a member, in any order. */
    readonly teamsAmong: (user: UserId, teams: ReadonlyArray<TeamId>) => Effect.Effect<ReadonlyArray<TeamId>>
    /** Returns, for each user, those of the given teams of which the user is a member; omits users without a team. */
    readonly teamsOfEach: (
      users: ReadonlyArray<UserId>,
      teams: ReadonlyArray<TeamId>
    ) => Effect.Effect<ReadonlyMap<UserId, ReadonlyArray<TeamId>>>
    readonly removeTag: (repository: RepositoryId, id: number) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/ProtectionStore") {}
