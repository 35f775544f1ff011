import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { TeamId } from "../teams/Team.ts"
import type { AccountGroup, GroupMember, GroupWithMembers } from "./AccountGroup.ts"

/**
 * Stores the groups of accounts of teams.
 *
 * Must:
 * - list only the groups of the given team with their members, both in the order of insertion
 * - add an account to a group once, and only a member of the team
 * - remove an account from a group, and report when it was none
 * - remove an account that leaves the team, or is removed, from its groups
 * - remove the memberships and grants of a removed group
 */
export class GroupStore extends Context.Service<
  GroupStore,
  Collection<AccountGroup> & {
    readonly ofTeam: (team: TeamId) => Effect.Effect<ReadonlyArray<GroupWithMembers>>
    /** Adds an account to a group; false if the account is already in the group, or is not a member of the team. */
    readonly addMember: (member: GroupMember) => Effect.Effect<boolean>
    readonly removeMember: (member: Omit<GroupMember, "teamId">) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/GroupStore") {}
