import { html } from "../../html/Html.ts"
import { empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { tabBar } from "../../layout/frames.ts"
import { repositoryPath, withQuery } from "../../layout/urls.ts"
import { page } from "../../page/Page.ts"
import { milestoneRow, milestoneStateIn } from "../issues/milestoneRow.ts"

/**
 * `/milestones`: the milestones of all repositories that the viewer owns or has been granted access to, sorted by due
 * date.
 */
export const ownMilestonesPage = page({
  path: "/milestones",
  operations: ["account.milestone.list"],
  signIn: true,
  load: async (visit) =>
    await visit.forge.account.milestone.list({
      query: { state: milestoneStateIn(visit), page: pageNumber(visit), limit: rowsPerPage }
    }),
  view: (found, visit) => {
    const { issues, work } = visit.texts
    const tabs = (["open", "closed"] as const).map((key) => ({
      key,
      label: issues.states[key],
      to: withQuery(visit.url, { page: undefined, state: key === "open" ? undefined : key })
    }))
    return {
      title: work.milestones,
      body: html`<div class="title"><h1>${work.milestones}</h1></div>${tabBar(visit, issues.state, tabs, milestoneStateIn(visit))}
<section class="card" aria-label="${work.milestones}"><h2 class="hidden-text">${issues.milestones}</h2>${
        found.length === 0
          ? empty(work.noMilestones)
          : html`<ul class="rows tall">${found.map((milestone) => {
              const { full_name: fullName, name, owner } = milestone.repository
              const base = repositoryPath({ owner, name })
              return milestoneRow(visit, milestone, base, html`<a href="${base}/milestones">${fullName}</a>`)
            })}</ul>`
      }</section>${pagination(visit, found.length === rowsPerPage)}`
    }
  }
})
