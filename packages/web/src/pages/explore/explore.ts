import { type Html, html } from "../../html/Html.ts"
import { pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { organizationList, repositoryList, userList } from "../../layout/lists.ts"
import type { Frame } from "../../page/Frame.ts"
import { page, type Visit } from "../../page/Page.ts"

type ExploreTab = "code" | "repos" | "users" | "organizations"

/** Returns the heading and tabs of the explore pages. */
export const exploreFrame = ({ codeSearch, texts }: Visit, tab: ExploreTab): Frame => ({
  heading: html`<h1>${texts.start.exploreTitle}</h1>`,
  label: texts.start.explore,
  tabs: [
    { key: "repos", label: texts.words.repositories, to: "/explore/repos", icon: "repo" },
    { key: "users", label: texts.words.users, to: "/explore/users", icon: "person" },
    { key: "organizations", label: texts.words.organizations, to: "/explore/organizations", icon: "organization" },
    { key: "code", label: texts.codeSearch.code, to: "/explore/code", icon: "code", shown: codeSearch }
  ],
  tab
})

const searched = ({ query }: Visit): string => (query.get("q") ?? "").slice(0, 255)

const filterForm = (visit: Visit, action: string): Html =>
  html`<form class="title" role="search" action="${action}" aria-label="${visit.texts.words.filter}"><div class="grow"><input name="q" type="search" value="${searched(visit)}" aria-label="${visit.texts.words.name}" placeholder="${visit.texts.words.name}" maxlength="255"></div><button class="button">${visit.texts.layout.searchButton}</button></form>`

const pageRequest = (visit: Visit) => ({ page: pageNumber(visit), limit: rowsPerPage })

/** Loads the repositories that the viewer can see. They are also shown on the start page of anonymous visitors. */
export const loadRepositories = (visit: Visit) =>
  visit.forge.repository.search({
    query: { q: searched(visit), sort: "updated", order: "desc", ...pageRequest(visit) }
  })

/** Renders the list of repositories that the viewer can see. */
export const exploreRepositories = (visit: Visit, found: Awaited<ReturnType<typeof loadRepositories>>) => ({
  title: visit.texts.start.exploreTitle,
  frame: exploreFrame(visit, "repos"),
  body: html`${filterForm(visit, "/explore/repos")}<section class="card" aria-label="${visit.texts.words.repositories}"><h2 class="hidden-text">${visit.texts.words.repositories}</h2>${repositoryList(visit, found, searched(visit) === "" ? visit.texts.start.noPublic : visit.texts.start.noneFound)}</section>${pagination(visit, found.length === rowsPerPage)}`
})

/** `/explore/repos`: the repositories that the viewer can see, with a search. */
export const exploreRepositoriesPage = page({
  path: "/explore/repos",
  operations: ["repository.search"],
  load: async (visit) => loadRepositories(visit),
  view: (found, visit) => exploreRepositories(visit, found)
})

/** `/explore/users`: the users that the viewer can see, with a search. */
export const exploreUsersPage = page({
  path: "/explore/users",
  operations: ["user.search"],
  load: async (visit) => visit.forge.user.search({ query: { q: searched(visit), ...pageRequest(visit) } }),
  view: (found, visit) => ({
    title: visit.texts.words.users,
    frame: exploreFrame(visit, "users"),
    body: html`${filterForm(visit, "/explore/users")}<section class="card" aria-label="${visit.texts.words.users}"><h2 class="hidden-text">${visit.texts.words.users}</h2>${userList(visit, found, visit.texts.start.noneFound)}</section>${pagination(visit, found.length === rowsPerPage)}`
  })
})

/** `/explore/organizations`: the organizations that the viewer can see. */
export const exploreOrganizationsPage = page({
  path: "/explore/organizations",
  operations: ["organization.list"],
  load: async (visit) => visit.forge.organization.list({ query: { q: searched(visit), ...pageRequest(visit) } }),
  view: (found, visit) => ({
    title: visit.texts.words.organizations,
    frame: exploreFrame(visit, "organizations"),
    body: html`${filterForm(visit, "/explore/organizations")}<section class="card" aria-label="${visit.texts.words.organizations}"><h2 class="hidden-text">${visit.texts.words.organizations}</h2>${organizationList(visit, found, visit.texts.start.noneFound)}</section>${pagination(visit, found.length === rowsPerPage)}`
  })
})
