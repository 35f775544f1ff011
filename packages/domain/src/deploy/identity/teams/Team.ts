import { Schema } from "effect"
import type { AccountUuid } from "../accounts/Account.ts"

/** The id of a team. */
export const TeamId = Schema.Int.pipe(Schema.brand("TeamId"))
export type TeamId = typeof TeamId.Type

/** The id of the root team, which always exists; its owners administer the instance. Coolify also uses 0. */
export const rootTeam = TeamId.make(0)

/** A team, which owns resources: each server, project, key, git host, S3 storage, tag and token belongs to one team. */
export interface Team {
  readonly id: TeamId
  readonly name: string
  readonly description: string
  /** The maximum lifetime of new tokens of accounts, in days; null for no limit. */
  readonly tokenDays: number | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A team before it is stored, without its id. */
export type NewTeam = Omit<Team, "id">

/** An account that is a member of a team. */
export interface Member {
  readonly teamId: TeamId
  readonly accountUuid: AccountUuid
  readonly createdAt: string
}

/** Reports that the team does not exist. */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()("TeamNotFound", {}) {}
/** Reports that the account is not a member of the team. */
export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {}) {}
/** Reports a change after which a team would have no owner. */
export class LastTeamOwner extends Schema.TaggedError<LastTeamOwner>()("LastTeamOwner", {}) {}
