import type { Label } from "@slipway/client/forge"
import { formTo, problemSummary, textArea, textField } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"

const labelChoice = (visit: Visit, labels: ReadonlyArray<Label>): Html => {
  if (labels.length === 0) return nothing
  const chosen = visit.form.values.getAll("label")
  return html`<fieldset class="field"><legend>${visit.texts.issues.labels}</legend><div class="row">${labels.map(
    ({ id, name }) =>
      html`<span class="field check"><input type="checkbox" id="label-${id}" name="label" value="${id}"${chosen.includes(String(id)) && html` checked`}><label for="label-${id}">${name}</label></span>`
  )}</div></fieldset>`
}

/** `/{owner}/{repo}/issues/new`: opens an issue; `?title=` and `?body=` fill in the form. */
export const newIssuePage = page({
  path: "/:owner/:repo/issues/new",
  operations: ["repository.read", "label.list", "issue.create"],
  signIn: true,
  load: async (visit) => {
    const params = namedIn(visit)
    const [repository, labels] = await Promise.all([
      visit.forge.repository.read({ params }),
      visit.forge.label.list({ params, query: { limit: 50 } })
    ])
    return { repository, labels: repository.permissions.push ? labels.filter((label) => !label.is_archived) : [] }
  },
  view: ({ labels, repository }, visit) => {
    const { issues } = visit.texts
    return {
      title: `${issues.newIssue} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "issues", visit),
      body: html`<section class="card" aria-label="${issues.newIssue}"><header><h2>${issues.newIssue}</h2></header><div class="body">${problemSummary(visit)}${formTo(
        visit,
        visit.url.pathname,
        html`${textField(visit, { name: "title", label: issues.title, value: visit.query.get("title") ?? "", required: true })}
${textArea(visit, { name: "body", label: issues.comment, hint: issues.commentHint, value: visit.query.get("body") ?? "", rows: 12 })}
${labelChoice(visit, labels)}<button class="button primary">${issues.createIssue}</button>`
      )}</div></section>`
    }
  },
  submit: async (visit) => {
    const title = typed(visit.form, "title").trim()
    if (title === "") return { problems: { title: visit.texts.forms.required } }
    const labels = visit.form.values.getAll("label").map(Number).filter(Number.isSafeInteger)
    const { number: index } = await visit.forge.issue.create({
      params: namedIn(visit),
      body: { title, body: typed(visit.form, "body"), ...(labels.length === 0 ? {} : { labels }) }
    })
    return { to: `${repositoryPath(repositoryIn(visit))}/issues/${index}` }
  }
})
