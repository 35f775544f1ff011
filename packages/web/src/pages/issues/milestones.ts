import type { Milestone } from "@slipway/client/forge"
import { formTo, problemSummary, textArea, textField } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame, tabBar } from "../../layout/frames.ts"
import { repositoryPath, withQuery } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { milestoneRow, milestoneStateIn } from "./milestoneRow.ts"

const row = (visit: Visit, mayEdit: boolean, milestone: Milestone): Html => {
  const { issues } = visit.texts
  const { id, state, title } = milestone
  const [does, text] = state === "open" ? ["close", issues.closeMilestone] : ["reopen", issues.reopenMilestone]
  const change = mayEdit
    ? formTo(
        visit,
        visit.url.pathname,
        html`<input type="hidden" name="id" value="${id}"><button class="button" name="do" value="${does}">${text}<span class="hidden-text"> ${title}</span></button>`,
        "inline"
      )
    : nothing
  return milestoneRow(visit, milestone, repositoryPath(repositoryIn(visit)), nothing, change)
}

/** `/{owner}/{repo}/milestones`: the milestones of a repository with their progress. */
export const milestonesPage = page({
  path: "/:owner/:repo/milestones",
  operations: [...repositoryOperations, "milestone.list", "milestone.edit"],
  load: async (visit) => {
    const params = namedIn(visit)
    const query = { state: milestoneStateIn(visit), page: pageNumber(visit), limit: rowsPerPage }
    const [{ may, repository }, milestones] = await Promise.all([
      loadRepository(visit, { create: ["milestone.create", "repo"], edit: ["milestone.edit", "repo"] }),
      visit.forge.milestone.list({ params, query })
    ])
    return { repository, milestones, may }
  },
  view: ({ may, milestones, repository }, visit) => {
    const { issues } = visit.texts
    const base = repositoryPath(repositoryIn(visit))
    const create = may.create ? linkButton(`${base}/milestones/new`, issues.newMilestone, "plus", "primary") : nothing
    const tabs = [
      { key: "open", label: issues.states.open, to: withQuery(visit.url, { state: undefined, page: undefined }) },
      { key: "closed", label: issues.states.closed, to: withQuery(visit.url, { state: "closed", page: undefined }) }
    ]
    return {
      title: `${issues.milestones} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "issues", visit, may),
      body: html`<div class="title"><h2>${issues.milestones}</h2><span class="push row">${linkButton(`${base}/issues`, issues.issues, "issue-opened")}${linkButton(`${base}/labels`, issues.labels, "tag")}${create}</span></div>
${problemSummary(visit)}${tabBar(visit, issues.state, tabs, milestoneStateIn(visit))}
<section class="card" aria-label="${issues.milestones}">${milestones.length === 0 ? empty(issues.noMilestones, create) : html`<ul class="rows tall">${milestones.map((milestone) => row(visit, may.edit, milestone))}</ul>`}</section>
${pagination(visit, milestones.length === rowsPerPage)}`
    }
  },
  submit: async (visit) => {
    const state = typed(visit.form, "do") === "close" ? "closed" : "open"
    const params = { ...namedIn(visit), id: Number(typed(visit.form, "id")) }
    await visit.forge.milestone.edit({ params, body: { state } })
    return { to: visit.url.pathname }
  }
})

/** `/{owner}/{repo}/milestones/new`: creates a milestone. */
export const newMilestonePage = page({
  path: "/:owner/:repo/milestones/new",
  operations: [...repositoryOperations, "milestone.create"],
  signIn: true,
  load: (visit) => loadRepository(visit),
  view: ({ may, repository }, visit) => {
    const { issues } = visit.texts
    return {
      title: `${issues.newMilestone} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "issues", visit, may),
      body: html`<section class="card" aria-label="${issues.newMilestone}"><header><h2>${issues.newMilestone}</h2></header><div class="body">${problemSummary(visit)}${formTo(
        visit,
        visit.url.pathname,
        html`${textField(visit, { name: "title", label: issues.title, required: true })}
${textField(visit, { name: "due", label: issues.due, type: "date" })}
${textArea(visit, { name: "description", label: issues.description, rows: 5 })}
<button class="button primary">${issues.createMilestone}</button>`
      )}</div></section>`
    }
  },
  submit: async (visit) => {
    const { form, texts } = visit
    const title = typed(form, "title").trim()
    const due = typed(form, "due").trim()
    const isDate = due === "" || (/^\d{4}-\d\d-\d\d$/.test(due) && !Number.isNaN(Date.parse(due)))
    const problems = {
      ...(title === "" ? { title: texts.forms.required } : {}),
      ...(isDate ? {} : { due: texts.issues.dateWrong })
    }
    if (Object.keys(problems).length > 0) return { problems }
    await visit.forge.milestone.create({
      params: namedIn(visit),
      body: {
        title,
        description: typed(form, "description"),
        ...(due === "" ? {} : { due_on: `${due}T23:59:59Z` })
      }
    })
    return { to: `${repositoryPath(repositoryIn(visit))}/milestones` }
  }
})
