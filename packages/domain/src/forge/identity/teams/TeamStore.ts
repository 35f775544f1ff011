import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { Organization, OrganizationId } from "../organizations/Organization.ts"
import type { SeenUser, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

import type { Team, TeamId } from "./Team.ts"

/** A team that has no number yet. */
export type NewTeam = Omit<Team, "id">

/**
 * The filter of a team list: the name, and on request the description, contains `text`, or the full name matches;
 * ignoring case.
 */
export interface TeamFilter {
  readonly name?: string | undefined
  readonly text?: string | undefined
  readonly descriptions?: boolean | undefined
  readonly ids?: ReadonlyArray<TeamId> | undefined
  /** Full names, ignoring case. */
  readonly names?: ReadonlyArray<string> | undefined
}

/** A team with its organization. */
export interface TeamInOrganization {
  readonly team: Team
  readonly organization: Organization
}

/**
 * Stores the teams of organizations, their members and their repositories.
 *
 * A member's permissions on a repository are derived from these rows and never stored. Adding a member and creating a
 * team that includes all repositories write one row each.
 *
 * Must:
 * - give back a team as it was inserted, with a number
 * - answer nothing for a team that is not there
 * - find many teams by their numbers, of those that are there
 * - refuse a name that another team of the organization has, ignoring case
 * - replace all that owners set, and nothing else
 * - remove a team with its members and what it holds, and tell when there was none
 * - list the teams of an organization that the viewer sees, by name, and count them alike
 * - find teams by a part of their name, and of their description when asked to, ignoring case, whatever signs it holds
 * - find teams of an organization by their numbers and by whole names
 * - find the team of a name where the viewer sees it, ignoring case
 * - list the teams of a user that the viewer sees, with their organizations, and count them alike
 * - add a member once, and tell when the team or the user is not there
 * - remove a member once, and tell when there was none
 * - forget that a membership was public when the last team of the member goes
 * - list the members that the viewer sees, by name, and count them alike
 * - list members whose account is hidden where that is asked for
 * - tell the members of many teams, each once, by number
 * - hold a repository once, and tell when the team or the repository is not there
 * - let several teams hold a repository, those of its organization alone
 * - let go of a repository once, and tell when it wasn't held
 * - tell what a team holds, all repositories of its organization when it includes them
 * - list the teams that hold a repository, by name, and count them alike
 */
export class TeamStore extends Context.Service<
  TeamStore,
  {
    /** Fails with `Duplicate` of `team.name`. */
    readonly insert: (team: NewTeam) => Effect.Effect<Team, Duplicate>
    readonly find: (id: TeamId) => Effect.Effect<Team | undefined>
    readonly findMany: (ids: ReadonlyArray<TeamId>) => Effect.Effect<ReadonlyMap<TeamId, Team>>
    readonly named: (organization: OrganizationId, name: string) => Effect.Effect<Team | undefined>
    /** Replaces the settings of a team; fails with `Duplicate` of `team.name`. */
    readonly replace: (team: Team) => Effect.Effect<boolean, Duplicate>
    readonly remove: (id: TeamId) => Effect.Effect<boolean>
    readonly list: (
      viewer: Viewer,
      organization: OrganizationId,
      filter: TeamFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Team>>
    /** Lists the teams that a user is in, those of one organization together. */
    readonly ofUser: (viewer: Viewer, user: UserId, page: PageRequest) => Effect.Effect<Page<TeamInOrganization>>
    /** Inserts one row, or none for an existing member; returns `false` when the team or the user does not exist. */
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
    /** Inserts one row unless it exists; the repository must be one of the team's organization. */
    readonly addRepository: (team: TeamId, repository: RepositoryId) => Effect.Effect<boolean>
    /** Grants teams access to a repository, and returns the teams that have access then, in no order. */
    readonly addToTeams: (
      teams: ReadonlyArray<TeamId>,
      repository: RepositoryId
    ) => Effect.Effect<ReadonlyArray<TeamId>>
    readonly removeRepository: (team: TeamId, repository: RepositoryId) => Effect.Effect<boolean>
    readonly holds: (team: TeamId, repository: RepositoryId) => Effect.Effect<boolean>
    /** Lists the teams with access to a repository that the viewer may see. */
    readonly ofRepository: (viewer: Viewer, repository: RepositoryId, page: PageRequest) => Effect.Effect<Page<Team>>
  }
>()("@slipway/domain/forge/TeamStore") {}
