import type { OAuth2Application } from "@slipway/client/forge"
import { checkField, textArea, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, copyField, empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Submitted, type Visit } from "../../page/Page.ts"
import { accountView } from "./frame.ts"

const here = "/user/settings/applications/oauth2"

/** A new OAuth2 application, with its secret, which is shown once. */
class NewApplication {
  readonly application: OAuth2Application
  constructor(application: OAuth2Application) {
    this.application = application
  }
}

const row = (visit: Visit, { client_id: client, id, name, redirect_uris: addresses }: OAuth2Application): Html =>
  html`<li><div class="grow"><h3>${name}</h3><div class="small soft"><code>${client}</code> · ${addresses.join(", ")}</div></div>${actionButton(visit, { do: "delete", id: String(id) }, visit.texts.forms.delete, { className: "button danger", about: name })}</li>`

const created = (visit: Visit): Html => {
  const { outcome } = visit.form
  if (!(outcome instanceof NewApplication)) return nothing
  const { account: t } = visit.texts
  const { client_id: client, client_secret: secret, name } = outcome.application
  return html`<section class="card" aria-label="${t.applicationCreated}" tabindex="-1" data-focus><header><h2>${t.applicationCreated}: ${name}</h2></header><div class="body"><p>${t.clientId}</p>${copyField(visit, t.clientId, client)}${secret !== "" && html`<p>${t.clientSecret}: ${t.generatedHint}</p>${copyField(visit, t.clientSecret, secret)}`}</div></section>`
}

const create = async (visit: Visit): Promise<Submitted> => {
  const { forge, form, texts } = visit
  const name = typed(form, "name").trim()
  const addresses = typed(form, "redirect_uris")
    .split("\n")
    .map((each) => each.trim())
    .filter((each) => each !== "")
  const problems = {
    ...(name === "" ? { name: texts.forms.required } : {}),
    ...(addresses.length === 0 ? { redirect_uris: texts.forms.required } : {})
  }
  if (Object.keys(problems).length > 0) return { problems }
  const body = { name, redirect_uris: addresses, confidential_client: typed(form, "confidential") === "on" }
  const response = await forge.account.oauth2Application.create({ body }).result()
  return response.ok
    ? { outcome: new NewApplication(response.value) }
    : rejectedAt(response.error, { "": "redirect_uris" })
}

/** `/user/settings/applications/oauth2`: the OAuth2 applications of the signed-in user. */
export const oauth2SettingsPage = page({
  path: "/user/settings/applications/oauth2",
  operations: [
    "account.oauth2Application.list",
    "account.oauth2Application.create",
    "account.oauth2Application.delete"
  ],
  signIn: true,
  load: async (visit) =>
    visit.forge.account.oauth2Application.list({ query: { page: pageNumber(visit), limit: rowsPerPage } }),
  view: (applications, visit) => {
    const { account: t } = visit.texts
    const list =
      applications.length === 0
        ? empty(t.noOauth2)
        : html`<ul class="rows">${applications.map((each) => row(visit, each))}</ul>`
    return accountView(
      visit,
      "applications",
      html`<p>${linkButton("/user/settings/applications", t.newToken, "key")}</p>${otherProblems(visit, ["create"])}${created(visit)}${card(t.oauth2, list)}${pagination(visit, applications.length === rowsPerPage)}
${formSection(visit, {
  key: "create",
  title: t.newApplication,
  hint: t.oauth2Hint,
  fields: (own) =>
    html`${textField(own, { name: "name", label: t.applicationName, required: true })}${textArea(own, { name: "redirect_uris", label: t.redirectUris, hint: t.redirectUrisHint, rows: 3, required: true, maxlength: 20_000 })}${checkField(own, { name: "confidential", label: t.confidential, checked: true })}`,
  button: t.createApplication
})}`
    )
  },
  submit: async (visit) => {
    if (typed(visit.form, "do") !== "delete") return create(visit)
    await visit.forge.account.oauth2Application.delete({ params: { id: typed(visit.form, "id") } })
    return { to: here }
  }
})
