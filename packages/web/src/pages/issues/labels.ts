import type { Label } from "@slipway/client/forge"
import { formTo, problemSummary, textField } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { labelChip } from "./issueParts.ts"

const labelsPerPage = 50

const newLabelForm = (visit: Visit): Html => {
  const { issues, words } = visit.texts
  const isOpen = Object.keys(visit.form.problems).length > 0
  return html`<details class="card new" id="new"${isOpen && html` open`}><summary class="body">${issues.newLabel}</summary><div class="body">${problemSummary(visit)}${formTo(
    visit,
    visit.url.pathname,
    html`${textField(visit, { name: "name", label: words.name, required: true, maxlength: 50 })}
${textField(visit, { name: "color", label: issues.color, hint: issues.colorHint, value: "#0075ca", required: true, maxlength: 7 })}
${textField(visit, { name: "description", label: issues.description })}
<button class="button primary">${issues.createLabel}</button>`
  )}</div></details>`
}

const row = (visit: Visit, label: Label): Html => {
  const { issues, words } = visit.texts
  const name = repositoryIn(visit)
  const query = String(new URLSearchParams({ labels: label.name }))
  return html`<li><div class="grow row">${labelChip(name, "issues", label)}${label.is_archived && html`<span class="badge warn">${words.archived}</span>`}<span class="small soft">${label.description}</span></div><span class="row small"><a href="${repositoryPath(name)}/pulls?${query}">${issues.pulls}<span class="hidden-text">: ${label.name}</span></a></span></li>`
}

/** `/{owner}/{repo}/labels`: the labels of a repository, with the form that creates one. */
export const labelsPage = page({
  path: "/:owner/:repo/labels",
  operations: [...repositoryOperations, "label.list", "label.create"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, labels] = await Promise.all([
      loadRepository(visit, { create: ["label.create", "repo"] }),
      visit.forge.label.list({ params, query: { page: pageNumber(visit), limit: labelsPerPage } })
    ])
    return { repository, labels, may }
  },
  view: ({ labels, may, repository }, visit) => {
    const { issues } = visit.texts
    const base = repositoryPath(repositoryIn(visit))
    return {
      title: `${issues.labels} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "issues", visit, may),
      body: html`<div class="title"><h2>${issues.labels}</h2><span class="push row">${linkButton(`${base}/issues`, issues.issues, "issue-opened")}${linkButton(`${base}/milestones`, issues.milestones, "milestone")}</span></div>
${may.create ? newLabelForm(visit) : nothing}
<section class="card" aria-label="${issues.labels}">${labels.length === 0 ? empty(issues.noLabelsYet) : html`<ul class="rows">${labels.map((label) => row(visit, label))}</ul>`}</section>
${pagination(visit, labels.length === labelsPerPage)}`
    }
  },
  submit: async (visit) => {
    const { form, texts, url } = visit
    const name = typed(form, "name").trim()
    const color = typed(form, "color").trim()
    const problems = {
      ...(name === "" ? { name: texts.forms.required } : {}),
      ...(/^#?[0-9a-f]{6}$/i.test(color) ? {} : { color: texts.issues.colorWrong })
    }
    if (Object.keys(problems).length > 0) return { problems }
    const description = typed(form, "description").trim()
    await visit.forge.label.create({ params: namedIn(visit), body: { name, color, description } })
    return { to: url.pathname }
  }
})
