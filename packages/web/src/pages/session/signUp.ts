import { ServiceError } from "@slipway/client/forge"
import { formTo, problemSummary, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, linkButton } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, Redirect, type Submitted, type Visit } from "../../page/Page.ts"

const shortestPassword = 8

/** The account that the form has just created. */
class CreatedAccount {
  readonly account: {
    readonly login: string
    readonly email: string
    readonly active: boolean
    readonly confirmation_sent: boolean
  }
  constructor(account: CreatedAccount["account"]) {
    this.account = account
  }
}

const done = (visit: Visit, { account }: CreatedAccount): Html => {
  const { session: t } = visit.texts
  const { active, email, confirmation_sent: isSent, login } = account
  return html`<div class="narrow"><div class="title"><h1>${t.accountCreated}</h1></div>${card(
    login,
    html`<div class="body" role="status" tabindex="-1" data-focus>${!active && html`<p>${t.waitsForApproval}</p>`}${isSent && html`<p>${t.confirmAddress(email)}</p>`}${active && html`<p>${linkButton("/user/login", t.submit, undefined, "primary")}</p>`}</div>`
  )}</div>`
}

/** Returns the error messages of the fields for a new password, which must be typed twice. */
export const passwordProblems = ({ form, texts }: Visit): Readonly<Record<string, string>> => {
  const password = form.values.get("password") ?? ""
  if (password === "") return { password: texts.forms.required }
  if ([...password].length < shortestPassword) return { password: texts.session.tooShort(shortestPassword) }
  return password === (form.values.get("repeated") ?? "") ? {} : { repeated: texts.session.different }
}

/** Renders the fields for a new password. */
export const passwordFields = (visit: Visit): Html => {
  const { session: t } = visit.texts
  return html`${textField(visit, { name: "password", label: t.newPassword, hint: t.passwordHint(shortestPassword), type: "password", required: true, autocomplete: "new-password", maxlength: 256 })}
${textField(visit, { name: "repeated", label: t.repeatPassword, type: "password", required: true, autocomplete: "new-password", maxlength: 256 })}`
}

/** `/user/sign_up`: creates an account, if the site allows registration. */
export const signUpPage = page({
  path: "/user/sign_up",
  operations: ["account.create"],
  load: (visit) => {
    if (!visit.signInWays.registration) return Promise.reject(new NotFound())
    return visit.viewer === undefined ? Promise.resolve(undefined) : Promise.reject(new Redirect("/"))
  },
  view: (_, visit) => {
    const { layout, session: t } = visit.texts
    const { outcome } = visit.form
    return {
      title: t.signUpTitle,
      body:
        outcome instanceof CreatedAccount
          ? done(visit, outcome)
          : html`<div class="narrow"><div class="title"><h1>${t.signUpTitle}</h1></div>${problemSummary(visit)}${formTo(
              visit,
              "/user/sign_up",
              html`${textField(visit, { name: "username", label: t.username, hint: t.usernameHint, required: true, autocomplete: "username", maxlength: 40 })}
${textField(visit, { name: "email", label: t.email, type: "email", required: true, autocomplete: "email", maxlength: 254 })}
${passwordFields(visit)}
<p><button class="button primary">${t.createAccount}</button></p>`
            )}
<p class="small">${t.hasAccount} <a href="/user/login">${layout.signIn}</a></p></div>`
    }
  },
  submit: async (visit): Promise<Submitted> => {
    const { form, forge, texts } = visit
    const username = typed(form, "username").trim()
    const email = typed(form, "email").trim()
    const problems = {
      ...(username === "" ? { username: texts.forms.required } : {}),
      ...(email === "" ? { email: texts.forms.required } : {}),
      ...passwordProblems(visit)
    }
    if (Object.keys(problems).length > 0) return { problems }
    const body = { username, email, password: typed(form, "password") }
    const response = await forge.account.create({ body }).result()
    if (response.ok) return { outcome: new CreatedAccount(response.value) }
    const { error } = response
    if (error instanceof ServiceError && error.status === 429)
      return { problems: { "": texts.session.signUpSlowed }, status: 429 }
    return rejectedAt(error)
  }
})
