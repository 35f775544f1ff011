import { html } from "../../html/Html.ts"
import { pagination, rowsPerPage } from "../../layout/components.ts"
import { ownerFrame, repositoryFrame } from "../../layout/frames.ts"
import { page } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { repositoryIn } from "../code/revision.ts"
import { ownerOffers } from "../organizations/organization.ts"
import { ownerOperations, readOwner } from "../owner/readOwner.ts"
import { packageFilter, packageQuery, versionList } from "./packageParts.ts"

/** `/{owner}/-/packages`: the packages of a user or an organization. */
export const ownerPackagesPage = page({
  path: "/:owner/-/packages",
  operations: [...ownerOperations, "access.check", "package.list"],
  signIn: true,
  load: async (visit) => {
    const name = visit.params.owner ?? ""
    const [owner, versions] = await Promise.all([
      readOwner(visit, name),
      visit.forge.package.list({ params: { username: name }, query: packageQuery(visit) })
    ])
    return { owner, versions, offers: await ownerOffers(visit, owner) }
  },
  view: ({ offers, owner, versions }, visit) => {
    const { packages: t } = visit.texts
    return {
      title: `${t.title} · ${"login" in owner ? owner.login : owner.username}`,
      frame: ownerFrame(owner, "packages", visit, offers),
      body: html`<div class="title"><h2>${t.title}</h2><span class="push">${packageFilter(visit)}</span></div>
<section class="card" aria-label="${t.title}">${versionList(visit, versions, t.none)}</section>${pagination(visit, versions.length === rowsPerPage)}`
    }
  }
})

/** `/{owner}/{repo}/packages`: the packages that are linked to a repository. */
export const repositoryPackagesPage = page({
  path: "/:owner/:repo/packages",
  operations: [...repositoryOperations, "package.list"],
  signIn: true,
  load: async (visit) => {
    const { name, owner } = repositoryIn(visit)
    const [loaded, versions] = await Promise.all([
      loadRepository(visit),
      visit.forge.package.list({ params: { username: owner }, query: { ...packageQuery(visit), repository: name } })
    ])
    return { ...loaded, versions }
  },
  view: ({ may, repository, versions }, visit) => {
    const { packages: t } = visit.texts
    return {
      title: `${t.title} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "packages", visit, may),
      body: html`<div class="title"><h2>${t.title}</h2><span class="push">${packageFilter(visit)}</span></div>
<section class="card" aria-label="${t.title}">${versionList(visit, versions, t.noneLinked)}</section>${pagination(visit, versions.length === rowsPerPage)}`
    }
  }
})
