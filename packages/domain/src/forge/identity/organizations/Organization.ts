import { visibilities } from "@slipway/access"
import { Schema } from "effect"
import * as Setting from "../../../owned/settings.ts"
import { website } from "../../base/names/websites.ts"
import type { AvatarName } from "../avatars/Avatar.ts"
import { EmailAddress, type UserId } from "../users/User.ts"

/** The schema of the id of an organization. Users and organizations share one id sequence, so their ids differ. */
export const OrganizationId = Schema.Int.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** The id of a user or an organization: an account that can own repositories. Both share one id sequence. */
export type OwnerId = UserId | OrganizationId

/**
 * The settings that the owners of an organization can change. Each entry defines the database column, its default, and
 * the fields of requests and responses.
 */
export const organizationSettings = {
  fullName: Setting.text(100),
  /** The contact email address; empty if there is none. */
  email: Setting.text(Schema.Union([EmailAddress, Schema.Literal("")])),
  description: Setting.text(255),
  website: Setting.text(website(255)),
  location: Setting.text(50),
  visibility: Setting.oneOf(visibilities),
  /** Whether repository administrators can change which teams have access to their repositories. */
  repoAdminChangeTeamAccess: Setting.boolean()
} as const

/** The values of an organization's settings. */
export interface OrganizationSettings extends Setting.Values<typeof organizationSettings> {}

/** An organization: an account that owns repositories and has members in teams. */
export interface Organization extends OrganizationSettings {
  readonly id: OrganizationId
  readonly name: string
  /** The name of the organization's avatar; null if it has uploaded none. */
  readonly avatar: AvatarName | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The default settings of a new organization. */
export const defaultOrganization: OrganizationSettings = Setting.defaults(organizationSettings)

/** The membership of a user in an organization, computed from the teams that the user is in. */
export interface OrganizationMembership {
  readonly member: boolean
  readonly owner: boolean
  readonly mayCreateRepositories: boolean
}

/** The membership of a user who is in no team of the organization. */
export const notAMember: OrganizationMembership = { member: false, owner: false, mayCreateRepositories: false }

/** An organization with the membership of the caller. */
export interface OrganizationWithMembership {
  readonly organization: Organization
  readonly membership: OrganizationMembership
}

/** An organization found by name; `renamed` is true if the name is a previous name. */
export interface NamedOrganization extends OrganizationWithMembership {
  readonly renamed: boolean
}

/** Reports that the organization does not exist. */
export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  name: Schema.String
}) {}
/** Reports that the change would leave an organization without an owner. */
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", { organization: Schema.String }) {}
/** Reports that a user is the only owner of organizations, which must be transferred or deleted first. */
export class IsOnlyOwner extends Schema.TaggedError<IsOnlyOwner>()("IsOnlyOwner", {
  organizations: Schema.Array(Schema.String)
}) {}
/** Reports that an owner still has repositories, which must be deleted or transferred first. */
export class OwnsRepositories extends Schema.TaggedError<OwnsRepositories>()("OwnsRepositories", {
  name: Schema.String,
  kind: Schema.Literals(["user", "organization"])
}) {}
/** Reports that a user is not a member of the organization, or that the membership is hidden from the caller. */
export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", { name: Schema.String }) {}
/** Reports that a user cannot be blocked, because the user is a member of the organization. */
export class MemberNotBlocked extends Schema.TaggedError<MemberNotBlocked>()("MemberNotBlocked", {
  name: Schema.String
}) {}
