import { EmailAddress, NewPassword } from "@slipway/domain/forge"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { NotFoundBody } from "./errors.ts"
import { CreateOrgOption } from "./organizations.ts"
import {
  Email,
  Instant,
  Organization,
  optionalNullable,
  pageQuery,
  QueryNumber,
  text,
  User,
  UserName,
  userParams,
  Visibility
} from "./schemas.ts"

/** The body that creates a user. */
export const CreateUserOption = Schema.Struct({
  username: UserName,
  email: EmailAddress,
  password: optionalNullable(NewPassword),
  full_name: optionalNullable(text(100)),
  login_name: optionalNullable(text(255)),
  source_id: optionalNullable(Schema.Int),
  must_change_password: optionalNullable(Schema.Boolean),
  restricted: optionalNullable(Schema.Boolean),
  visibility: optionalNullable(Visibility),
  created_at: optionalNullable(Instant)
}).annotate({ identifier: "CreateUserOption" })

/** The body that changes a user. */
export const EditUserOption = Schema.Struct({
  email: optionalNullable(EmailAddress),
  password: optionalNullable(NewPassword),
  full_name: optionalNullable(text(100)),
  website: optionalNullable(text(255)),
  location: optionalNullable(text(50)),
  description: optionalNullable(text(255)),
  login_name: optionalNullable(text(255)),
  source_id: optionalNullable(Schema.Int),
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

/** The endpoints of the site's administrators. */
export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.get("users", "/admin/users", {
      query: {
        source_id: Schema.optionalKey(QueryNumber),
        login_name: Schema.optionalKey(Schema.String),
        ...pageQuery
      },
      success: Schema.Array(User)
    })
      .annotate(OpenApi.Summary, "List all users")
      .pipe(access("admin.user.list")),
    HttpApiEndpoint.post("createUser", "/admin/users", {
      payload: CreateUserOption,
      success: User.pipe(HttpApiSchema.status(201))
    })
      .annotate(OpenApi.Summary, "Create a user")
      .pipe(access("admin.user.create")),
    HttpApiEndpoint.patch("editUser", "/admin/users/:username", {
      params: userParams,
      payload: EditUserOption,
      success: User,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Change a user")
      .pipe(access("admin.user.edit")),
    HttpApiEndpoint.delete("deleteUser", "/admin/users/:username", {
      params: userParams,
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Delete a user with all that is theirs")
      .pipe(access("admin.user.delete")),
    HttpApiEndpoint.post("renameUser", "/admin/users/:username/rename", {
      params: userParams,
      payload: Schema.Struct({ new_username: UserName }).annotate({ identifier: "RenameUserOption" }),
      success: HttpApiSchema.NoContent,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Rename a user; the old name leads to the new one")
      .pipe(access("admin.user.rename")),
    HttpApiEndpoint.get("emails", "/admin/emails", { query: pageQuery, success: Schema.Array(Email) })
      .annotate(OpenApi.Summary, "List the email addresses of all users")
      .pipe(access("admin.email.list")),
    HttpApiEndpoint.get("searchEmails", "/admin/emails/search", {
      query: { q: Schema.optionalKey(Schema.String), ...pageQuery },
      success: Schema.Array(Email)
    })
      .annotate(OpenApi.Summary, "Find email addresses by a part of them or of their users' names")
      .pipe(access("admin.email.search")),
    HttpApiEndpoint.get("organizations", "/admin/orgs", { query: pageQuery, success: Schema.Array(Organization) })
      .annotate(OpenApi.Summary, "List all organizations")
      .pipe(access("admin.organization.list")),
    HttpApiEndpoint.get("userOrganizations", "/admin/users/:username/orgs", {
      params: userParams,
      query: pageQuery,
      success: Schema.Array(Organization),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the organizations of a user, also those whose membership is concealed")
      .pipe(access("admin.user.organization.list")),
    HttpApiEndpoint.post("createOrganization", "/admin/users/:username/orgs", {
      params: userParams,
      payload: CreateOrgOption,
      success: Organization.pipe(HttpApiSchema.status(201)),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Create an organization that a user owns")
      .pipe(access("admin.user.organization.create"))
  )
  .annotate(OpenApi.Description, "Administration of the site.") {}
