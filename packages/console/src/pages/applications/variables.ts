import type { EnvironmentVariable } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  checkField,
  empty,
  formSection,
  type Html,
  html,
  otherProblems,
  textArea,
  textField,
  typed
} from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"

const row = (visit: ConsoleVisit, variable: EnvironmentVariable, mayRemove: boolean): Html => {
  const { applications: t, forms } = visit.texts
  const { is_buildtime: isBuild, is_preview: isPreview, is_runtime: isRun, key, uuid, value } = variable
  const marks = [isBuild && t.buildTime, isRun && t.runTime, isPreview && t.preview].filter((each) => each !== false)
  return html`<li><div class="grow"><h3><code>${key}</code></h3><div class="small">${value === null ? html`<span class="soft">${t.hidden}</span>` : html`<code>${value}</code>`}</div><div class="small soft">${marks.join(" · ")}</div></div>${mayRemove && actionButton(visit, { do: "remove", variable: uuid }, forms.remove, { about: key })}</li>`
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/

/** Parses lines such as `KEY=value`; returns the variables, or the number of the first invalid line. */
export const variablesIn = (
  text: string
):
  | { readonly data: ReadonlyArray<{ readonly key: string; readonly value: string }> }
  | { readonly badLine: number } => {
  const data: Array<{ readonly key: string; readonly value: string }> = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue
    const [, key, value] = assignment.exec(line) ?? []
    if (key === undefined || value === undefined) return { badLine: index + 1 }
    data.push({ key, value })
  }
  return { data }
}

const fields = ["key", "value", "is_shown_once", "is_buildtime", "is_runtime", "is_preview"] as const

/** `/applications/{uuid}/variables`: lists, adds, changes and removes variables. */
export const variablesPage = page({
  path: "/applications/:application/variables",
  operations: [
    ...applicationOperations,
    "variables.list",
    "variables.create",
    "variables.bulk",
    "variables.remove",
    "people.check"
  ],
  load: async (visit) => {
    const params = applicationIn(visit)
    const [application, variables, may] = await Promise.all([
      loadApplication(visit),
      visit.deploy.variables.list({ params }),
      decisionsOn(visit, {
        update: ["application.update", params.uuid],
        remove: ["application.variable.delete", params.uuid]
      })
    ])
    return { application, variables, may }
  },
  view: ({ application, may, variables }, visit) => {
    const { applications: t } = visit.texts
    return {
      title: `${t.variables} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "variables"),
      body: html`${otherProblems(visit, ["add", "bulk"])}
${card(t.variables, html`${variables.length === 0 ? empty(t.noVariables) : html`<ul class="rows">${variables.map((each) => row(visit, each, may.remove))}</ul>`}<p class="body small soft">${t.variablesHint}</p>`)}
${
  may.update &&
  formSection(visit, {
    key: "add",
    title: t.addVariable,
    fields: (own) => html`${textField(own, { name: "key", label: t.key, required: true })}
${textField(own, { name: "value", label: t.value, maxlength: 65_535 })}
${checkField(own, { name: "is_shown_once", label: t.secret })}${checkField(own, { name: "is_buildtime", label: t.buildTime, checked: true })}${checkField(own, { name: "is_runtime", label: t.runTime, checked: true })}${checkField(own, { name: "is_preview", label: t.preview })}`,
    button: t.addVariable
  })
}
${
  may.update &&
  formSection(visit, {
    key: "bulk",
    title: t.bulkTitle,
    hint: t.bulkHint,
    fields: (own) =>
      textArea(own, {
        name: "text",
        label: t.variables,
        required: true,
        value: variables
          // The text sets values of the application, not those of previews.
          .flatMap(({ is_preview, key, value }) =>
            is_preview || value === null || value.includes("\n") ? [] : [`${key}=${value}`]
          )
          .join("\n")
      }),
    button: visit.texts.forms.save
  })
}`
    }
  },
  submit: async (visit) => {
    const params = applicationIn(visit)
    const { bulk, create, remove } = visit.deploy.variables
    const { form } = visit
    const isOn = (name: string) => typed(form, name) === "on"
    try {
      switch (typed(form, "do")) {
        case "remove":
          await remove({ params: { ...params, env_uuid: typed(form, "variable") } })
          break
        case "bulk": {
          const read = variablesIn(typed(form, "text"))
          if ("badLine" in read) return { problems: { text: visit.texts.applications.badLine(read.badLine) } }
          await bulk({ params, body: read })
          break
        }
        default:
          await create({
            params,
            body: {
              key: typed(form, "key"),
              value: typed(form, "value"),
              is_shown_once: isOn("is_shown_once"),
              is_buildtime: isOn("is_buildtime"),
              is_runtime: isOn("is_runtime"),
              is_preview: isOn("is_preview")
            }
          })
      }
      return { to: applicationPath(params.uuid, "variables") }
    } catch (error) {
      return rejectedForm(error, fields)
    }
  }
})
