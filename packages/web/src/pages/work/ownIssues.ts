import { icon } from "../../assets/icons.ts"
import { html } from "../../html/Html.ts"
import { pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { tabBar } from "../../layout/frames.ts"
import { issueList } from "../../layout/lists.ts"
import { withQuery } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"

const kinds = {
  issues: ["assigned", "created_by", "mentioned"],
  pulls: ["created_by", "review_requested", "assigned", "reviewed_by", "mentioned"]
} as const

type Filter = "assigned" | "created_by" | "mentioned" | "review_requested" | "reviewed_by"

/** The filters of the API, by their names in the URLs of Gitea. */
const filters: Readonly<Record<Filter, object>> = {
  assigned: { assigned: "true" },
  created_by: { created: "true" },
  mentioned: { mentioned: "true" },
  review_requested: { review_requested: "true" },
  reviewed_by: { reviewed: "true" }
}

const filterIn = ({ query }: Visit, known: ReadonlyArray<Filter>): Filter =>
  known.find((each) => each === query.get("type")) ?? known[0] ?? "assigned"

const stateIn = ({ query }: Visit): "closed" | "open" => (query.get("state") === "closed" ? "closed" : "open")

const listPage = (kind: "issues" | "pulls") =>
  page({
    path: `/${kind}`,
    operations: ["issue.search"],
    signIn: true,
    load: async (visit) => {
      const q = visit.query.get("q")?.trim().slice(0, 255) ?? ""
      return await visit.forge.issue.search({
        query: {
          type: kind,
          state: stateIn(visit),
          ...filters[filterIn(visit, kinds[kind])],
          ...(q === "" ? {} : { q }),
          page: pageNumber(visit),
          limit: rowsPerPage
        }
      })
    },
    view: (found, visit) => {
      const { issues, work } = visit.texts
      const to = (changes: Readonly<Record<string, string | undefined>>) =>
        withQuery(visit.url, { page: undefined, ...changes })
      const filterTabs = kinds[kind].map((key) => ({ key, label: work.kinds[key], to: to({ type: key }) }))
      const stateTabs = (["open", "closed"] as const).map((key) => ({
        key,
        label: issues.states[key],
        to: to({ state: key === "open" ? undefined : key })
      }))
      const hidden = ["type", "state"].flatMap((name) => {
        const value = visit.query.get(name)
        return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
      })
      return {
        title: work[kind],
        body: html`<div class="title"><h1>${work[kind]}</h1><form class="filters push" role="search" aria-label="${issues.filter}" action="/${kind}">${hidden}<input type="search" name="q" aria-label="${issues.search}" placeholder="${issues.search}" value="${visit.query.get("q") ?? ""}" maxlength="255"><button class="button">${icon("search")}${issues.filter}</button></form></div>
${tabBar(visit, work[kind], filterTabs, filterIn(visit, kinds[kind]))}${tabBar(visit, issues.state, stateTabs, stateIn(visit))}
<section class="card" aria-label="${work[kind]}">${issueList(visit, found, kind === "issues" ? work.noIssues : work.noPulls)}</section>${pagination(visit, found.length === rowsPerPage)}`
      }
    }
  })

/** `/issues` and `/pulls`: the issues and pull requests of all repositories that the viewer is involved in. */
export const ownIssuePages = [listPage("issues"), listPage("pulls")]
