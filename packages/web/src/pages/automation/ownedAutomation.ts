import type {
  ActionRunner,
  ActionVariable,
  CreateOrUpdateSecretOption,
  CreateVariableOption,
  Secret
} from "@slipway/client/forge"
import type { Operation } from "../../forge/ForgeCaller.ts"
import { problemSummary, textArea, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { withQuery } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, type Page, page, type Submitted, type View, type Visit } from "../../page/Page.ts"
import { runnerRow } from "./runnerRow.ts"

interface ListQuery {
  readonly query: { readonly page: number; readonly limit: number }
}

type Saved = { readonly ok: true } | { readonly ok: false; readonly error: unknown }

/** The API operations on the secrets of one owner. */
export interface SecretCalls {
  readonly list: (listed: ListQuery) => PromiseLike<ReadonlyArray<Secret>>
  readonly set: (name: string, body: CreateOrUpdateSecretOption) => PromiseLike<Saved>
  readonly delete: (name: string) => PromiseLike<unknown>
}

/** The API operations on the variables of one owner. */
export interface VariableCalls {
  readonly list: (listed: ListQuery) => PromiseLike<ReadonlyArray<ActionVariable>>
  readonly read: (name: string) => PromiseLike<ActionVariable>
  readonly create: (name: string, body: CreateVariableOption) => PromiseLike<Saved>
  readonly set: (name: string, body: CreateVariableOption) => PromiseLike<Saved>
  readonly delete: (name: string) => PromiseLike<unknown>
}

/** The API operations on the runners of one owner. */
export interface RunnerCalls {
  readonly list: (listed: ListQuery) => PromiseLike<ReadonlyArray<ActionRunner>>
  readonly register: () => PromiseLike<{ readonly token: string }>
  readonly edit: (id: string, disabled: boolean) => PromiseLike<unknown>
  readonly delete: (id: string) => PromiseLike<unknown>
}

/** The keys of the tabs in the workflow settings. */
export type AutomationTab = "runners" | "secrets" | "variables"

/** The prefixes of the names of API operations on workflow settings. */
type OwnerKind = "account" | "organization" | "repository"

/** An owner of secrets, variables and runners: a repository, an organization or the signed-in user. */
export interface AutomationOwner<Loaded, Kind extends OwnerKind = OwnerKind> {
  /** The prefix of the names of the API operations. */
  readonly operations: Kind
  /** The path of the pages, without the name of the tab. */
  readonly path: `/${string}`
  /** The operations that `load` uses. */
  readonly uses: ReadonlyArray<Operation>
  /**
   * Loads the data of the heading and tabs. Throws the error of the forge if the viewer may not change the settings.
   */
  readonly load: (visit: Visit) => Promise<Loaded>
  readonly view: (visit: Visit, loaded: Loaded, tab: AutomationTab, body: Html) => View
  /** The sentence above each list. */
  readonly hint: (visit: Visit, tab: AutomationTab) => string
}

const listed = (visit: Visit): ListQuery => ({ query: { page: pageNumber(visit), limit: rowsPerPage } })

const listCard = (visit: Visit, label: string, rows: ReadonlyArray<Html>, none: string): Html =>
  html`<section class="card" aria-label="${label}">${rows.length === 0 ? empty(none) : html`<ul class="rows">${rows}</ul>`}</section>${pagination(visit, rows.length === rowsPerPage)}`

const nameField = (visit: Visit): Html => {
  const { ownerSettings: t, words } = visit.texts
  return textField(visit, { name: "name", label: words.name, hint: t.nameHint, required: true })
}

