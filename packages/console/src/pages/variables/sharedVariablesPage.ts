import type { SharedVariable, SharedVariableChange, SharedVariableCreation } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  checkField,
  empty,
  type Frame,
  formSection,
  formTo,
  type Html,
  html,
  otherProblems,
  type Submitted,
  textArea,
  textField,
  typed,
  withQuery
} from "@slipway/web/foundation"
import { type ConsolePage, type ConsoleVisit, type Operation, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { secretArea, typedOrNull, typedSecret, typedText } from "../../page/secretFields.ts"
import { type BadLine, type Changes, changesOf, textOf } from "./variableText.ts"

/** The owner of shared variables, as the page shows it. */
interface ShownOwner {
  /** The uuid for access checks; undefined for the team of the viewer. */
  readonly object?: string
  readonly title: string
  readonly frame?: Frame
  /** The heading of a page without a frame. */
  readonly heading?: Html
}

/** An owner of shared variables, such as a project: the path of its page, and the API calls. */
export interface VariableOwner {
  readonly path: `/${string}`
  /** The prefix of references, such as `project` in `{{project.NAME}}`. */
  readonly scope: SharedVariable["type"]
  /** The operations of the functions below. */
  readonly operations: ReadonlyArray<Operation>
  readonly load: (visit: ConsoleVisit) => Promise<ShownOwner>
  readonly list: (visit: ConsoleVisit) => Promise<ReadonlyArray<SharedVariable>>
  readonly create: (visit: ConsoleVisit, body: SharedVariableCreation) => Promise<unknown>
  readonly update: (visit: ConsoleVisit, env_id: string, body: SharedVariableChange) => Promise<unknown>
  readonly remove: (visit: ConsoleVisit, env_id: string) => Promise<unknown>
}

const fields = ["key", "value", "comment", "is_literal"] as const

interface Permissions {
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
}

const row = (visit: ConsoleVisit, scope: string, variable: SharedVariable, may: Permissions): Html => {
  const { applications, forms, variables: t, storages } = visit.texts
  const { comment, is_literal: isLiteral, key, uuid } = variable
  return html`<li><div class="grow"><h3><code>${key}</code></h3><div class="small"><code>{{${scope}.${key}}}</code> · <span class="soft">${applications.hidden}</span>${isLiteral && html` · ${t.literal}`}</div>${comment !== null && html`<div class="small soft">${comment}</div>`}</div>${may.update && html`<a class="button" href="${withQuery(visit.url, { edit: uuid })}#edit">${storages.edit}<span class="hidden-text"> ${key}</span></a>`}${may.delete && actionButton(visit, { do: "remove", variable: uuid }, forms.remove, { about: key })}</li>`
}

const variableFields = (visit: ConsoleVisit, variable: SharedVariable | undefined): Html => {
  const { applications, variables: t } = visit.texts
  const isStored = variable !== undefined
  return html`${textField(visit, { name: "key", label: applications.key, required: true, value: variable?.key ?? "" })}
${secretArea(visit, { name: "value", label: applications.value, isStored, maxlength: 100_000 })}
${textField(visit, { name: "comment", label: t.comment, value: variable?.comment ?? "" })}
${checkField(visit, { name: "is_literal", label: t.literal, hint: t.literalHint, checked: variable?.is_literal ?? false })}`
}

const badLine = ({ texts }: ConsoleVisit, { line, problem }: BadLine): Submitted => ({
  problems: { text: texts.variables.badLines[problem](line) }
})

const changesCard = (visit: ConsoleVisit, { added, changed, removed }: Changes): Html => {
  const { variables: t } = visit.texts
  const lines = (sign: string, tone: string, label: string, keys: ReadonlyArray<string>) =>
    keys.map(
      (key) =>
        html`<tr class="${tone}"><td class="sign">${sign}</td><td><code>${key}</code></td><td class="small">${label}</td></tr>`
    )
  const keysOf = (each: Changes["added"]) => each.map(({ key }) => key)
  if (added.length + changed.length + removed.length === 0)
    return html`<p class="alert info" role="status">${t.noChanges}</p>`
  return html`<section class="card" id="apply" aria-label="${t.changes}"><header><h2>${t.changes}</h2></header><table class="diff mono"><tbody>${lines("+", "add", t.added, keysOf(added))}${lines("~", "", t.changed, keysOf(changed))}${lines("-", "del", t.removed, removed)}</tbody></table><div class="body">${formTo(
    visit,
    visit.url.pathname,
    html`<input type="hidden" name="do" value="apply"><input type="hidden" name="text" value="${typedText(visit, "text")}">${removed.map((key) => html`<input type="hidden" name="removed" value="${key}">`)}<button class="button primary">${t.apply}</button>`
  )}</div></section>`
}

/** Returns the page of the shared variables of an owner: a list, a form for one variable, and all of them as a text. */
export const sharedVariablesPage = (owner: VariableOwner): ConsolePage => {
  const keyed = (visit: ConsoleVisit, variables: ReadonlyArray<SharedVariable>, key: string) => {
    const found = variables.find((each) => each.key === key)
    return found === undefined ? undefined : owner.remove(visit, found.uuid)
  }
  /** Applies a text: the preview must have shown each removal. */
  const apply = async (visit: ConsoleVisit): Promise<Submitted> => {
    const variables = await owner.list(visit)
    const changes = changesOf(typedText(visit, "text"), variables)
    if ("line" in changes) return badLine(visit, changes)
    const confirmed = visit.form.values.getAll("removed")
    for (const key of changes.removed.filter((each) => confirmed.includes(each))) await keyed(visit, variables, key)
    for (const { key, value } of changes.changed) {
      const { uuid = "" } = variables.find((each) => each.key === key) ?? {}
      await owner.update(visit, uuid, { value })
    }
    for (const { key, value } of changes.added) await owner.create(visit, { key, value })
    return { to: visit.url.pathname }
  }
  return page({
    path: owner.path,
    operations: [...owner.operations, "people.check"],
    load: async (visit) => {
      const [shown, variables] = await Promise.all([owner.load(visit), owner.list(visit)])
      const { object } = shown
      const about = (action: string) => (object === undefined ? ([action] as const) : ([action, object] as const))
      const may = await decisionsOn(visit, {
        create: about("sharedVariable.create"),
        update: about("sharedVariable.update"),
        delete: about("sharedVariable.delete")
      })
      const edited = visit.query.get("edit") ?? typed(visit.form, "variable")
      return { shown, variables, may, edited: variables.find(({ uuid }) => uuid === edited) }
    },
    view: ({ edited, may, shown, variables }, visit) => {
      const { applications, forms, variables: t } = visit.texts
      // BOUNDARY: only the preview of this page sets the outcome.
      const changes = visit.form.outcome as Changes | undefined
      return {
        title: `${t.title} · ${shown.title}`,
        frame: shown.frame,
        body: html`${shown.heading}${otherProblems(visit, ["add", "edit", "bulk"])}
${card(t.title, html`${variables.length === 0 ? empty(t.none) : html`<ul class="rows">${variables.map((each) => row(visit, owner.scope, each, may))}</ul>`}<p class="body small soft">${t.hint} <code>{{${owner.scope}.${variables[0]?.key ?? "NAME"}}}</code>. ${t.valuesHint}</p>`)}
${
  edited !== undefined &&
  may.update &&
  formSection(visit, {
    key: "edit",
    title: edited.key,
    fields: (own) => html`<input type="hidden" name="variable" value="${edited.uuid}">${variableFields(own, edited)}`,
    button: forms.save
  })
}
${may.create && formSection(visit, { key: "add", title: applications.addVariable, fields: (own) => variableFields(own, undefined), button: applications.addVariable })}
${
  may.create &&
  may.update &&
  may.delete &&
  html`${changes !== undefined && changesCard(visit, changes)}${formSection(visit, {
    key: "bulk",
    title: applications.bulkTitle,
    hint: t.bulkHint,
    fields: (own) => textArea(own, { name: "text", label: t.title, value: textOf(variables), maxlength: 1_000_000 }),
    button: t.preview
  })}`
}`
      }
    },
    submit: async (visit) => {
      const { form } = visit
      const described = () => ({
        key: typed(form, "key"),
        comment: typedOrNull(visit, "comment"),
        is_literal: typed(form, "is_literal") === "on"
      })
      try {
        switch (typed(form, "do")) {
          case "remove":
            await owner.remove(visit, typed(form, "variable"))
            break
          case "bulk": {
            const changes = changesOf(typedText(visit, "text"), await owner.list(visit))
            return "line" in changes ? badLine(visit, changes) : { outcome: changes }
          }
          case "apply":
            return await apply(visit)
          case "edit":
            await owner.update(visit, typed(form, "variable"), { ...described(), ...typedSecret(visit, "value") })
            break
          default:
            await owner.create(visit, { ...described(), value: typedText(visit, "value") })
        }
        return { to: visit.url.pathname }
      } catch (error) {
        return rejectedForm(error, fields)
      }
    }
  })
}
