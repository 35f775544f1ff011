import { website } from "@slipway/domain/forge/base"
import { EmailAddress, NewPassword } from "@slipway/domain/forge/identity"
import { Schema } from "effect"
import { all, create, done, edit, endpoints, list, remove } from "../base/endpoints.ts"
import {
  Email,
  Instant,
  Organization,
  optionalNullable,
  QueryFlag,
  QueryNumber,
  text,
  User,
  UserName,
  Visibility
} from "../base/schemas.ts"
import { CreateOrgOption } from "../identity/organizations.ts"

// Accounts of other services are identities of users here, and not sources of accounts.
const LoginSource = Schema.Int.check(
  Schema.makeFilter((id: number) => (id === 0 ? undefined : "must be 0, the only login source"))
)

/** The request body that creates a user. */
export const CreateUserOption = Schema.Struct({
  username: UserName,
  email: EmailAddress,
  password: optionalNullable(NewPassword),
  full_name: optionalNullable(text(100)),
  login_name: optionalNullable(text(255)),
  source_id: optionalNullable(LoginSource),
  must_change_password: optionalNullable(Schema.Boolean),
  restricted: optionalNullable(Schema.Boolean),
  visibility: optionalNullable(Visibility),
  created_at: optionalNullable(Instant)
}).annotate({ identifier: "CreateUserOption" })

/** The request body that changes a user. */
export const EditUserOption = Schema.Struct({
  email: optionalNullable(EmailAddress),
  password: optionalNullable(NewPassword),
  /** Whether to revoke the user's tokens. */
  end_tokens: optionalNullable(Schema.Boolean),
  full_name: optionalNullable(text(100)),
  website: optionalNullable(website(255)),
  location: optionalNullable(text(50)),
  description: optionalNullable(text(255)),
  login_name: optionalNullable(text(255)),
  source_id: optionalNullable(LoginSource),
  must_change_password: optionalNullable(Schema.Boolean),
  active: optionalNullable(Schema.Boolean),
  admin: optionalNullable(Schema.Boolean),
  restricted: optionalNullable(Schema.Boolean),
  prohibit_login: optionalNullable(Schema.Boolean),
  allow_create_organization: optionalNullable(Schema.Boolean),
  allow_git_hook: optionalNullable(Schema.Boolean),
  allow_import_local: optionalNullable(Schema.Boolean),
  max_repo_creation: optionalNullable(Schema.Int.check(Schema.isBetween({ minimum: -1, maximum: 2_147_483_647 }))),
  visibility: optionalNullable(Visibility)
}).annotate({ identifier: "EditUserOption" })

/** The request body that renames a user. */
export const RenameUserOption = Schema.Struct({ new_username: UserName }).annotate({ identifier: "RenameUserOption" })

const filter = {
  q: Schema.optionalKey(text(255)).annotate({ description: "A part of a name, or a whole email address." }),
  is_admin: Schema.optionalKey(QueryFlag),
  source_id: Schema.optionalKey(QueryNumber),
  login_name: Schema.optionalKey(Schema.String)
}

/** The endpoints for site administrators. */
export const adminEndpoints = endpoints("admin", "Administration of the site.", {
  "admin.user.list": list(User, { query: filter }),
  "admin.user.create": create(User, { body: CreateUserOption }),
  "admin.user.edit": edit(User, { body: EditUserOption }),
  "admin.user.delete": remove({ query: { purge: Schema.optionalKey(QueryFlag) } }),
  "admin.user.rename": done({ body: RenameUserOption }),
  "admin.email.list": list(Email),
  "admin.email.search": list(Email, { query: { q: Schema.optionalKey(Schema.String) } }),
  "admin.organization.list": list(Organization),
  "admin.user.organization.list": list(Organization),
  "admin.user.organization.create": create(Organization, { body: CreateOrgOption })
})

/** A setting of the site. */
export const AdminSetting = Schema.Struct({
  group: Schema.String,
  name: Schema.String,
  value: Schema.NullOr(
    Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Array(Schema.String)])
  ).annotate({ description: "Null for an unlimited number." })
}).annotate({ identifier: "AdminSetting" })

/** The endpoint of the settings of the site. */
export const adminSettingEndpoints = endpoints("admin-settings", "The settings of the site, without secrets.", {
  "admin.settings.list": all(AdminSetting)
})
