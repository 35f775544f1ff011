import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { AccountUuid } from "../accounts/Account.ts"
import type { TeamId } from "../teams/Team.ts"

/** The uuid of a group of accounts. */
export const GroupUuid = Uuid.pipe(Schema.brand("GroupUuid"))
export type GroupUuid = typeof GroupUuid.Type

/** A group of members of a team, to which roles can be granted; its name is unique in the team, ignoring case. */
export interface AccountGroup extends Entity {
  readonly uuid: GroupUuid
  readonly teamId: TeamId
  readonly name: string
}

/** A group with its members. */
export interface GroupWithMembers extends AccountGroup {
  readonly members: ReadonlyArray<AccountUuid>
}

/** A membership of an account in a group. */
export interface GroupMember {
  readonly groupUuid: GroupUuid
  readonly teamId: TeamId
  readonly accountUuid: AccountUuid
}

/** The maximum number of groups of a team. */
export const mostGroups = 200

/** Reports that the group does not exist. */
export class GroupNotFound extends Schema.TaggedError<GroupNotFound>()("GroupNotFound", {}) {}
/** Reports that a team has the maximum number of groups. */
export class TooManyGroups extends Schema.TaggedError<TooManyGroups>()("TooManyGroups", {}) {}
