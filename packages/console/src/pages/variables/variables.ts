import type { EnvironmentVariable } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  checkField,
  empty,
  type Frame,
  formSection,
  type Html,
  html,
  otherProblems,
  textArea,
  textField,
  typed
} from "@slipway/web/foundation"
import { applicationFrame, serviceFrame } from "../../layout/frames.ts"
import { type ConsolePage, type ConsoleVisit, type Operation, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "../applications/loadApplication.ts"
import { loadService, serviceIn, serviceOperations } from "../services/loadService.ts"
import { type BadLine, changesBy, type TypedVariable, type VariableChange, variablesIn } from "./variableText.ts"

const row = (visit: ConsoleVisit, variable: EnvironmentVariable, mayRemove: boolean): Html => {
  const { applications: t, forms } = visit.texts
  const { is_buildtime: isBuild, is_preview: isPreview, is_runtime: isRun, key, uuid, value } = variable
  const marks = [isBuild && t.buildTime, isRun && t.runTime, isPreview && t.preview].filter((each) => each !== false)
  return html`<li><div class="grow"><h3><code>${key}</code></h3><div class="small">${value === null ? html`<span class="soft">${t.hidden}</span>` : html`<code>${value}</code>`}</div><div class="small soft">${marks.join(" · ")}</div></div>${mayRemove && actionButton(visit, { do: "remove", variable: uuid }, forms.remove, { about: key })}</li>`
}

/** Shows the changes that the typed text would make, as a list. */
const changeList = (visit: ConsoleVisit, changes: ReadonlyArray<VariableChange>): Html => {
  const { applications: t } = visit.texts
  const row = ({ before, key, value }: VariableChange) =>
    html`<li><span class="badge ${before === undefined ? "ok" : "warn"}">${before === undefined ? t.added : t.changes}</span><div class="grow"><h3><code>${key}</code></h3><div class="small">${before !== undefined && html`<del><code>${before ?? t.hidden}</code></del> `}<ins><code>${value}</code></ins></div></div></li>`
  return html`<div role="status"><h3>${t.previewOfChanges}</h3>${changes.length === 0 ? html`<p class="soft">${t.noChanges}</p>` : html`<ul class="rows">${changes.map(row)}</ul>`}</div>`
}

const fields = ["key", "value", "is_shown_once", "is_buildtime", "is_runtime", "is_preview"] as const

type Bulk = { readonly data: ReadonlyArray<TypedVariable> }
type Creation = Parameters<ConsoleVisit["deploy"]["variables"]["create"]>[0]["body"]

/** A resource with variables, as its page needs it. */
interface Named {
  readonly name: string | null
  readonly uuid: string
}

/** The variables of one type of resources. */
interface Variables<Resource extends Named> {
  readonly path: `/${string}`
  readonly operations: ReadonlyArray<Operation>
  readonly uuid: (visit: ConsoleVisit) => string
  readonly load: (visit: ConsoleVisit) => Promise<Resource>
  readonly frame: (visit: ConsoleVisit, resource: Resource) => Frame
  readonly list: (visit: ConsoleVisit) => PromiseLike<ReadonlyArray<EnvironmentVariable>>
  readonly create: (visit: ConsoleVisit, body: Creation) => PromiseLike<unknown>
  readonly bulk: (visit: ConsoleVisit, body: Bulk) => PromiseLike<unknown>
  readonly remove: (visit: ConsoleVisit, variable: string) => PromiseLike<unknown>
  /** The actions on the resource that decide which buttons are shown. */
  readonly actions: { readonly update: string; readonly remove: string }
  /** Whether variables have a separate value for previews of pull requests. */
  readonly hasPreviews: boolean
}

const addForm = (visit: ConsoleVisit, hasPreviews: boolean): Html => {
  const { applications: t } = visit.texts
  return formSection(visit, {
    key: "add",
    title: t.addVariable,
    fields: (own) => html`${textField(own, { name: "key", label: t.key, required: true })}
${textField(own, { name: "value", label: t.value, maxlength: 65_535 })}
${checkField(own, { name: "is_shown_once", label: t.secret })}${checkField(own, { name: "is_buildtime", label: t.buildTime, checked: true })}${checkField(own, { name: "is_runtime", label: t.runTime, checked: true })}${hasPreviews && checkField(own, { name: "is_preview", label: t.preview })}`,
    button: t.addVariable
  })
}

const bulkForm = (visit: ConsoleVisit, variables: ReadonlyArray<EnvironmentVariable>): Html => {
  const { applications: t, forms } = visit.texts
  return formSection(visit, {
    key: "bulk",
    title: t.bulkTitle,
    hint: t.bulkHint,
    fields: (own) => {
      const read = own.form.outcome === "preview" ? variablesIn(typed(own.form, "text")) : undefined
      const area = textArea(own, {
        name: "text",
        label: t.variables,
        required: true,
        value: variables
          // The text sets values of the resource, not those of previews.
          .flatMap(({ is_preview, key, value }) =>
            is_preview || value === null || value.includes("\n") ? [] : [`${key}=${value}`]
          )
          .join("\n")
      })
      return html`${area}${read !== undefined && !("problem" in read) && changeList(visit, changesBy(variables, read))}`
    },
    button: html`<div class="row"><button class="button primary">${forms.save}</button><button class="button" name="preview" value="on">${t.previewChanges}</button></div>`
  })
}

const badLine = ({ texts }: ConsoleVisit, { line, problem }: BadLine): string =>
  problem === "form" ? texts.applications.badLine(line) : texts.variables.badLines[problem](line)

const variablesPageOf = <Resource extends Named>(of: Variables<Resource>): ConsolePage =>
  page({
    path: `${of.path}/variables`,
    operations: of.operations,
    load: async (visit) => {
      const { remove, update } = of.actions
      const uuid = of.uuid(visit)
      const [resource, variables, may] = await Promise.all([
        of.load(visit),
        of.list(visit),
        decisionsOn(visit, { update: [update, uuid], remove: [remove, uuid] })
      ])
      return { resource, variables, may }
    },
    view: ({ may, resource, variables }, visit) => {
      const { applications: t } = visit.texts
      return {
        title: `${t.variables} · ${resource.name ?? resource.uuid}`,
        frame: of.frame(visit, resource),
        body: html`${otherProblems(visit, ["add", "bulk"])}
${card(t.variables, html`${variables.length === 0 ? empty(t.noVariables) : html`<ul class="rows">${variables.map((each) => row(visit, each, may.remove))}</ul>`}<p class="body small soft">${t.variablesHint}</p>`)}
${may.update && addForm(visit, of.hasPreviews)}
${may.update && bulkForm(visit, variables)}`
      }
    },
    submit: async (visit) => {
      const { form } = visit
      const isOn = (name: string) => typed(form, name) === "on"
      try {
        switch (typed(form, "do")) {
          case "remove":
            await of.remove(visit, typed(form, "variable"))
            break
          case "bulk": {
            const read = variablesIn(typed(form, "text"))
            if ("problem" in read) return { problems: { text: badLine(visit, read) } }
            if (isOn("preview")) return { outcome: "preview" }
            await of.bulk(visit, { data: read })
            break
          }
          default:
            await of.create(visit, {
              key: typed(form, "key"),
              value: typed(form, "value"),
              is_shown_once: isOn("is_shown_once"),
              is_buildtime: isOn("is_buildtime"),
              is_runtime: isOn("is_runtime"),
              is_preview: isOn("is_preview")
            })
        }
        return { to: visit.url.pathname }
      } catch (error) {
        return rejectedForm(error, fields)
      }
    }
  })

/** `/applications/{uuid}/variables`: lists, adds, changes and removes variables of an application. */
const applicationVariablesPage = variablesPageOf({
  path: "/applications/:application",
  operations: [...applicationOperations, "variables.list", "variables.create", "variables.bulk", "variables.remove"],
  actions: { update: "application.update", remove: "application.variable.delete" },
  uuid: (visit) => applicationIn(visit).uuid,
  load: loadApplication,
  frame: (visit, application) => applicationFrame(visit, application, "variables"),
  list: (visit) => visit.deploy.variables.list({ params: applicationIn(visit) }),
  create: (visit, body) => visit.deploy.variables.create({ params: applicationIn(visit), body }),
  bulk: (visit, body) => visit.deploy.variables.bulk({ params: applicationIn(visit), body }),
  remove: (visit, env_uuid) => visit.deploy.variables.remove({ params: { ...applicationIn(visit), env_uuid } }),
  hasPreviews: true
})

/** `/services/{uuid}/variables`: lists, adds, changes and removes variables of a service. */
const serviceVariablesPage = variablesPageOf({
  path: "/services/:service",
  operations: [
    ...serviceOperations,
    "serviceSettings.listVariables",
    "serviceSettings.createVariable",
    "serviceSettings.setVariables",
    "serviceSettings.removeVariable"
  ],
  actions: { update: "service.update", remove: "service.variable.delete" },
  uuid: (visit) => serviceIn(visit).uuid,
  load: loadService,
  frame: (visit, service) => serviceFrame(visit, service, "variables"),
  list: (visit) => visit.deploy.serviceSettings.listVariables({ params: serviceIn(visit) }),
  create: (visit, body) => visit.deploy.serviceSettings.createVariable({ params: serviceIn(visit), body }),
  bulk: (visit, body) => visit.deploy.serviceSettings.setVariables({ params: serviceIn(visit), body }),
  remove: (visit, env_uuid) =>
    visit.deploy.serviceSettings.removeVariable({ params: { ...serviceIn(visit), env_uuid } }),
  hasPreviews: false
})

/** All console pages of variables. */
export const variablePages: ReadonlyArray<ConsolePage> = [applicationVariablesPage, serviceVariablesPage]
