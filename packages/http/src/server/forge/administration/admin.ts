import { SiteConfiguration, UserRemoval } from "@slipway/forge/administration"
import { AdminUsers, Emails, Organizations } from "@slipway/forge/identity"
import { Effect } from "effect"
import { adminEndpoints, adminSettingEndpoints } from "../../../api/forge/administration/admin.ts"
import { isYes } from "../../../api/forge/base/schemas.ts"
import { renameFields, showEmail, showOrganizationTo, showUserTo } from "../base/show.ts"
import { handle, shownOne, shownPage } from "../entry/handle.ts"
import { organizationNames } from "../identity/organizations.ts"

/** The JSON field names that differ from the domain's field names. */
const names = {
  username: "name",
  full_name: "fullName",
  login_name: "loginName",
  source_id: "sourceId",
  must_change_password: "mustChangePassword",
  end_tokens: "endTokens",
  prohibit_login: "prohibited",
  allow_create_organization: "mayCreateOrganizations",
  allow_git_hook: "mayEditGitHooks",
  allow_import_local: "mayImportLocal",
  max_repo_creation: "maxRepositories",
  created_at: "createdAt"
} as const

/** The handlers for the endpoints of site administrators. */
export const layerAdmin = handle(
  adminEndpoints,
  {
    "admin.user.list": ({ page, proof, query }) =>
      AdminUsers.list(
        proof,
        {
          text: query.q,
          admin: query.is_admin === undefined ? undefined : isYes(query.is_admin),
          sourceId: query.source_id,
          loginName: query.login_name
        },
        page
      ),
    "admin.user.create": ({ body, proof }) =>
      Effect.map(AdminUsers.create(proof, renameFields(body, names)), (user) => ({
        ...user,
        followers: 0,
        following: 0,
        starred: 0
      })),
    "admin.user.edit": ({ body, params, proof }) => AdminUsers.edit(proof, params.username, renameFields(body, names)),
    "admin.user.delete": ({ params, proof, query }) => UserRemoval.remove(proof, params.username, isYes(query.purge)),
    "admin.user.rename": ({ body, params, proof }) => AdminUsers.rename(proof, params.username, body.new_username),
    "admin.email.list": ({ page, proof }) => shownPage(Emails.listAll(proof, page), showEmail),
    "admin.email.search": ({ page, proof, query }) =>
      shownPage(Emails.searchAll(proof, query.q ?? "", page), showEmail),
    "admin.organization.list": ({ page, proof }) =>
      shownPage(Organizations.listAll(proof, page), showOrganizationTo(proof.resource)),
    "admin.user.organization.list": ({ page, params, proof }) =>
      shownPage(Organizations.ofAnyUser(proof, params.username, page), showOrganizationTo(proof.resource)),
    "admin.user.organization.create": ({ body, params, proof }) =>
      shownOne(
        Organizations.createFor(proof, params.username, renameFields(body, organizationNames)),
        showOrganizationTo(proof.resource)
      )
  },
  { showTo: showUserTo }
)

/** The handler of the settings of the site. */
export const layerAdminSettings = handle(adminSettingEndpoints, {
  "admin.settings.list": ({ proof }) => SiteConfiguration.list(proof)
})
