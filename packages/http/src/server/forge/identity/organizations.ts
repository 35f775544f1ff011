import { organizationSettings } from "@slipway/domain/forge/identity"
import { AccessPreview } from "@slipway/forge/explanation"
import { Organizations } from "@slipway/forge/identity"
import { Effect } from "effect"
import { organizationEndpoints } from "../../../api/forge/identity/organizations.ts"
import { renameFields, showOrganizationTo } from "../base/show.ts"
import { settingNames } from "../base/showSettings.ts"
import { handle, orPreview, shown } from "../entry/handle.ts"

/** Maps the names of request fields to the names in the domain. */
export const organizationNames = { username: "name", ...settingNames(organizationSettings) } as const

const showPermissions = (permissions: Organizations.OrganizationPermissions) => ({
  can_read: permissions.canRead,
  can_write: permissions.canWrite,
  is_admin: permissions.isAdmin,
  is_owner: permissions.isOwner,
  can_create_repository: permissions.canCreateRepository
})

/** The handlers of organizations. */
export const layerOrganizations = handle(
  organizationEndpoints,
  {
    "organization.list": ({ page, proof, query }) => Organizations.list(proof, page, query.q),
    "organization.create": ({ body, proof }) => Organizations.create(proof, renameFields(body, organizationNames)),
    "organization.read": ({ proof }) => Effect.succeed(Organizations.read(proof)),
    "organization.edit": (asked) => {
      const change = Organizations.edit(asked.proof, renameFields(asked.body, organizationNames))
      return orPreview(asked, (page) => AccessPreview.ofOrganization(asked.proof, change, page), change)
    },
    "organization.delete": ({ proof }) => Organizations.remove(proof),
    "organization.rename": ({ body, proof }) => Organizations.rename(proof, body.new_name),
    "account.organization.list": ({ page, proof }) => Organizations.ofSelf(proof, page),
    "user.organization.list": ({ page, proof }) => Organizations.ofUser(proof, page),
    "user.organization.permissions": ({ proof }) =>
      Effect.map(Organizations.permissions(proof), (permissions) => shown(showPermissions(permissions)))
  },
  { showTo: showOrganizationTo }
)
