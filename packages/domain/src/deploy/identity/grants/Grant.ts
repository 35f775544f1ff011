import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { BuiltInRole } from "../../access/capabilities.ts"
import type { AccountUuid } from "../accounts/Account.ts"
import type { GroupUuid } from "../groups/AccountGroup.ts"
import type { RoleUuid } from "../roles/Role.ts"
import type { TeamId } from "../teams/Team.ts"

/** The uuid of a role grant. */
export const GrantUuid = Uuid.pipe(Schema.brand("GrantUuid"))
export type GrantUuid = typeof GrantUuid.Type

/** The resource types on which a role can be granted, from the widest to the narrowest. */
export const grantPlaces = ["team", "project", "environment", "application", "database", "service"] as const
/** One of the resource types on which a role can be granted. */
export type GrantPlace = (typeof grantPlaces)[number]

/** A role of an account, or of a group of accounts, on a place such as a project and everything within this place. */
export interface Grant extends Entity {
  readonly uuid: GrantUuid
  readonly teamId: TeamId
  /** The account with the role; null if a group has it. */
  readonly accountUuid: AccountUuid | null
  /** The group of accounts with the role; null if a single account has it. */
  readonly groupUuid: GroupUuid | null
  readonly placeType: GrantPlace
  /** The uuid of the resource on which the role is granted; null for the whole team. */
  readonly placeUuid: string | null
  /** The granted built-in role; null for a custom role. */
  readonly role: BuiltInRole | null
  /** The uuid of the granted custom role; null for a built-in role. */
  readonly roleUuid: RoleUuid | null
}

/** Reports that the grant does not exist. */
export class GrantNotFound extends Schema.TaggedError<GrantNotFound>()("GrantNotFound", {}) {}
