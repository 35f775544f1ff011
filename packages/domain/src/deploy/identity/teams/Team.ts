import { Schema } from "effect"
import type { AccountUuid } from "../accounts/Account.ts"

/** The number of a team. */
export const TeamId = Schema.Int.pipe(Schema.brand("TeamId"))
export type TeamId = typeof TeamId.Type

/** The team of an instance before it has others; its owners administer the instance. Coolify uses the same number. */
export const rootTeam = TeamId.make(0)

/** A team; every server, project, key, git host, S3 storage, tag and token belongs to one. */
export interface Team {
  readonly id: TeamId
  readonly name: string
  readonly description: string
  /** The maximum lifetime of new tokens of accounts, in days; null for no limit. */
  readonly tokenDays: number | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A team without its number. */
export type NewTeam = Omit<Team, "id">

/** An account in a team. */
export interface Member {
  readonly teamId: TeamId
  readonly accountUuid: AccountUuid
  readonly createdAt: string
}

/** Reports that the team does not exist. */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()("TeamNotFound", {}) {}
/** Reports that the team has no such member. */
export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {}) {}
/** Reports that a team would have no owner. */
export class LastTeamOwner extends Schema.TaggedError<LastTeamOwner>()("LastTeamOwner", {}) {}
