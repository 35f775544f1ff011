import type { GPGKey, PublicKey } from "@slipway/client/forge"
import { textArea, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { accountView } from "./frame.ts"

const here = "/user/settings/keys"

const sshRow = (visit: Visit, key: PublicKey): Html => {
  const { account: t, forms } = visit.texts
  return html`<li><div class="grow"><h3>${key.title}</h3><div class="small soft"><code>${key.fingerprint}</code> · ${t.created} ${time(visit, key.created_at)}</div></div>${actionButton(visit, { do: "delete-ssh", id: String(key.id) }, forms.delete, { className: "button danger", about: key.title })}</li>`
}

const gpgRow = (visit: Visit, key: GPGKey): Html => {
  const { account: t, forms } = visit.texts
  return html`<li><div class="grow"><h3>${t.keyId} <code>${key.key_id}</code></h3><div class="small soft">${key.emails.map(({ email }) => email).join(", ")}</div></div><span class="${key.verified ? "badge ok" : "badge"}">${key.verified ? t.verified : t.unverified}</span>${actionButton(visit, { do: "delete-gpg", id: String(key.id) }, forms.delete, { className: "button danger", about: key.key_id })}</li>`
}

const addSsh = async (visit: Visit): Promise<Submitted> => {
  const { forge, form, texts } = visit
  const title = typed(form, "title").trim()
  const key = typed(form, "key").trim()
  const problems = {
    ...(title === "" ? { title: texts.forms.required } : {}),
    ...(key === "" ? { key: texts.forms.required } : {})
  }
  if (Object.keys(problems).length > 0) return { problems }
  const response = await forge.account.key.create({ body: { title, key } }).result()
  return response.ok ? { to: here } : rejectedAt(response.error, { "": "key" })
}

const addGpg = async (visit: Visit): Promise<Submitted> => {
  const { forge, form, texts } = visit
  const key = typed(form, "armored").trim()
  if (key === "") return { problems: { armored: texts.forms.required } }
  const response = await forge.account.gpgKey.create({ body: { armored_public_key: key } }).result()
  return response.ok ? { to: here } : rejectedAt(response.error, { armored_public_key: "armored", "": "armored" })
}

/** `/user/settings/keys`: the SSH and GPG keys of the signed-in user. */
export const keysSettingsPage = page({
  path: "/user/settings/keys",
  operations: [
    "account.key.list",
    "account.key.create",
    "account.key.delete",
    "account.gpgKey.list",
    "account.gpgKey.create",
    "account.gpgKey.delete"
  ],
  signIn: true,
  load: async ({ forge }) => {
    const query = { limit: 50 }
    const [ssh, gpg] = await Promise.all([forge.account.key.list({ query }), forge.account.gpgKey.list({ query })])
    return { ssh, gpg }
  },
  view: ({ gpg, ssh }, visit) => {
    const { account: t } = visit.texts
    const rows = (list: ReadonlyArray<Html>, none: string) =>
      list.length === 0 ? empty(none) : html`<ul class="rows">${list}</ul>`
    const sshRows = rows(
      ssh.map((key) => sshRow(visit, key)),
      t.noKeys
    )
    const gpgRows = rows(
      gpg.map((key) => gpgRow(visit, key)),
      t.noGpgKeys
    )
    return accountView(
      visit,
      "keys",
      html`${otherProblems(visit, ["ssh", "gpg"])}${card(t.sshKeys, sshRows)}${formSection(visit, {
        key: "ssh",
        title: t.addKey,
        fields: (own) =>
          html`${textField(own, { name: "title", label: t.keyTitle, required: true })}${textArea(own, { name: "key", label: t.key, hint: t.keyHint, rows: 4, required: true, maxlength: 16_384 })}`,
        button: t.addKey
      })}${card(t.gpgKeys, gpgRows)}${formSection(visit, {
        key: "gpg",
        title: t.addGpgKey,
        fields: (own) => textArea(own, { name: "armored", label: t.gpgKey, hint: t.gpgHint, rows: 6, required: true }),
        button: t.addGpgKey
      })}`
    )
  },
  submit: async (visit) => {
    const { forge, form } = visit
    const params = { id: typed(form, "id") }
    switch (typed(form, "do")) {
      case "ssh":
        return addSsh(visit)
      case "gpg":
        return addGpg(visit)
      case "delete-ssh":
        await forge.account.key.delete({ params })
        return { to: here }
      case "delete-gpg":
        await forge.account.gpgKey.delete({ params })
        return { to: here }
      default:
        throw new NotFound()
    }
  }
})
