import type { RepositoryActivity } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { card, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame, tabBar } from "../../layout/frames.ts"
import { number } from "../../layout/time.ts"
import { repositoryPath, withQuery } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { activityList, feedLinks } from "./activityList.ts"

const periods = ["daily", "halfweekly", "weekly", "monthly", "quarterly", "semiyearly", "yearly"] as const

const periodIn = ({ query }: Visit): (typeof periods)[number] =>
  periods.find((each) => each === query.get("period")) ?? "weekly"

/** Renders the numbers of a period. Omits numbers of units (such as issues) that the viewer may not read. */
const numbers = (visit: Visit, counts: RepositoryActivity): Html => {
  const { activity: texts } = visit.texts
  const { commits, issues, pull_requests: pulls, releases } = counts
  const all: ReadonlyArray<readonly [label: string, value: number | undefined]> = [
    [texts.commits, commits ?? undefined],
    [texts.issuesOpened, issues?.opened],
    [texts.issuesClosed, issues?.closed],
    [texts.pullsOpened, pulls?.opened],
    [texts.pullsMerged, pulls?.merged],
    [texts.pullsClosed, pulls?.closed],
    [texts.releases, releases ?? undefined]
  ]
  return html`<table class="data"><thead><tr><th scope="col">${texts.event}</th><th scope="col">${texts.count}</th></tr></thead><tbody>${all.flatMap(
    ([label, value]) =>
      value === undefined ? [] : [html`<tr><th scope="row">${label}</th><td>${number(visit, value)}</td></tr>`]
  )}</tbody></table>`
}

/** `/{owner}/{repo}/activity`: the activity numbers of a period, and the latest activities. */
export const repositoryActivityPage = page({
  path: "/:owner/:repo/activity",
  operations: [...repositoryOperations, "repository.activity.read", "repository.feed.list"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, counts, activities] = await Promise.all([
      loadRepository(visit),
      visit.forge.repository.activity.read({ params, query: { period: periodIn(visit) } }),
      visit.forge.repository.feed.list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } })
    ])
    return { repository, may, counts, activities }
  },
  view: ({ activities, counts, may, repository }, visit) => {
    const { activity: texts } = visit.texts
    const base = repositoryPath(repositoryIn(visit))
    const tabs = periods.map((key) => ({
      key,
      label: texts.periods[key],
      to: withQuery(visit.url, { period: key === "weekly" ? undefined : key, page: undefined })
    }))
    return {
      title: `${texts.title} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "activity", visit, may),
      feeds: base,
      body: html`<div class="title"><h2>${texts.title}</h2><span class="push row">${feedLinks(visit, base)}</span></div>${tabBar(visit, texts.period, tabs, periodIn(visit))}
${card(texts.numbers, numbers(visit, counts))}${card(texts.latest, activityList(visit, activities))}${pagination(visit, activities.length === rowsPerPage)}`
    }
  }
})
