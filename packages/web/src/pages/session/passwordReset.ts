import { ServiceError } from "@slipway/client/forge"
import { formTo, problemSummary, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { type Html, html } from "../../html/Html.ts"
import { linkButton } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { passwordFields, passwordProblems } from "./signUp.ts"

const load = (visit: Visit): Promise<undefined> =>
  visit.signInWays.passwordReset ? Promise.resolve(undefined) : Promise.reject(new NotFound())

const titled = (title: string, body: Html) => ({
  title,
  body: html`<div class="narrow"><div class="title"><h1>${title}</h1></div>${body}</div>`
})

const isStatus = (error: unknown, status: number): boolean => error instanceof ServiceError && error.status === status

/**
 * `/user/forgot_password`: sends an email with a link to set a new password. The response is the same for unknown email
 * addresses.
 */
export const forgottenPasswordPage = page({
  path: "/user/forgot_password",
  operations: ["account.passwordReset.create"],
  load,
  view: (_, visit) => {
    const { session: t } = visit.texts
    if (visit.form.outcome === "sent")
      return titled(t.emailSent, html`<p role="status" tabindex="-1" data-focus>${t.emailSentHint}</p>`)
    return titled(
      t.forgottenTitle,
      html`${problemSummary(visit)}<p class="soft">${t.forgottenHint}</p>${formTo(
        visit,
        visit.url.pathname,
        html`${textField(visit, { name: "email", label: t.email, type: "email", required: true, autocomplete: "email", maxlength: 254 })}<p><button class="button primary">${t.sendEmail}</button></p>`
      )}`
    )
  },
  submit: async (visit): Promise<Submitted> => {
    const email = typed(visit.form, "email").trim()
    if (email === "") return { problems: { email: visit.texts.forms.required } }
    const asked = await visit.forge.account.passwordReset.create({ body: { email } }).result()
    if (asked.ok) return { outcome: "sent" }
    return isStatus(asked.error, 429)
      ? { problems: { "": visit.texts.session.emailSlowed }, status: 429 }
      : rejectedAt(asked.error)
  }
})

/** `/user/recover_account?code=`: sets a new password with the code from an email. */
export const recoverAccountPage = page({
  path: "/user/recover_account",
  operations: ["account.passwordReset.finish"],
  load,
  view: (_, visit) => {
    const { session: t } = visit.texts
    const { form, query } = visit
    if (form.outcome === "set")
      return titled(
        t.passwordSet,
        html`<p role="status" tabindex="-1" data-focus>${t.passwordSetHint}</p><p>${linkButton("/user/login", t.submit, undefined, "primary")}</p>`
      )
    const code = form.values.get("code") ?? query.get("code") ?? ""
    const again = form.problems[""] === t.codeInvalid
    return titled(
      t.recoverTitle,
      html`${problemSummary(visit)}${again && html`<p><a href="/user/forgot_password">${t.requestAnother}</a></p>`}<p class="soft">${t.recoverHint}</p>${formTo(
        visit,
        visit.url.pathname,
        html`<input type="hidden" name="code" value="${code}">${passwordFields(visit)}<p><button class="button primary">${t.setPassword}</button></p>`
      )}`
    )
  },
  submit: async (visit): Promise<Submitted> => {
    const problems = passwordProblems(visit)
    if (Object.keys(problems).length > 0) return { problems }
    const body = { code: typed(visit.form, "code"), password: typed(visit.form, "password") }
    const set = await visit.forge.account.passwordReset.finish({ body }).result()
    if (set.ok) return { outcome: "set" }
    const rejected = rejectedAt(set.error)
    return "problems" in rejected && rejected.problems.code !== undefined
      ? { problems: { "": visit.texts.session.codeInvalid }, status: 422 }
      : rejected
  }
})
