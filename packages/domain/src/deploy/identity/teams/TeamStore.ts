import { Context, type Effect } from "effect"
import type { InUse } from "../../../Collection.ts"
import type { Account, AccountUuid } from "../accounts/Account.ts"
import type { Member, NewTeam, Team, TeamId } from "./Team.ts"

/**
 * Stores teams and their members. The root team always exists.
 *
 * Must:
 * - return the root team before any other is created
 * - assign ids above 0 to new teams, in the order of insertion
 * - list every team, or those of an account, by id
 * - replace a team, and report when it is missing
 * - remove a team with its members, roles, grants, invitations and channels, unless resources belong to it
 * - block changes to a locked team by other transactions until this one ends
 * - add an account to a team once
 * - remove a member with its grants in that team, and report when it was none
 * - remove the memberships of a removed account
 */
export class TeamStore extends Context.Service<
  TeamStore,
  {
    readonly insert: (team: NewTeam) => Effect.Effect<Team>
    readonly find: (id: TeamId) => Effect.Effect<Team | undefined>
    /** Finds a team and locks it until the running transaction ends. */
    readonly lock: (id: TeamId) => Effect.Effect<Team | undefined>
    readonly list: Effect.Effect<ReadonlyArray<Team>>
    readonly ofAccount: (account: AccountUuid) => Effect.Effect<ReadonlyArray<Team>>
    readonly replace: (team: Team) => Effect.Effect<boolean>
    readonly remove: (id: TeamId) => Effect.Effect<boolean, InUse>
    /** Lists the accounts of a team's members, in the order in which they joined the team. */
    readonly members: (id: TeamId) => Effect.Effect<ReadonlyArray<Account>>
    /** Adds an account to a team; false if it is already a member. */
    readonly addMember: (member: Member) => Effect.Effect<boolean>
    readonly removeMember: (id: TeamId, account: AccountUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/TeamStore") {}
