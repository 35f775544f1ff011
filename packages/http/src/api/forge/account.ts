import { EmailAddress } from "@slipway/domain/forge"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { NotFoundBody } from "./errors.ts"
import { Email, optionalNullable, pageQuery, text, User, userParams } from "./schemas.ts"

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
  hide_activity: Schema.Boolean
}).annotate({ identifier: "UserSettings" })

/** The body that changes the settings of the signed-in user. */
export const UserSettingsOptions = Schema.Struct({
  full_name: optionalNullable(text(100)),
  website: optionalNullable(text(255)),
  description: optionalNullable(text(255)),
  location: optionalNullable(text(50)),
  language: optionalNullable(text(20)),
  theme: optionalNullable(text(50)),
  diff_view_style: optionalNullable(text(50)),
  hide_email: optionalNullable(Schema.Boolean),
  hide_activity: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "UserSettingsOptions" })

const several = <S extends Schema.Constraint>(schema: S) =>
  Schema.Struct({ emails: Schema.NonEmptyArray(schema).check(Schema.isMaxLength(100)) })

/** The body that adds email addresses. */
export const CreateEmailOption = several(EmailAddress).annotate({ identifier: "CreateEmailOption" })

/** The body that removes email addresses. */
export const DeleteEmailOption = several(Schema.String).annotate({ identifier: "DeleteEmailOption" })

const page = { query: pageQuery, success: Schema.Array(User) }
const about = { params: userParams, success: HttpApiSchema.NoContent, error: NotFoundBody }

/** The endpoints of the signed-in user. */
export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("read", "/user", { success: User })
      .annotate(OpenApi.Summary, "Read the signed-in user")
      .pipe(access("account.read")),
    HttpApiEndpoint.get("readSettings", "/user/settings", { success: UserSettings })
      .annotate(OpenApi.Summary, "Read one's settings")
      .pipe(access("account.settings.read")),
    HttpApiEndpoint.patch("editSettings", "/user/settings", { payload: UserSettingsOptions, success: UserSettings })
      .annotate(OpenApi.Summary, "Change one's settings")
      .pipe(access("account.settings.edit")),
    HttpApiEndpoint.get("emails", "/user/emails", { success: Schema.Array(Email) })
      .annotate(OpenApi.Summary, "List one's email addresses")
      .pipe(access("account.email.list")),
    HttpApiEndpoint.post("addEmails", "/user/emails", {
      payload: CreateEmailOption,
      success: Schema.Array(Email).pipe(HttpApiSchema.status(201))
    })
      .annotate(OpenApi.Summary, "Add email addresses, all or none")
      .pipe(access("account.email.add")),
    HttpApiEndpoint.delete("removeEmails", "/user/emails", {
      payload: DeleteEmailOption,
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Remove email addresses, all or none")
      .pipe(access("account.email.remove")),
    HttpApiEndpoint.get("followers", "/user/followers", page)
      .annotate(OpenApi.Summary, "List one's followers")
      .pipe(access("account.follower.list")),
    HttpApiEndpoint.get("following", "/user/following", page)
      .annotate(OpenApi.Summary, "List whom one follows")
      .pipe(access("account.following.list")),
    HttpApiEndpoint.get("follows", "/user/following/:username", about)
      .annotate(OpenApi.Summary, "Tell whether one follows a user")
      .pipe(access("account.following.check")),
    HttpApiEndpoint.put("follow", "/user/following/:username", about)
      .annotate(OpenApi.Summary, "Follow a user")
      .pipe(access("account.following.add")),
    HttpApiEndpoint.delete("unfollow", "/user/following/:username", about)
      .annotate(OpenApi.Summary, "Stop following a user")
      .pipe(access("account.following.remove")),
    HttpApiEndpoint.get("blocks", "/user/blocks", page)
      .annotate(OpenApi.Summary, "List whom one blocks")
      .pipe(access("account.block.list")),
    HttpApiEndpoint.get("isBlocked", "/user/blocks/:username", about)
      .annotate(OpenApi.Summary, "Tell whether one blocks a user")
      .pipe(access("account.block.check")),
    HttpApiEndpoint.put("block", "/user/blocks/:username", { ...about, query: { note: Schema.optionalKey(text(255)) } })
      .annotate(OpenApi.Summary, "Block a user")
      .pipe(access("account.block.add")),
    HttpApiEndpoint.delete("unblock", "/user/blocks/:username", about)
      .annotate(OpenApi.Summary, "Stop blocking a user")
      .pipe(access("account.block.remove"))
  )
  .annotate(OpenApi.Description, "The signed-in user.") {}
