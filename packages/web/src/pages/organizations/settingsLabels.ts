import type { Label } from "@slipway/client/forge"
import { checkField, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { withQuery } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { organizationOperations, orgIn } from "./organization.ts"
import { loadOrganizationSettings, organizationSettingsView } from "./organizationSettingsFrame.ts"

const row = (visit: Visit, label: Label): Html => {
  const { forms, ownerSettings: t, words } = visit.texts
  const id = String(label.id)
  return html`<li><div class="grow row"><h3>${label.name}</h3><svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" focusable="false"><circle cx="5" cy="5" r="5" fill="#${label.color.replace(/^#/, "")}"></circle></svg>${label.is_archived && html`<span class="badge warn">${words.archived}</span>`}<span class="small soft">${label.description}</span></div><span class="row"><a class="button" href="${withQuery(visit.url, { edit: id })}#edit">${t.edit}<span class="hidden-text"> ${label.name}</span></a>${actionButton(visit, { do: "delete", id }, forms.delete, { className: "button danger", about: label.name })}</span></li>`
}

const fields = (visit: Visit, label?: Label): Html => {
  const { issues, ownerSettings: t, words } = visit.texts
  return html`${textField(visit, { name: "name", label: words.name, value: label?.name ?? "", required: true, maxlength: 50 })}${textField(visit, { name: "color", label: issues.color, hint: issues.colorHint, value: `#${label?.color.replace(/^#/, "") ?? "0075ca"}`, required: true, maxlength: 7 })}${textField(visit, { name: "description", label: issues.description, value: label?.description ?? "" })}${checkField(visit, { name: "exclusive", label: t.exclusive, checked: label?.exclusive === true })}`
}

const editForm = (visit: Visit, label: Label): Html => {
  const { forms, ownerSettings: t } = visit.texts
  return html`${formSection(visit, {
    key: "edit",
    title: t.editLabel(label.name),
    fields: (own) =>
      html`<input type="hidden" name="id" value="${String(label.id)}">${fields(own, label)}${checkField(own, { name: "archived", label: t.archived, checked: label.is_archived })}`,
    button: forms.save
  })}<p>${linkButton(withQuery(visit.url, { edit: undefined }), forms.cancel)}</p>`
}

/** Returns the id of the label to edit, from the submitted form or from the URL. */
const editedId = ({ form, query }: Visit): string =>
  typed(form, "do") === "edit" ? typed(form, "id") : (query.get("edit") ?? "")

const save = async (visit: Visit, isNew: boolean): Promise<Submitted> => {
  const { forge, form, texts, url } = visit
  const name = typed(form, "name").trim()
  const color = typed(form, "color").trim()
  const problems = {
    ...(name === "" ? { name: texts.forms.required } : {}),
    ...(/^#?[0-9a-f]{6}$/i.test(color) ? {} : { color: texts.issues.colorWrong })
  }
  if (Object.keys(problems).length > 0) return { problems }
  const description = typed(form, "description").trim()
  const body = { name, color, description, exclusive: typed(form, "exclusive") === "on" }
  const params = orgIn(visit)
  const { label } = forge.organization
  const saved = isNew
    ? await label.create({ params, body }).result()
    : await label
        .edit({
          params: { ...params, id: typed(form, "id") },
          body: { ...body, is_archived: typed(form, "archived") === "on" }
        })
        .result()
  return saved.ok ? { to: url.pathname } : rejectedAt(saved.error)
}

/** `/org/{org}/settings/labels`: the labels that all repositories of an organization can use. */
export const organizationLabelsPage = page({
  path: "/org/:org/settings/labels",
  operations: [
    ...organizationOperations,
    "organization.label.list",
    "organization.label.read",
    "organization.label.create",
    "organization.label.edit",
    "organization.label.delete"
  ],
  signIn: true,
  load: async (visit) => {
    const settings = await loadOrganizationSettings(visit)
    const params = orgIn(visit)
    const { label } = visit.forge.organization
    const id = editedId(visit)
    const [labels, edited] = await Promise.all([
      label.list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } }),
      /^\d+$/.test(id) ? label.read({ params: { ...params, id } }) : undefined
    ])
    return { settings, labels, edited }
  },
  view: ({ edited, labels, settings }, visit) => {
    const { ownerSettings: t } = visit.texts
    const list =
      labels.length === 0 ? empty(t.noLabels) : html`<ul class="rows">${labels.map((label) => row(visit, label))}</ul>`
    const form =
      edited === undefined
        ? formSection(visit, { key: "add", title: t.addLabel, fields: (own) => fields(own), button: t.addLabel })
        : nothing
    return organizationSettingsView(
      visit,
      settings,
      "labels",
      html`${otherProblems(visit, ["add", "edit"])}${edited === undefined ? nothing : editForm(visit, edited)}<section class="card" aria-label="${t.tabs.labels}">${list}</section>${pagination(visit, labels.length === rowsPerPage)}${form}`
    )
  },
  submit: async (visit) => {
    const { forge, form, url } = visit
    switch (typed(form, "do")) {
      case "add":
        return save(visit, true)
      case "edit":
        return save(visit, false)
      case "delete":
        await forge.organization.label.delete({ params: { ...orgIn(visit), id: typed(form, "id") } })
        return { to: url.pathname }
      default:
        throw new NotFound()
    }
  }
})
