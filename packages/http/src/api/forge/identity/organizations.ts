import { Color } from "@slipway/domain/forge/code"
import { organizationSettings } from "@slipway/domain/forge/identity"
import { Schema } from "effect"
import { check, create, done, edit, endpoints, list, read, remove } from "../base/endpoints.ts"
import { Label, Organization, optionalNullable, text, User, UserName } from "../base/schemas.ts"
import { bodyFields } from "../base/settings.ts"

const settings = bodyFields(organizationSettings)

/** The request body that creates an organization. */
export const CreateOrgOption = Schema.Struct({ username: UserName, ...settings }).annotate({
  identifier: "CreateOrgOption"
})

/** The request body that changes an organization. */
export const EditOrgOption = Schema.Struct(settings).annotate({ identifier: "EditOrgOption" })

/** The permissions of a user in an organization. */
export const OrganizationPermissions = Schema.Struct({
  can_read: Schema.Boolean,
  can_write: Schema.Boolean,
  is_admin: Schema.Boolean,
  is_owner: Schema.Boolean,
  can_create_repository: Schema.Boolean
}).annotate({ identifier: "OrganizationPermissions" })

const labelName = text(50).check(Schema.isNonEmpty())
const labelSettings = {
  description: optionalNullable(text(200)),
  exclusive: optionalNullable(Schema.Boolean),
  is_archived: optionalNullable(Schema.Boolean)
}

/** The request body that creates a label. */
export const CreateLabelOption = Schema.Struct({ name: labelName, color: Color, ...labelSettings }).annotate({
  identifier: "CreateLabelOption"
})

/** The request body that changes a label. */
export const EditLabelOption = Schema.Struct({
  name: optionalNullable(labelName),
  color: optionalNullable(Color),
  ...labelSettings
}).annotate({ identifier: "EditLabelOption" })

/** The request body that sets an avatar. */
export const UpdateUserAvatarOption = Schema.Struct({
  image: Schema.Uint8ArrayFromBase64.annotate({ description: "A PNG, JPEG, GIF or WebP image in base64." })
}).annotate({ identifier: "UpdateUserAvatarOption" })

/** The request body that sets the avatar of a repository. */
export const UpdateRepoAvatarOption = Schema.Struct(UpdateUserAvatarOption.fields).annotate({
  identifier: "UpdateRepoAvatarOption"
})

/** The request body that renames an organization. */
export const RenameOrgOption = Schema.Struct({ new_name: UserName }).annotate({ identifier: "RenameOrgOption" })

/** The endpoints of organizations. */
export const organizationEndpoints = endpoints(
  "organizations",
  "Organizations, which own repositories and have teams.",
  {
    "organization.list": list(Organization, {
      query: { q: Schema.optionalKey(Schema.String.annotate({ description: "A part of the name, ignoring case." })) }
    }),
    "organization.create": create(Organization, { body: CreateOrgOption }),
    "organization.read": read(Organization),
    "organization.edit": edit(Organization, { body: EditOrgOption, dryRun: true }),
    "organization.delete": remove(),
    "organization.rename": done({ body: RenameOrgOption }),
    "account.organization.list": list(Organization),
    "user.organization.list": list(Organization),
    "user.organization.permissions": read(OrganizationPermissions)
  }
)

/** The endpoints of the members and the blocked users of organizations. */
export const memberEndpoints = endpoints("members", "Members and blocked users of an organization.", {
  "organization.member.list": list(User),
  "organization.member.check": check(),
  "organization.member.remove": remove({ dryRun: true }),
  "organization.public-member.list": list(User),
  "organization.public-member.check": check(),
  "organization.public-member.add": done(),
  "organization.public-member.remove": done(),
  "organization.block.list": list(User),
  "organization.block.check": check(),
  "organization.block.add": done({ query: { note: Schema.optionalKey(text(255)) } }),
  "organization.block.remove": done()
})

/** The endpoints of the labels of organizations. */
export const labelEndpoints = endpoints("labels", "Labels for the issues of all repositories of an organization.", {
  "organization.label.list": list(Label),
  "organization.label.create": create(Label, { body: CreateLabelOption }),
  "organization.label.read": read(Label),
  "organization.label.edit": edit(Label, { body: EditLabelOption }),
  "organization.label.delete": remove()
})

// An image of 1 MiB in base64, with its quotes.
const picture = { body: UpdateUserAvatarOption, largest: 2 * 1024 * 1024 }

/** The endpoints of avatars. */
export const avatarEndpoints = endpoints(
  "avatars",
  "Avatars of users, organizations and repositories, which are scaled and stored without metadata.",
  {
    "organization.avatar.set": done(picture),
    "organization.avatar.delete": remove(),
    "account.avatar.set": done(picture),
    "account.avatar.delete": remove(),
    "repository.avatar.set": done({ ...picture, body: UpdateRepoAvatarOption }),
    "repository.avatar.delete": remove()
  }
)
