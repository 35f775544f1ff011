import { html } from "../../html/Html.ts"
import { card, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { organizationList, repositoryList } from "../../layout/lists.ts"
import { page, type Visit } from "../../page/Page.ts"
import { packageFilter, packageQuery, versionList } from "../packages/packageParts.ts"
import { accountView } from "./frame.ts"

const listed = (visit: Visit) => ({ query: { page: pageNumber(visit), limit: rowsPerPage } })

/** `/user/settings/organization`: the organizations of the signed-in user. */
export const ownOrganizationsPage = page({
  path: "/user/settings/organization",
  operations: ["account.organization.list"],
  signIn: true,
  load: async (visit) => await visit.forge.account.organization.list(listed(visit)),
  view: (found, visit) => {
    const { account: t, organizations } = visit.texts
    return accountView(
      visit,
      "organization",
      html`<p>${linkButton("/org/create", organizations.create, "plus")}</p>${card(t.organization, organizationList(visit, found, t.noOrganizations))}${pagination(visit, found.length === rowsPerPage)}`
    )
  }
})

/** `/user/settings/repos`: the repositories of the signed-in user. */
export const ownRepositoriesPage = page({
  path: "/user/settings/repos",
  operations: ["account.repository.list"],
  signIn: true,
  load: async (visit) => await visit.forge.account.repository.list(listed(visit)),
  view: (found, visit) => {
    const { account: t, settings } = visit.texts
    return accountView(
      visit,
      "repos",
      html`<p>${linkButton("/repo/create", settings.newTitle, "plus")}</p>${card(t.repos, repositoryList(visit, found, t.noRepositories))}${pagination(visit, found.length === rowsPerPage)}`
    )
  }
})

/** `/user/settings/packages`: the packages of the signed-in user. */
export const ownPackagesPage = page({
  path: "/user/settings/packages",
  operations: ["package.list"],
  signIn: true,
  load: async (visit) =>
    await visit.forge.package.list({ params: { username: visit.viewer?.login ?? "" }, query: packageQuery(visit) }),
  view: (found, visit) => {
    const { account: t } = visit.texts
    return accountView(
      visit,
      "packages",
      html`<p>${packageFilter(visit)}</p><section class="card" aria-label="${t.packages}"><h2 class="hidden-text">${t.packages}</h2>${versionList(visit, found, t.noPackages)}</section>${pagination(visit, found.length === rowsPerPage)}`
    )
  }
})
