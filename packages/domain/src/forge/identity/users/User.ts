import type { Visibility } from "@slipway/access"
import { Schema } from "effect"
import { nameKey } from "../../../Collection.ts"
import * as Setting from "../../../owned/settings.ts"
import { website } from "../../base/names/websites.ts"
import { emailNotifications } from "../../base/settings/emailNotifications.ts"
import type { AvatarName } from "../avatars/Avatar.ts"

/** The schema of the id of a user, from the same sequence as those of organizations. */
export const UserId = Schema.Int.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/**
 * The profile of a user, and the display and notification settings. The column, the fields of requests and responses and
 * the values of tests follow from each row.
 */
export const userSettings = {
  fullName: Setting.text(100),
  website: Setting.text(website(255)),
  description: Setting.text(255),
  location: Setting.text(50),
  language: Setting.text(20),
  theme: Setting.text(50),
  diffViewStyle: Setting.text(50),
  /** Whether other users get a no-reply address in place of the real one. */
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
  /** The maximum number of the user's repositories; -1 for the site's default. */
  readonly maxRepositories: number
  /** The name of the user at an external identity provider, and the number of that provider; 0 for this service. */
  readonly loginName: string
  readonly sourceId: number
}

/** A user, without any secret. */
export interface User extends Settings, Standing {
  readonly id: UserId
  readonly name: string
  /** The primary address. */
  readonly email: string
  readonly secondFactor: boolean
  /** Whether it is the service account, which jobs act as: it cannot sign in, and counts as missing. */
  readonly system: boolean
  /** Whether a visitor created the account, and no administrator has activated it yet. */
  readonly awaitsApproval: boolean
  /** The name of the avatar, or null. */
  readonly avatar: AvatarName | null
  readonly lastSignInAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A user as seen by a viewer, with the number of follows that the viewer can see. */
export interface SeenUser extends User {
  readonly followers: number
  readonly following: number
  /** The number of starred repositories that are public. */
  readonly starred: number
}

/** A user found by a name; `renamed` if the name is a previous one. */
export interface Named {
  readonly user: User
  readonly renamed: boolean
}

const longestAddress = 254
const address = /^[^\s@<>()[\],;:\\"]+@([^\s@<>()[\],;:\\"/]+)$/
const label = /^(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)$/u

/**
 * Returns whether a host is in its canonical form: without empty parts and without characters that are mapped to
 * others.
 */
const isHost = (text: string): boolean =>
  text.normalize("NFKC") === text.normalize("NFC") && text.split(".").every((part) => label.test(part))

/** Returns the problem of an email address, or undefined. */
export const emailProblem = (text: string): string | undefined =>
  text.length > longestAddress
    ? `must have at most ${longestAddress} characters`
    : text.isWellFormed() && isHost(address.exec(text)?.[1] ?? "")
      ? undefined
      : "must be an email address"

/** An email address as entered; addresses that differ only in case are equal. */
export const EmailAddress = Schema.String.check(Schema.makeFilter((text: string) => emailProblem(text))).pipe(
  Schema.brand("EmailAddress")
)
export type EmailAddress = typeof EmailAddress.Type

/** Returns whether two names are equal, ignoring case. */
export const sameName = (one: string, other: string): boolean => nameKey(one) === nameKey(other)

/** Reports that the user does not exist or is hidden from the caller. */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", { name: Schema.String }) {}
/** Reports that a user that the caller may see was renamed. */
export class UserRenamed extends Schema.TaggedError<UserRenamed>()("UserRenamed", {
  name: Schema.String,
  present: Schema.String
}) {}
/** Reports that a user or an organization has that name. */
export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", { name: Schema.String }) {}
/** Reports that a user has that email address. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", { address: Schema.String }) {}
/** Reports that the user has no such email address. */
export class EmailNotFound extends Schema.TaggedError<EmailNotFound>()("EmailNotFound", { address: Schema.String }) {}
/** Reports that the primary email address cannot be removed, because every user has one. */
export class EmailIsPrimary extends Schema.TaggedError<EmailIsPrimary>()("EmailIsPrimary", {
  address: Schema.String
}) {}
/**
 * Reports that a credential cannot grant more than its own permissions: a password, or the administration of the site.
 */
export class BeyondScope extends Schema.TaggedError<BeyondScope>()("BeyondScope", {}) {}
/** Reports that no site administrator would remain. */
export class LastAdministrator extends Schema.TaggedError<LastAdministrator>()("LastAdministrator", {}) {}
/** Reports an action that users cannot apply to themselves: deletion, prohibition, following or blocking. */
export class NotYourself extends Schema.TaggedError<NotYourself>()("NotYourself", {}) {}
