import type { ActionVariable } from "@slipway/client/forge"
import { problemSummary, textArea, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { withQuery } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { runnerRow } from "../automation/runnerRow.ts"
import { organizationOperations, orgIn } from "./organization.ts"
import { loadOrganizationSettings, organizationSettingsView } from "./organizationSettingsFrame.ts"

const listQuery = (visit: Visit) => ({
  params: orgIn(visit),
  query: { page: pageNumber(visit), limit: rowsPerPage }
})

const listCard = (visit: Visit, label: string, rows: ReadonlyArray<Html>, none: string): Html =>
  html`<section class="card" aria-label="${label}">${rows.length === 0 ? empty(none) : html`<ul class="rows">${rows}</ul>`}</section>${pagination(visit, rows.length === rowsPerPage)}`

const nameField = (visit: Visit): Html => {
  const { ownerSettings: t, words } = visit.texts
  return textField(visit, { name: "name", label: words.name, hint: t.nameHint, required: true })
}

/** `/org/{org}/settings/actions/secrets`: the names of an organization's secrets. */
export const organizationSecretsPage = page({
  path: "/org/:org/settings/actions/secrets",
  operations: [
    ...organizationOperations,
    "organization.actions.secret.list",
    "organization.actions.secret.set",
    "organization.actions.secret.delete"
  ],
  signIn: true,
  load: async (visit) => ({
    settings: await loadOrganizationSettings(visit),
    secrets: await visit.forge.organization.actions.secret.list(listQuery(visit))
  }),
  view: ({ secrets, settings }, visit) => {
    const { forms, issues, ownerSettings: t } = visit.texts
    const rows = secrets.map(
      ({ created_at, description, name }) =>
        html`<li><div class="grow"><h3><code>${name}</code></h3><div class="small soft">${description !== "" && html`${description} · `}${t.updated} ${time(visit, created_at)}</div></div>${actionButton(visit, { do: "delete", name }, forms.delete, { className: "button danger", about: name })}</li>`
    )
    return organizationSettingsView(
      visit,
      settings,
      "secrets",
      html`${otherProblems(visit, ["set"])}<p class="soft">${t.secretsHint}</p>${listCard(visit, t.tabs.secrets, rows, t.noSecrets)}${formSection(
        visit,
        {
          key: "set",
          title: t.setSecret,
          hint: t.setSecretHint,
          fields: (own) =>
            html`${nameField(own)}${textArea(own, { name: "data", label: t.value, rows: 4, required: true })}${textField(own, { name: "description", label: issues.description })}`,
          button: t.setSecret
        }
      )}`
    )
  },
  submit: async (visit): Promise<Submitted> => {
    const { forge, form, texts, url } = visit
    const name = typed(form, "name").trim()
    const params = { ...orgIn(visit), secretname: name }
    const { secret } = forge.organization.actions
    const does = typed(form, "do")
    if (does !== "delete" && does !== "set") throw new NotFound()
    if (name === "") return { problems: { name: texts.forms.required } }
    if (does === "delete") {
      await secret.delete({ params })
      return { to: url.pathname }
    }
    const data = typed(form, "data")
    if (data === "") return { problems: { data: texts.forms.required } }
    const set = await secret.set({ params, body: { data, description: typed(form, "description").trim() } }).result()
    return set.ok ? { to: url.pathname } : rejectedAt(set.error, { secretname: "name", "": "name" })
  }
})

const variableRow = (visit: Visit, { data, description, name }: ActionVariable): Html => {
  const { forms, ownerSettings: t } = visit.texts
  const shown = data.length > 200 ? `${data.slice(0, 200)}…` : data
  return html`<li><div class="grow"><h3><code>${name}</code></h3><code>${shown}</code>${description !== "" && html`<div class="small soft">${description}</div>`}</div><span class="row"><a class="button" href="${withQuery(visit.url, { edit: name })}#edit">${t.edit}<span class="hidden-text"> ${name}</span></a>${actionButton(visit, { do: "delete", name }, forms.delete, { className: "button danger", about: name })}</span></li>`
}

const variableForm = (visit: Visit, edited: ActionVariable | undefined): Html => {
  const { forms, issues, ownerSettings: t } = visit.texts
  const values = (own: Visit) =>
    html`${textArea(own, { name: "value", label: t.value, rows: 4, value: edited?.data ?? "", required: true })}${textField(own, { name: "description", label: issues.description, value: edited?.description ?? "" })}`
  if (edited === undefined)
    return formSection(visit, {
      key: "add",
      title: t.addVariable,
      fields: (own) => html`${nameField(own)}${values(own)}`,
      button: t.addVariable
    })
  return html`${formSection(visit, {
    key: "edit",
    title: t.editVariable(edited.name),
    fields: (own) => html`<input type="hidden" name="name" value="${edited.name}">${values(own)}`,
    button: forms.save
  })}<p>${linkButton(withQuery(visit.url, { edit: undefined }), forms.cancel)}</p>`
}

/** `/org/{org}/settings/actions/variables`: the variables of an organization. */
export const organizationVariablesPage = page({
  path: "/org/:org/settings/actions/variables",
  operations: [
    ...organizationOperations,
    "organization.actions.variable.list",
    "organization.actions.variable.read",
    "organization.actions.variable.create",
    "organization.actions.variable.set",
    "organization.actions.variable.delete"
  ],
  signIn: true,
  load: async (visit) => {
    const settings = await loadOrganizationSettings(visit)
    const { form, query } = visit
    const name = typed(form, "do") === "edit" ? typed(form, "name") : (query.get("edit") ?? "")
    const { variable } = visit.forge.organization.actions
    const [variables, edited] = await Promise.all([
      variable.list(listQuery(visit)),
      name === "" ? undefined : variable.read({ params: { ...orgIn(visit), variablename: name } })
    ])
    return { settings, variables, edited }
  },
  view: ({ edited, settings, variables }, visit) => {
    const { ownerSettings: t } = visit.texts
    const rows = variables.map((variable) => variableRow(visit, variable))
    return organizationSettingsView(
      visit,
      settings,
      "variables",
      html`${otherProblems(visit, ["add", "edit"])}<p class="soft">${t.variablesHint}</p>${listCard(visit, t.tabs.variables, rows, t.noVariables)}${variableForm(visit, edited)}`
    )
  },
  submit: async (visit): Promise<Submitted> => {
    const { forge, form, texts, url } = visit
    const name = typed(form, "name").trim()
    const params = { ...orgIn(visit), variablename: name }
    const { variable } = forge.organization.actions
    const does = typed(form, "do")
    if (does !== "add" && does !== "delete" && does !== "edit") throw new NotFound()
    if (name === "") return { problems: { name: texts.forms.required } }
    if (does === "delete") {
      await variable.delete({ params })
      return { to: url.pathname }
    }
    const value = typed(form, "value")
    if (value === "") return { problems: { value: texts.forms.required } }
    const sent = { params, body: { value, description: typed(form, "description").trim() } }
    const saved = await (does === "add" ? variable.create(sent) : variable.set(sent)).result()
    return saved.ok ? { to: url.pathname } : rejectedAt(saved.error, { variablename: "name", "": "name" })
  }
})

/** `/org/{org}/settings/actions/runners`: the runners of an organization. */
export const organizationRunnersPage = page({
  path: "/org/:org/settings/actions/runners",
  operations: [
    ...organizationOperations,
    "organization.actions.runner.list",
    "organization.actions.runner.registrationToken.create",
    "organization.actions.runner.edit",
    "organization.actions.runner.delete"
  ],
  signIn: true,
  load: async (visit) => ({
    settings: await loadOrganizationSettings(visit),
    runners: await visit.forge.organization.actions.runner.list(listQuery(visit))
  }),
  view: ({ runners, settings }, visit) => {
    const { admin, ownerSettings: t } = visit.texts
    const { outcome } = visit.form
    const token =
      typeof outcome === "string" &&
      card(
        admin.registrationToken,
        html`<div class="body" tabindex="-1" data-focus><p>${admin.registrationHint}</p><pre class="message" tabindex="0">${outcome}</pre></div>`
      )
    const rows = runners.map((runner) => runnerRow(visit, runner))
    return organizationSettingsView(
      visit,
      settings,
      "runners",
      html`${problemSummary(visit)}${token}<p class="soft">${t.runnersHint}</p><p>${actionButton(visit, { do: "register" }, admin.newRunner)}</p>${listCard(visit, t.tabs.runners, rows, t.noRunners)}`
    )
  },
  submit: async (visit) => {
    const { runner } = visit.forge.organization.actions
    const params = orgIn(visit)
    const one = { ...params, runner_id: typed(visit.form, "id") }
    const does = typed(visit.form, "do")
    if (does === "register") return { outcome: (await runner.registrationToken.create({ params })).token }
    if (does === "enable" || does === "disable")
      await runner.edit({ params: one, body: { disabled: does === "disable" } })
    else if (does === "delete") await runner.delete({ params: one })
    else throw new NotFound()
    return { to: visit.url.pathname }
  }
})
