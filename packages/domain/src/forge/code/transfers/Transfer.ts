import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../../identity/organizations/Organization.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"

/** That a repository is offered to another owner, who has still to accept it. */
export interface Transfer {
  readonly id: number
  readonly repositoryId: RepositoryId
  /** The user who offered it. */
  readonly doerId: UserId | null
  /** The user who may accept it; null if it is offered to an organization. */
  readonly userId: UserId | null
  readonly organizationId: OrganizationId | null
  /** The teams that will get access there. */
  readonly teamIds: ReadonlyArray<TeamId>
  /** Whether the user was granted read access, so that they can see the offered repository. */
  readonly lent: boolean
  readonly createdAt: string
}

/** The repositories that are offered to others. */
export const transfers = owned<Transfer>()("transfer", {
  within: ["userId", "repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    doerId: Fields.looseReference("user"),
    userId: Fields.nullable(Fields.reference("user")),
    organizationId: Fields.nullable(Fields.reference("organization")),
    teamIds: Fields.json(),
    lent: Fields.boolean(),
    createdAt: Fields.time()
  },
  unique: { repository: ["repositoryId"] }
})

/** The maximum number of teams that a transfer can give access. */
export const mostTeams = 50

/** Reports that a transfer of a repository is already pending. */
export class TransferPending extends Schema.TaggedError<TransferPending>()("TransferPending", {}) {}
/** Reports that no transfer of a repository is offered to the caller. */
export class TransferNotFound extends Schema.TaggedError<TransferNotFound>()("TransferNotFound", {}) {}
/** Reports that a repository can't be given like that: its owner has it already, or a team isn't the new owner's. */
export class TransferInvalid extends Schema.TaggedError<TransferInvalid>()("TransferInvalid", {
  field: Schema.Literals(["new_owner", "team_ids"]),
  problem: Schema.String
}) {}
