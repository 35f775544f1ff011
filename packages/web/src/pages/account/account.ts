import type { Email } from "@slipway/client/forge"
import { basic, confirmationFields, confirmationIn, confirmationProblems } from "../../forms/confirmation.ts"
import { checkField, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { card } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { accountView } from "./frame.ts"

const here = "/user/settings/account"

const row = (visit: Visit, { email, primary, verified }: Email): Html => {
  const { account: t, forms } = visit.texts
  return html`<li><div class="grow">${email}</div>${primary && html`<span class="badge info">${t.primary}</span>`}<span class="${verified ? "badge ok" : "badge warn"}">${verified ? t.verified : t.unverified}</span>${!primary && actionButton(visit, { do: "remove", address: email }, forms.remove, { className: "button danger", about: email })}</li>`
}

const changePassword = async (visit: Visit): Promise<Submitted> => {
  const { forge, form, texts, viewer } = visit
  const password = typed(form, "new_password")
  if (password === "") return { problems: { new_password: texts.forms.required } }
  if (typed(form, "repeated") !== password) return { problems: { repeated: texts.account.differs } }
  const body = { password, end_sessions: true, end_tokens: typed(form, "end_tokens") === "on" }
  const changed = await forge.account.password.set({ body }, confirmationIn(visit, "password")).result()
  if (!changed.ok)
    return confirmationProblems(visit, "password", changed.error, { password: "new_password", "": "new_password" })
  // The session of this browser ended too. With a second factor a new one needs a new code.
  const headers = { authorization: basic(viewer?.login ?? "", password) }
  const begun = await forge.account.session.create(undefined, { headers }).result()
  return { to: begun.ok ? here : "/user/login" }
}

const addEmail = async (visit: Visit): Promise<Submitted> => {
  const email = typed(visit.form, "email").trim()
  if (email === "") return { problems: { email: visit.texts.forms.required } }
  const added = await visit.forge.account.email.add({ body: { emails: [email] } }).result()
  if (added.ok) return { to: here }
  return rejectedAt(added.error, { emails: "email", "emails.0": "email", "": "email" })
}

/** `/user/settings/account`: email addresses and the password. */
export const accountSettingsPage = page({
  path: "/user/settings/account",
  operations: [
    "account.email.list",
    "account.email.add",
    "account.email.remove",
    "account.password.set",
    "account.session.create"
  ],
  signIn: true,
  load: async (visit) => visit.forge.account.email.list(),
  view: (emails, visit) => {
    const { account: t } = visit.texts
    return accountView(
      visit,
      "account",
      html`${otherProblems(visit, ["email", "password"])}${card(t.emails, html`<ul class="rows">${emails.map((each) => row(visit, each))}</ul>`)}
${formSection(visit, {
  key: "email",
  title: t.addEmail,
  fields: (own) =>
    textField(own, {
      name: "email",
      label: t.email,
      type: "email",
      required: true,
      maxlength: 254,
      autocomplete: "email"
    }),
  button: t.addEmail
})}${formSection(visit, {
  key: "password",
  title: t.changePassword,
  hint: t.passwordHint,
  fields: (own) =>
    html`${textField(own, { name: "new_password", label: t.newPassword, type: "password", required: true, autocomplete: "new-password" })}${textField(own, { name: "repeated", label: t.repeatPassword, type: "password", required: true, autocomplete: "new-password" })}${checkField(own, { name: "end_tokens", label: t.endTokens })}${confirmationFields(own, "password")}`,
  button: t.changePassword
})}`
    )
  },
  submit: async (visit) => {
    switch (typed(visit.form, "do")) {
      case "email":
        return addEmail(visit)
      case "remove":
        await visit.forge.account.email.remove({ body: { emails: [typed(visit.form, "address")] } })
        return { to: here }
      case "password":
        return changePassword(visit)
      default:
        throw new NotFound()
    }
  }
})
