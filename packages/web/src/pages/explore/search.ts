import { icon } from "../../assets/icons.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { issueList, organizationList, repositoryList, userList } from "../../layout/lists.ts"
import { withQuery } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"

/** The rows of each kind on the page of all kinds. */
const few = 5

const sought = ({ query }: Visit): string => (query.get("q") ?? "").trim().slice(0, 255)
const onlyIssues = ({ query }: Visit): boolean => query.get("type") === "issues"

/** Loads the users that the text matches; none if the site does not list users to the viewer. */
const loadUsers = async ({ forge }: Visit, q: string) => {
  const found = await forge.user.search({ query: { q, limit: few } }).result()
  if (found.ok) return found.value
  const { status } = found.error
  if (status === 401 || status === 403 || status === 404) return []
  throw found.error
}

const load = async (visit: Visit) => {
  const { forge } = visit
  const q = sought(visit)
  if (q === "") return undefined
  if (onlyIssues(visit)) {
    const query = { q, state: "all", page: pageNumber(visit), limit: rowsPerPage } as const
    return { kind: "issues", issues: await forge.issue.search({ query }) } as const
  }
  const [repositories, users, organizations, issues] = await Promise.all([
    forge.repository.search({ query: { q, includeDesc: "true", sort: "updated", order: "desc", limit: few } }),
    loadUsers(visit, q),
    forge.organization.list({ query: { q, limit: few } }),
    forge.issue.search({ query: { q, state: "all", limit: few } })
  ])
  return { kind: "all", repositories, users, organizations, issues } as const
}

/** Renders the results of one kind, with a link to all of them if there may be more. */
const section = ({ texts }: Visit, title: string, list: Html, count: number, all: string): Html =>
  card(
    html`<h2>${title}</h2>${count === few && html`<a class="push" href="${all}">${texts.start.allOf(title)}</a>`}`,
    list,
    title
  )

const results = (visit: Visit, found: NonNullable<Awaited<ReturnType<typeof load>>>): Html => {
  const { start, words } = visit.texts
  const none = start.noneFound
  if (found.kind === "issues")
    return html`${card(start.issuesAndPulls, issueList(visit, found.issues, none))}${pagination(visit, found.issues.length === rowsPerPage)}`
  const { issues, organizations, repositories, users } = found
  const explore = (path: string) => `/explore/${path}?${new URLSearchParams({ q: sought(visit) })}`
  return html`${section(visit, words.repositories, repositoryList(visit, repositories, none), repositories.length, explore("repos"))}
${section(visit, start.issuesAndPulls, issueList(visit, issues, none), issues.length, withQuery(visit.url, { type: "issues" }))}
${section(visit, words.organizations, organizationList(visit, organizations, none), organizations.length, explore("organizations"))}
${section(visit, words.users, userList(visit, users, none), users.length, explore("users"))}`
}

/** `/search?q=`: repositories, issues, organizations and users; `type=issues` lists all issues that match. */
export const searchPage = page({
  path: "/search",
  operations: ["repository.search", "user.search", "organization.list", "issue.search"],
  load,
  view: (found, visit) => {
    const { layout } = visit.texts
    const q = sought(visit)
    return {
      title: q === "" ? layout.searchButton : `${q} · ${layout.searchButton}`,
      body: html`<div class="title"><h1>${layout.searchButton}</h1></div>
<form class="title" role="search" action="/search" aria-label="${layout.searchButton}"><div class="grow"><input name="q" type="search" value="${q}" aria-label="${layout.search}" placeholder="${layout.search}" maxlength="255"></div><button class="button">${icon("search")}${layout.searchButton}</button></form>
${visit.codeSearch && html`<p><a href="/explore/code${q === "" ? "" : `?${new URLSearchParams({ q })}`}">${visit.texts.codeSearch.title}</a></p>`}
${found === undefined ? html`<p class="soft">${visit.texts.start.searchHint}</p>` : results(visit, found)}`
    }
  }
})
