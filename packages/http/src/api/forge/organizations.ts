import { Color, EmailAddress } from "@slipway/domain/forge"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { AccessChanges, dryRunQuery } from "./effectiveAccess.ts"
import { NotFoundBody } from "./errors.ts"
import {
  Label,
  Organization,
  optionalNullable,
  organizationParams,
  pageQuery,
  text,
  User,
  UserName,
  userParams,
  Visibility
} from "./schemas.ts"

const settings = {
  full_name: optionalNullable(text(100)),
  email: optionalNullable(Schema.Union([EmailAddress, Schema.Literal("")])),
  description: optionalNullable(text(255)),
  website: optionalNullable(text(255)),
  location: optionalNullable(text(50)),
  visibility: optionalNullable(Visibility),
  repo_admin_change_team_access: optionalNullable(Schema.Boolean)
}

/** The body that creates an organization. */
export const CreateOrgOption = Schema.Struct({ username: UserName, ...settings }).annotate({
  identifier: "CreateOrgOption"
})

/** The body that changes an organization. */
export const EditOrgOption = Schema.Struct(settings).annotate({ identifier: "EditOrgOption" })

/** What a user may do in an organization. */
export const OrganizationPermissions = Schema.Struct({
  can_read: Schema.Boolean,
  can_write: Schema.Boolean,
  is_admin: Schema.Boolean,
  is_owner: Schema.Boolean,
  can_create_repository: Schema.Boolean
}).annotate({ identifier: "OrganizationPermissions" })

const labelName = text(50).check(Schema.isNonEmpty())

/** The body that creates a label. */
export const CreateLabelOption = Schema.Struct({
  name: labelName,
  color: Color,
  description: optionalNullable(text(200)),
  exclusive: optionalNullable(Schema.Boolean),
  is_archived: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreateLabelOption" })

/** The body that changes a label. */
export const EditLabelOption = Schema.Struct({
  name: optionalNullable(labelName),
  color: optionalNullable(Color),
  description: optionalNullable(text(200)),
  exclusive: optionalNullable(Schema.Boolean),
  is_archived: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "EditLabelOption" })

/** The body that sets a picture. */
export const UpdateUserAvatarOption = Schema.Struct({
  image: Schema.Uint8ArrayFromBase64.annotate({ description: "A PNG, JPEG, GIF or WebP picture in base64." })
}).annotate({ identifier: "UpdateUserAvatarOption" })

const page = { params: organizationParams, query: pageQuery }
const member = {
  params: { ...organizationParams, ...userParams },
  success: HttpApiSchema.NoContent,
  error: NotFoundBody
}
const labelParams = { ...organizationParams, id: Schema.String }
const missable = { error: NotFoundBody }

/** The endpoints of organizations. */
export class OrganizationsApi extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("list", "/orgs", { query: pageQuery, success: Schema.Array(Organization) })
      .annotate(OpenApi.Summary, "List the organizations that the caller may find, by name")
      .pipe(access("organization.list")),
    HttpApiEndpoint.post("create", "/orgs", {
      payload: CreateOrgOption,
      success: Organization.pipe(HttpApiSchema.status(201)),
      ...missable
    })
      .annotate(OpenApi.Summary, "Create an organization, which the caller owns")
      .pipe(access("organization.create")),
    HttpApiEndpoint.get("read", "/orgs/:org", { params: organizationParams, success: Organization })
      .annotate(OpenApi.Summary, "Read an organization")
      .pipe(access("organization.read")),
    HttpApiEndpoint.patch("edit", "/orgs/:org", {
      params: organizationParams,
      payload: EditOrgOption,
      query: dryRunQuery,
      success: Schema.Union([Organization, AccessChanges]),
      ...missable
    })
      .annotate(OpenApi.Summary, "Change an organization")
      .pipe(access("organization.edit")),
    HttpApiEndpoint.delete("delete", "/orgs/:org", {
      params: organizationParams,
      success: HttpApiSchema.NoContent,
      ...missable
    })
      .annotate(OpenApi.Summary, "Delete an organization that owns no repositories")
      .pipe(access("organization.delete")),
    HttpApiEndpoint.post("rename", "/orgs/:org/rename", {
      params: organizationParams,
      payload: Schema.Struct({ new_name: UserName }).annotate({ identifier: "RenameOrgOption" }),
      success: HttpApiSchema.NoContent,
      ...missable
    })
      .annotate(OpenApi.Summary, "Rename an organization; the old name leads to the new one")
      .pipe(access("organization.rename")),
    HttpApiEndpoint.get("ofCaller", "/user/orgs", { query: pageQuery, success: Schema.Array(Organization) })
      .annotate(OpenApi.Summary, "List one's organizations")
      .pipe(access("account.organization.list")),
    HttpApiEndpoint.get("ofUser", "/users/:username/orgs", {
      params: userParams,
      query: pageQuery,
      success: Schema.Array(Organization)
    })
      .annotate(OpenApi.Summary, "List the organizations of a user that the caller may know of")
      .pipe(access("user.organization.list")),
    HttpApiEndpoint.get("permissions", "/users/:username/orgs/:org/permissions", {
      params: { ...userParams, ...organizationParams },
      success: OrganizationPermissions
    })
      .annotate(OpenApi.Summary, "Read what a user may do in an organization")
      .pipe(access("user.organization.permissions"))
  )
  .annotate(OpenApi.Description, "Organizations, which own repositories and have teams.") {}

/** The endpoints of the members of organizations, and of whom these block. */
export class MembersApi extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/orgs/:org/members", { ...page, success: Schema.Array(User) })
      .annotate(OpenApi.Summary, "List the members of an organization: for those outside, the public ones")
      .pipe(access("organization.member.list")),
    HttpApiEndpoint.get("check", "/orgs/:org/members/:username", member)
      .annotate(OpenApi.Summary, "Tell whether a user is a member")
      .pipe(access("organization.member.check")),
    HttpApiEndpoint.delete("remove", "/orgs/:org/members/:username", {
      ...member,
      query: dryRunQuery,
      success: [HttpApiSchema.NoContent, AccessChanges]
    })
      .annotate(OpenApi.Summary, "Remove a member from every team; the last owner stays")
      .pipe(access("organization.member.remove")),
    HttpApiEndpoint.get("listPublic", "/orgs/:org/public_members", { ...page, success: Schema.Array(User) })
      .annotate(OpenApi.Summary, "List the members of whom everybody may know")
      .pipe(access("organization.public-member.list")),
    HttpApiEndpoint.get("checkPublic", "/orgs/:org/public_members/:username", member)
      .annotate(OpenApi.Summary, "Tell whether everybody may know that a user is a member")
      .pipe(access("organization.public-member.check")),
    HttpApiEndpoint.put("publicize", "/orgs/:org/public_members/:username", member)
      .annotate(OpenApi.Summary, "Let everybody know that one is a member")
      .pipe(access("organization.public-member.add")),
    HttpApiEndpoint.delete("conceal", "/orgs/:org/public_members/:username", member)
      .annotate(OpenApi.Summary, "Let members alone know that one is a member")
      .pipe(access("organization.public-member.remove")),
    HttpApiEndpoint.get("blocks", "/orgs/:org/blocks", { ...page, success: Schema.Array(User) })
      .annotate(OpenApi.Summary, "List whom an organization blocks")
      .pipe(access("organization.block.list")),
    HttpApiEndpoint.get("isBlocked", "/orgs/:org/blocks/:username", member)
      .annotate(OpenApi.Summary, "Tell whether an organization blocks a user")
      .pipe(access("organization.block.check")),
    HttpApiEndpoint.put("block", "/orgs/:org/blocks/:username", {
      ...member,
      query: { note: Schema.optionalKey(text(255)) }
    })
      .annotate(OpenApi.Summary, "Let an organization block a user who is no member")
      .pipe(access("organization.block.add")),
    HttpApiEndpoint.delete("unblock", "/orgs/:org/blocks/:username", member)
      .annotate(OpenApi.Summary, "Stop an organization from blocking a user")
      .pipe(access("organization.block.remove"))
  )
  .annotate(OpenApi.Description, "Who belongs to an organization, and whom it blocks.") {}