/** Makes the page that lists the names of the secrets of an owner. */
export const secretsPage = <Loaded>(
  owner: AutomationOwner<Loaded, "organization" | "repository"> & { readonly secrets: (visit: Visit) => SecretCalls }
): Page =>
  page({
    path: `${owner.path}/secrets`,
    operations: [
      ...owner.uses,
      `${owner.operations}.actions.secret.list`,
      `${owner.operations}.actions.secret.set`,
      `${owner.operations}.actions.secret.delete`
    ],
    signIn: true,
    load: async (visit) => ({
      settings: await owner.load(visit),
      secrets: await owner.secrets(visit).list(listed(visit))
    }),
    view: ({ secrets, settings }, visit) => {
      const { forms, issues, ownerSettings: t } = visit.texts
      const rows = secrets.map(
        ({ created_at, description, name }) =>
          html`<li><div class="grow"><strong><code>${name}</code></strong><div class="small soft">${description !== "" && html`${description} · `}${t.updated} ${time(visit, created_at)}</div></div>${actionButton(visit, { do: "delete", name }, forms.delete, { className: "button danger", about: name })}</li>`
      )
      return owner.view(
        visit,
        settings,
        "secrets",
        html`${otherProblems(visit, ["set"])}<p class="soft">${owner.hint(visit, "secrets")}</p>${listCard(visit, t.tabs.secrets, rows, t.noSecrets)}${formSection(
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
      const { form, texts, url } = visit
      const name = typed(form, "name").trim()
      const calls = owner.secrets(visit)
      const does = typed(form, "do")
      if (does !== "delete" && does !== "set") throw new NotFound()
      if (name === "") return { problems: { name: texts.forms.required } }
      if (does === "delete") {
        await calls.delete(name)
        return { to: url.pathname }
      }
      const data = typed(form, "data")
      if (data === "") return { problems: { data: texts.forms.required } }
      const set = await calls.set(name, { data, description: typed(form, "description").trim() })
      return set.ok ? { to: url.pathname } : rejectedAt(set.error, { secretname: "name", "": "name" })
    }
  })

const variableRow = (visit: Visit, { data, description, name }: ActionVariable): Html => {
  const { forms, ownerSettings: t } = visit.texts
  const shown = data.length > 200 ? `${data.slice(0, 200)}…` : data
  return html`<li><div class="grow"><strong><code>${name}</code></strong><code>${shown}</code>${description !== "" && html`<div class="small soft">${description}</div>`}</div><span class="row"><a class="button" href="${withQuery(visit.url, { edit: name })}#edit">${t.edit}<span class="hidden-text"> ${name}</span></a>${actionButton(visit, { do: "delete", name }, forms.delete, { className: "button danger", about: name })}</span></li>`
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

/** Makes the page with the variables of an owner. */
export const variablesPage = <Loaded>(
  owner: AutomationOwner<Loaded> & { readonly variables: (visit: Visit) => VariableCalls }
): Page =>
  page({
    path: `${owner.path}/variables`,
    operations: [
      ...owner.uses,
      `${owner.operations}.actions.variable.list`,
      `${owner.operations}.actions.variable.read`,
      `${owner.operations}.actions.variable.create`,
      `${owner.operations}.actions.variable.set`,
      `${owner.operations}.actions.variable.delete`
    ],
    signIn: true,
    load: async (visit) => {
      const settings = await owner.load(visit)
      const { form, query } = visit
      const name = typed(form, "do") === "edit" ? typed(form, "name") : (query.get("edit") ?? "")
      const calls = owner.variables(visit)
      const [variables, edited] = await Promise.all([
        calls.list(listed(visit)),
        name === "" ? undefined : calls.read(name)
      ])
      return { settings, variables, edited }
    },
    view: ({ edited, settings, variables }, visit) => {
      const { ownerSettings: t } = visit.texts
      const rows = variables.map((variable) => variableRow(visit, variable))
      return owner.view(
        visit,
        settings,
        "variables",
        html`${otherProblems(visit, ["add", "edit"])}<p class="soft">${owner.hint(visit, "variables")}</p>${listCard(visit, t.tabs.variables, rows, t.noVariables)}${variableForm(visit, edited)}`
      )
    },
    submit: async (visit): Promise<Submitted> => {
      const { form, texts, url } = visit
      const name = typed(form, "name").trim()
      const calls = owner.variables(visit)
      const does = typed(form, "do")
      if (does !== "add" && does !== "delete" && does !== "edit") throw new NotFound()
      if (name === "") return { problems: { name: texts.forms.required } }
      if (does === "delete") {
        await calls.delete(name)
        return { to: url.pathname }
      }
      const value = typed(form, "value")
      if (value === "") return { problems: { value: texts.forms.required } }
      const body = { value, description: typed(form, "description").trim() }
      const saved = await (does === "add" ? calls.create(name, body) : calls.set(name, body))
      return saved.ok ? { to: url.pathname } : rejectedAt(saved.error, { variablename: "name", "": "name" })
    }
  })

/** Makes the page with the runners of an owner. */
export const runnersPage = <Loaded>(
  owner: AutomationOwner<Loaded> & { readonly runners: (visit: Visit) => RunnerCalls }
): Page =>
  page({
    path: `${owner.path}/runners`,
    operations: [
      ...owner.uses,
      `${owner.operations}.actions.runner.list`,
      `${owner.operations}.actions.runner.registrationToken.create`,
      `${owner.operations}.actions.runner.edit`,
      `${owner.operations}.actions.runner.delete`
    ],
    signIn: true,
    load: async (visit) => ({
      settings: await owner.load(visit),
      runners: await owner.runners(visit).list(listed(visit))
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
      return owner.view(
        visit,
        settings,
        "runners",
        html`${problemSummary(visit)}${token}<p class="soft">${owner.hint(visit, "runners")}</p><p>${actionButton(visit, { do: "register" }, admin.newRunner)}</p>${listCard(visit, t.tabs.runners, rows, t.noRunners)}`
      )
    },
    submit: async (visit) => {
      const calls = owner.runners(visit)
      const id = typed(visit.form, "id")
      const does = typed(visit.form, "do")
      if (does === "register") return { outcome: (await calls.register()).token }
      if (does === "enable" || does === "disable") await calls.edit(id, does === "disable")
      else if (does === "delete") await calls.delete(id)
      else throw new NotFound()
      return { to: visit.url.pathname }
    }
  })
