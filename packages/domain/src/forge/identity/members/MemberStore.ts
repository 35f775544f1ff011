import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { OrganizationId } from "../organizations/Organization.ts"
import type { Team } from "../teams/Team.ts"
import type { SeenUser, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/** The membership of a user in an organization: the user's teams in it, and whether the membership is public. */
export interface Membership {
  /** The teams of the user in the organization, at least one, in the order of insertion. */
  readonly teams: ReadonlyArray<Team>
  readonly public: boolean
}

/** The filter of a member list. */
export interface MemberFilter {
  /** Whether to list only members with a public membership. */
  readonly publicOnes: boolean
  /** Whether to include accounts that the viewer cannot see. Set for owners, who manage all members. */
  readonly hiddenToo: boolean
}

/**
 * Reads the members of an organization: the users in its teams.
 *
 * Must:
 * - find the membership of a user, with the teams behind it
 * - list the visible members by name, all or only public ones, with the matching total
 * - list members with hidden accounts on request
 * - publish and conceal a membership, and report when it is missing
 * - remove a member from every team of only the given organization, and report when it is missing
 * - count the owners of an organization
 */
export class MemberStore extends Context.Service<
  MemberStore,
  {
    readonly find: (organization: OrganizationId, user: UserId) => Effect.Effect<Membership | undefined>
    readonly list: (
      viewer: Viewer,
      organization: OrganizationId,
      filter: MemberFilter,
      page: PageRequest
    ) => Effect.Effect<Page<SeenUser>>
    readonly setPublic: (organization: OrganizationId, user: UserId, isPublic: boolean) => Effect.Effect<boolean>
    readonly remove: (organization: OrganizationId, user: UserId) => Effect.Effect<boolean>
    readonly countOwners: (organization: OrganizationId) => Effect.Effect<number>
  }
>()("@slipway/domain/forge/MemberStore") {}