/** The endpoints of the labels of organizations. */
export class LabelsApi extends HttpApiGroup.make("labels")
  .add(
    HttpApiEndpoint.get("list", "/orgs/:org/labels", { ...page, success: Schema.Array(Label) })
      .annotate(OpenApi.Summary, "List the labels of an organization by name")
      .pipe(access("organization.label.list")),
    HttpApiEndpoint.post("create", "/orgs/:org/labels", {
      params: organizationParams,
      payload: CreateLabelOption,
      success: Label.pipe(HttpApiSchema.status(201)),
      ...missable
    })
      .annotate(OpenApi.Summary, "Create a label")
      .pipe(access("organization.label.create")),
    HttpApiEndpoint.get("read", "/orgs/:org/labels/:id", { params: labelParams, success: Label, ...missable })
      .annotate(OpenApi.Summary, "Read a label")
      .pipe(access("organization.label.read")),
    HttpApiEndpoint.patch("edit", "/orgs/:org/labels/:id", {
      params: labelParams,
      payload: EditLabelOption,
      success: Label,
      ...missable
    })
      .annotate(OpenApi.Summary, "Change a label")
      .pipe(access("organization.label.edit")),
    HttpApiEndpoint.delete("delete", "/orgs/:org/labels/:id", {
      params: labelParams,
      success: HttpApiSchema.NoContent,
      ...missable
    })
      .annotate(OpenApi.Summary, "Delete a label")
      .pipe(access("organization.label.delete"))
  )
  .annotate(OpenApi.Description, "Labels that the issues of every repository of an organization may have.") {}

const picture = { payload: UpdateUserAvatarOption, success: HttpApiSchema.NoContent, ...missable }

/** The endpoints of pictures. */
export class AvatarsApi extends HttpApiGroup.make("avatars")
  .add(
    HttpApiEndpoint.post("setOfOrganization", "/orgs/:org/avatar", { ...picture, params: organizationParams })
      .annotate(OpenApi.Summary, "Set the picture of an organization")
      .pipe(access("organization.avatar.set")),
    HttpApiEndpoint.delete("removeOfOrganization", "/orgs/:org/avatar", {
      params: organizationParams,
      success: HttpApiSchema.NoContent,
      ...missable
    })
      .annotate(OpenApi.Summary, "Remove the picture of an organization")
      .pipe(access("organization.avatar.delete")),
    HttpApiEndpoint.post("setOwn", "/user/avatar", picture)
      .annotate(OpenApi.Summary, "Set one's picture")
      .pipe(access("account.avatar.set")),
    HttpApiEndpoint.delete("removeOwn", "/user/avatar", { success: HttpApiSchema.NoContent, ...missable })
      .annotate(OpenApi.Summary, "Remove one's picture")
      .pipe(access("account.avatar.delete"))
  )
  .annotate(OpenApi.Description, "Pictures of users and organizations, which are scaled and kept without metadata.") {}
