import type { DeployKey } from "@slipway/client/forge"
import { checkField, textArea, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import { loadSettings, settingsOperations, settingsView } from "./settings.ts"

const row = (visit: Visit, key: DeployKey): Html => {
  const { forms, settings: t } = visit.texts
  return html`<li><div class="grow"><h3>${key.title}</h3><div class="small soft"><code>${key.fingerprint}</code> · ${t.added} ${time(visit, key.created_at)}</div></div><span class="badge">${key.read_only ? t.readOnly : t.readWrite}</span>${actionButton(visit, { do: "delete", id: String(key.id) }, forms.delete, { className: "button danger", about: key.title })}</li>`
}

/** `/{owner}/{repo}/settings/keys`: the deploy keys (SSH keys with access to one repository). */
export const keySettingsPage = page({
  path: "/:owner/:repo/settings/keys",
  operations: [...settingsOperations, "repository.key.list", "repository.key.create", "repository.key.delete"],
  signIn: true,
  load: async (visit) => ({
    repository: await loadSettings(visit),
    keys: await visit.forge.repository.key.list({
      params: namedIn(visit),
      query: { page: pageNumber(visit), limit: rowsPerPage }
    })
  }),
  view: ({ keys, repository }, visit) => {
    const { settings: t } = visit.texts
    const list = keys.length === 0 ? empty(t.noKeys) : html`<ul class="rows">${keys.map((key) => row(visit, key))}</ul>`
    const body = html`${otherProblems(visit, ["add"])}${card(t.keys, list)}${pagination(visit, keys.length === rowsPerPage)}
${formSection(visit, {
  key: "add",
  title: t.addKey,
  fields: (own) =>
    html`${textField(own, { name: "title", label: t.keyTitle, required: true })}${textArea(own, { name: "key", label: t.key, hint: t.keyHint, rows: 4, required: true, maxlength: 16_384 })}${checkField(own, { name: "write", label: t.keyWrite })}`,
  button: t.addKey
})}`
    return settingsView(visit, repository, "keys", t.keys, body)
  },
  submit: async (visit) => {
    const { forge, form, texts, url } = visit
    if (typed(form, "do") === "delete") {
      await forge.repository.key.delete({ params: { ...namedIn(visit), id: Number(typed(form, "id")) } })
      return { to: url.pathname }
    }
    const title = typed(form, "title").trim()
    const key = typed(form, "key").trim()
    const problems = {
      ...(title === "" ? { title: texts.forms.required } : {}),
      ...(key === "" ? { key: texts.forms.required } : {})
    }
    if (Object.keys(problems).length > 0) return { problems }
    const body = { title, key, read_only: typed(form, "write") !== "on" }
    const response = await forge.repository.key.create({ params: namedIn(visit), body }).result()
    return response.ok ? { to: url.pathname } : rejectedAt(response.error, { "": "key" })
  }
})
