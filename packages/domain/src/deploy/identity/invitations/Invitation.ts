import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { BuiltInRole } from "../../access/capabilities.ts"
import type { AccountUuid } from "../accounts/Account.ts"
import type { GrantPlace } from "../grants/Grant.ts"
import type { RoleUuid } from "../roles/Role.ts"
import type { TeamId } from "../teams/Team.ts"

/** The uuid of an invitation. */
export const InvitationUuid = Uuid.pipe(Schema.brand("InvitationUuid"))
export type InvitationUuid = typeof InvitationUuid.Type

/** The lifetime of an invitation, in milliseconds: seven days. */
export const invitationLifetime = 7 * 24 * 60 * 60 * 1_000

/** An invitation of one account to a team with a role; only that account accepts it, once, before it expires. */
export interface Invitation extends Entity {
  readonly uuid: InvitationUuid
  readonly teamId: TeamId
  readonly accountUuid: AccountUuid
  readonly placeType: GrantPlace
  readonly placeUuid: string | null
  readonly role: BuiltInRole | null
  readonly roleUuid: RoleUuid | null
  readonly expiresAt: string
}

/** Reports that the invitation does not exist, has expired, or is for another account. */
export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()("InvitationNotFound", {}) {}
