import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../../identity/organizations/Organization.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"

/** A pending transfer of a repository to a new owner, who has not accepted it yet. */
export interface Transfer {
  readonly id: number
  readonly repositoryId: RepositoryId
  /** The user who started the transfer. */
  readonly doerId: UserId | null
  /** The new owner who may accept the transfer; null if the new owner is an organization. */
  readonly userId: UserId | null
  readonly organizationId: OrganizationId | null
  /** The teams that get access after the transfer. */
  readonly teamIds: ReadonlyArray<TeamId>
  /** Whether read access was granted to the new owner, to see the repository before accepting the transfer. */
  readonly lent: boolean
  readonly createdAt: string
}

/** The table of pending transfers; a repository has at most one. */
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
/** Reports that there is no pending transfer of the repository that the caller may accept or reject. */
export class TransferNotFound extends Schema.TaggedError<TransferNotFound>()("TransferNotFound", {}) {}
/**
 * Reports that a repository cannot be transferred as requested: the new owner already owns it, or a given team does not
 * belong to the new owner.
 */
export class TransferInvalid extends Schema.TaggedError<TransferInvalid>()("TransferInvalid", {
  field: Schema.Literals(["new_owner", "team_ids"]),
  problem: Schema.String
}) {}
