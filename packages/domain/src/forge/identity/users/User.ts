import type { Visibility } from "@slipway/access"
import { Schema } from "effect"
import { nameKey } from "../../../Collection.ts"
import * as Setting from "../../../owned/settings.ts"
import { website } from "../../base/names/websites.ts"
import { emailNotifications } from "../../base/settings/emailNotifications.ts"
import type { AvatarName } from "../avatars/Avatar.ts"

/** The schema of the id of a user. Users and organizations share one id sequence, so their ids differ. */
export const UserId = Schema.Int.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/**
 * The settings of a user: profile, display and notifications. Each entry defines the database column, its default, and
 * the fields of requests and responses.
 */
export const userSettings = {
  fullName: Setting.text(100),
  website: Setting.text(website(255)),
  description: Setting.text(255),
  location: Setting.text(50),
  language: Setting.text(20),
  theme: Setting.text(50),
  diffViewStyle: Setting.text(50),
  /** Whether other users see a no-reply address in place of the user's email address. */
  hideEmail: Setting.boolean(),
  hideActivity: Setting.boolean(),
  emailNotifications: Setting.named("email_notifications_preference", Setting.oneOf(emailNotifications))
} as const

/** The values of a user's settings. */
export interface Settings extends Setting.Values<typeof userSettings> {}

/** The settings that only site administrators can change. */
export interface Standing {
  readonly visibility: Visibility
  readonly active: boolean
  readonly admin: boolean
  readonly restricted: boolean
  readonly prohibited: boolean
  readonly mustChangePassword: boolean
  readonly mayCreateOrganizations: boolean
  readonly mayEditGitHooks: boolean
  readonly mayImportLocal: boolean
  /** The maximum number of repositories that the user can own; -1 means the site's default. */
  readonly maxRepositories: number
  /**
   * The user's name at an external identity provider; `sourceId` is the number of that provider, 0 for this service.
   */
  readonly loginName: string
  readonly sourceId: number
}

/** A user, without any secret. */
export interface User extends Settings, Standing {
  readonly id: UserId
  readonly name: string
  /** The primary email address. */
  readonly email: string
  readonly secondFactor: boolean
  /**
   * Whether this is the service account that actions jobs act as. It cannot sign in, and is treated as missing in
   * requests.
   */
  readonly system: boolean
  /** Whether the account was created by sign-up and still waits for activation by an administrator. */
  readonly awaitsApproval: boolean
  /** The name of the user's avatar; null if the user has uploaded none. */
  readonly avatar: AvatarName | null
  readonly lastSignInAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/**
 * A user with the numbers of followers and followed users that a viewer can see, and of starred public repositories.
 */
export interface SeenUser extends User {
  readonly followers: number
  readonly following: number
  /** The number of starred repositories that are public. */
  readonly starred: number
}

/** A user found by name; `renamed` is true if the name is a previous name. */
export interface Named {
  readonly user: User
  readonly renamed: boolean
}

const longestAddress = 254
const address = /^[^\s@<>()[\],;:\\"]+@([^\s@<>()[\],;:\\"/]+)$/
const label = /^(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)$/u

/**
 * Returns whether a host name is in canonical form: no empty labels, and no characters that URL parsing would replace.
 */
const isHost = (text: string): boolean =>
  text.normalize("NFKC") === text.normalize("NFC") && text.split(".").every((part) => label.test(part))

/** Returns the error message for an invalid email address; undefined if it is valid. */
export const emailProblem = (text: string): string | undefined =>
  text.length > longestAddress
    ? `must have at most ${longestAddress} characters`
    : text.isWellFormed() && isHost(address.exec(text)?.[1] ?? "")
      ? undefined
      : "must be an email address"

/** The schema of an email address in a request. The case is kept, but addresses are compared ignoring case. */
export const EmailAddress = Schema.String.check(Schema.makeFilter((text: string) => emailProblem(text))).pipe(
  Schema.brand("EmailAddress")
)
export type EmailAddress = typeof EmailAddress.Type

/** Returns whether two names are equal, ignoring case. */
export const sameName = (one: string, other: string): boolean => nameKey(one) === nameKey(other)

/** Reports that the user does not exist or is hidden from the caller. */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", { name: Schema.String }) {}
/** Reports that the user was renamed, with the current name; only for a user that the caller can see. */
export class UserRenamed extends Schema.TaggedError<UserRenamed>()("UserRenamed", {
  name: Schema.String,
  present: Schema.String
}) {}
/** Reports that a user or an organization already has that name. */
export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", { name: Schema.String }) {}
/** Reports that the email address already belongs to a user. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", { address: Schema.String }) {}
/** Reports that the user has no such email address. */
export class EmailNotFound extends Schema.TaggedError<EmailNotFound>()("EmailNotFound", { address: Schema.String }) {}
/** Reports that an email address cannot be removed because it is the user's primary address. */
export class EmailIsPrimary extends Schema.TaggedError<EmailIsPrimary>()("EmailIsPrimary", {
  address: Schema.String
}) {}
/**
 * Reports that a credential with limited scope cannot grant permissions beyond its scope, such as setting a password or
 * making a user administrator.
 */
export class BeyondScope extends Schema.TaggedError<BeyondScope>()("BeyondScope", {}) {}
/** Reports that the change would leave the site without an administrator. */
export class LastAdministrator extends Schema.TaggedError<LastAdministrator>()("LastAdministrator", {}) {}
/** Reports that users cannot perform this action on themselves: delete, prohibit, follow or block. */
export class NotYourself extends Schema.TaggedError<NotYourself>()("NotYourself", {}) {}
