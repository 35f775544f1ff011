import { emailNotifications, website } from "@slipway/domain/forge/base"
import { EmailAddress } from "@slipway/domain/forge/identity"
import { Schema } from "effect"
import { all, check, done, edit, endpoints, list, read } from "../base/endpoints.ts"
import { Email, optionalNullable, text, User } from "../base/schemas.ts"

/** The settings of the signed-in user. */
export const UserSettings = Schema.Struct({
  full_name: Schema.String,
  website: Schema.String,
  description: Schema.String,
  location: Schema.String,
  language: Schema.String,
  theme: Schema.String,
  diff_view_style: Schema.String,
  hide_email: Schema.Boolean,
  hide_activity: Schema.Boolean,
  email_notifications_preference: Schema.Literals(emailNotifications)
}).annotate({ identifier: "UserSettings" })

/** The body that changes the settings of the signed-in user. */
export const UserSettingsOptions = Schema.Struct({
  full_name: optionalNullable(text(100)),
  website: optionalNullable(website(255)),
  description: optionalNullable(text(255)),
  location: optionalNullable(text(50)),
  language: optionalNullable(text(20)),
  theme: optionalNullable(text(50)),
  diff_view_style: optionalNullable(text(50)),
  hide_email: optionalNullable(Schema.Boolean),
  hide_activity: optionalNullable(Schema.Boolean),
  email_notifications_preference: optionalNullable(Schema.Literals(emailNotifications))
}).annotate({ identifier: "UserSettingsOptions" })

const several = <S extends Schema.Constraint>(schema: S) =>
  Schema.Struct({ emails: Schema.NonEmptyArray(schema).check(Schema.isMaxLength(100)) })

/** The body that adds email addresses. */
export const CreateEmailOption = several(EmailAddress).annotate({ identifier: "CreateEmailOption" })

/** The body that removes email addresses. */
export const DeleteEmailOption = several(Schema.String).annotate({ identifier: "DeleteEmailOption" })

/** The endpoints of the signed-in user. */
export const accountEndpoints = endpoints("account", "The signed-in user.", {
  "account.read": read(User),
  "account.settings.read": read(UserSettings),
  "account.settings.edit": edit(UserSettings, { body: UserSettingsOptions }),
  "account.email.list": all(Email),
  "account.email.add": all(Email, { body: CreateEmailOption, status: 201 }),
  "account.email.remove": done({ body: DeleteEmailOption }),
  "account.follower.list": list(User),
  "account.following.list": list(User),
  "account.following.check": check(),
  "account.following.add": done(),
  "account.following.remove": done(),
  "account.block.list": list(User),
  "account.block.check": check(),
  "account.block.add": done({ query: { note: Schema.optionalKey(text(255)) } }),
  "account.block.remove": done()
})
