import { EmailAddress, userSettings } from "@slipway/domain/forge/identity"
import { Schema, Struct } from "effect"
import { all, check, done, edit, endpoints, list, read } from "../base/endpoints.ts"
import { Email, text, User } from "../base/schemas.ts"
import { bodyFields, responseFields } from "../base/settings.ts"

/** The signed-in user with the fields that every page shows. */
export const AccountSummary = Schema.Struct(
  Struct.pick(User.fields, ["id", "login", "full_name", "avatar_url", "is_admin"])
).annotate({ identifier: "AccountSummary" })

/** The settings of the signed-in user. */
export const UserSettings = Schema.Struct(responseFields(userSettings)).annotate({ identifier: "UserSettings" })

/** The request body that changes the settings of the signed-in user. */
export const UserSettingsOptions = Schema.Struct(bodyFields(userSettings)).annotate({
  identifier: "UserSettingsOptions"
})

const several = <S extends Schema.Constraint>(schema: S) =>
  Schema.Struct({ emails: Schema.NonEmptyArray(schema).check(Schema.isMaxLength(100)) })

/** The request body that adds email addresses. */
export const CreateEmailOption = several(EmailAddress).annotate({ identifier: "CreateEmailOption" })

/** The request body that removes email addresses. */
export const DeleteEmailOption = several(Schema.String).annotate({ identifier: "DeleteEmailOption" })

/** The endpoints of the signed-in user. */
export const accountEndpoints = endpoints("account", "The signed-in user.", {
  "account.read": read(User),
  "account.summary.read": read(AccountSummary),
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
