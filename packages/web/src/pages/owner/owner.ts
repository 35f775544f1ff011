import { icon } from "../../assets/icons.ts"
import { html, safeHref } from "../../html/Html.ts"
import { linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { ownerFrame } from "../../layout/frames.ts"
import { repositoryList } from "../../layout/lists.ts"
import { time } from "../../layout/time.ts"
import { pathOf } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"
import { offersOf } from "../organizations/organization.ts"
import { newRepositoryPath } from "../repositories/newRepository.ts"
import { ownerOperations, readOwner } from "./readOwner.ts"

const load = async (visit: Visit) => {
  const { forge, params } = visit
  const name = params.owner ?? ""
  const query = { page: pageNumber(visit), limit: rowsPerPage }
  const owner = await readOwner(visit, name)
  if (!("login" in owner)) {
    const [repositories, offers] = await Promise.all([
      forge.organization.repository.list({ params: { org: name }, query }),
      offersOf(visit, owner, { create: "organization.repository.create" })
    ])
    return { owner, repositories, offers }
  }
  return {
    owner,
    repositories: await forge.user.repository.list({ params: { username: name }, query }),
    offers: { teams: false, settings: false, create: owner.login === visit.viewer?.login }
  }
}

/** `/{owner}`: a user or an organization with its repositories. */
export const ownerPage = page({
  path: "/:owner",
  operations: [...ownerOperations, "organization.repository.list", "user.repository.list", "access.check"],
  load,
  view: ({ offers, owner, repositories }, visit) => {
    const { texts } = visit
    const website = owner.website === "" ? undefined : safeHref(owner.website)
    return {
      title: "login" in owner ? owner.login : owner.username,
      frame: ownerFrame(owner, "repositories", visit, offers),
      feeds: pathOf("login" in owner ? owner.login : owner.username),
      body: html`<div class="split"><div>${offers.create && html`<p class="row">${linkButton(newRepositoryPath("login" in owner ? undefined : owner.username), texts.layout.newRepository, "plus")}</p>`}<section class="card" aria-label="${texts.words.repositories}"><h2 class="hidden-text">${texts.words.repositories}</h2>${repositoryList(visit, repositories, texts.start.noPublic)}</section>${pagination(visit, repositories.length === rowsPerPage)}</div>
<aside>${owner.description !== "" && html`<section><h2>${texts.code.about}</h2><p>${owner.description}</p></section>`}
<section>${website !== undefined && html`<p>${icon("link")} <a href="${website}" rel="nofollow noopener">${owner.website}</a></p>`}${owner.location !== "" && html`<p>${icon("location")} ${owner.location}</p>`}${"login" in owner && html`<p class="soft small">${texts.words.joined} ${time(visit, owner.created)}</p>`}</section></aside></div>`
    }
  }
})
