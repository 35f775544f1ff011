import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { Organization, OrganizationId } from "../organizations/Organization.ts"
import type { SeenUser, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

import type { Team, TeamId } from "./Team.ts"

/** A team to insert: it has no id yet. */
export type NewTeam = Omit<Team, "id">

/**
 * The filter of a team list, ignoring case. `text` matches a part of the name; with `descriptions`, also a part of the
 * description. `name` and `names` match only the full name.
 */
export interface TeamFilter {
  readonly name?: string | undefined
  readonly text?: string | undefined
  readonly descriptions?: boolean | undefined
  readonly ids?: ReadonlyArray<TeamId> | undefined
  /** Matches teams by their full names, ignoring case. */
  readonly names?: ReadonlyArray<string> | undefined
}

/** A team with its organization. */
export interface TeamInOrganization {
  readonly team: Team
  readonly organization: Organization
}

/**
 * Stores the teams of organizations, with their members and their repositories.
 *
 * The permissions of a member on a repository are computed from these rows, and are not stored. So adding a member, or
 * creating a team that includes all repositories, writes only one row.
 *
 * Must:
 * - return a team as inserted, with an id
 * - return nothing for a missing team
 * - find many teams by id, omitting missing ones
 * - reject a name of another team of the organization, ignoring case
 * - replace only the fields that owners set
 * - remove a team with its members and grants, and report when it is missing
 * - list the visible teams of an organization by name, with the matching total
 * - find teams by a part of their name, optionally of their description, ignoring case, with any special characters
 * - find teams of an organization by id and by full name
 * - find a visible team by name, ignoring case
 * - list the visible teams of a user with their organizations, with the matching total
 * - add a member once, and report when the team or the user is missing
 * - remove a member once, and report when there is none
 * - reset a public membership when the member leaves the last team
 * - list the visible members by name, with the matching total
 * - list members with hidden accounts on request
 * - return each member of many teams once, in the order of ids
 * - grant a team a repository once, and report when the team or the repository is missing
 * - grant a repository only to those of several teams that are in its organization
 * - revoke the grant of a repository, and report a missing one
 * - return the repositories of a team, or all of its organization when it includes all repositories
 * - list the teams with access to a repository by name, with the matching total
 */
export class TeamStore extends Context.Service<
  TeamStore,
  {
    /** Inserts a team. Fails with `Duplicate` of `team.name` if the organization has a team with this name. */
    readonly insert: (team: NewTeam) => Effect.Effect<Team, Duplicate>
    readonly find: (id: TeamId) => Effect.Effect<Team | undefined>
    readonly findMany: (ids: ReadonlyArray<TeamId>) => Effect.Effect<ReadonlyMap<TeamId, Team>>
    readonly named: (organization: OrganizationId, name: string) => Effect.Effect<Team | undefined>
    /**
     * Replaces the settings of a team. Returns false if it does not exist; fails with `Duplicate` of `team.name` if the
     * name is taken.
     */
    readonly replace: (team: Team) => Effect.Effect<boolean, Duplicate>
    readonly remove: (id: TeamId) => Effect.Effect<boolean>
    readonly list: (
      viewer: Viewer,
      organization: OrganizationId,
      filter: TeamFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Team>>
    /** Lists the teams that a user is in and that the viewer can see, grouped by organization. */
    readonly ofUser: (viewer: Viewer, user: UserId, page: PageRequest) => Effect.Effect<Page<TeamInOrganization>>
    /**
     * Adds a user to a team; does nothing if the user is already a member. Returns `false` if the team or the user does
     * not exist.
     */
    readonly addMember: (team: TeamId, user: UserId) => Effect.Effect<boolean>
    readonly removeMember: (team: TeamId, user: UserId) => Effect.Effect<boolean>
    readonly hasMember: (team: TeamId, user: UserId) => Effect.Effect<boolean>
    readonly members: (
      viewer: Viewer,
      team: TeamId,
      page: PageRequest,
      hiddenToo?: boolean
    ) => Effect.Effect<Page<SeenUser>>
    readonly memberIds: (teams: ReadonlyArray<TeamId>, limit: number) => Effect.Effect<ReadonlyArray<UserId>>
    /**
     * Gives a team access to a repository of its organization; does nothing if it has access already. Returns `false`
     * if one does not exist.
     */
    readonly addRepository: (team: TeamId, repository: RepositoryId) => Effect.Effect<boolean>
    /** Gives several teams access to a repository, and returns all teams with access to it, in any order. */
    readonly addToTeams: (
      teams: ReadonlyArray<TeamId>,
      repository: RepositoryId
    ) => Effect.Effect<ReadonlyArray<TeamId>>
    readonly removeRepository: (team: TeamId, repository: RepositoryId) => Effect.Effect<boolean>
    readonly holds: (team: TeamId, repository: RepositoryId) => Effect.Effect<boolean>
    /** Lists the teams with access to a repository that the viewer can see. */
    readonly ofRepository: (viewer: Viewer, repository: RepositoryId, page: PageRequest) => Effect.Effect<Page<Team>>
  }
>()("@slipway/domain/forge/TeamStore") {}
