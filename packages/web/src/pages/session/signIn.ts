import { ServiceError } from "@slipway/client/forge"
import { basic } from "../../forms/confirmation.ts"
import { formTo, problemSummary, textField } from "../../forms/fields.ts"
import { html } from "../../html/Html.ts"
import { typed } from "../../page/FormState.ts"
import { page, Redirect, type Visit } from "../../page/Page.ts"
import { cookieNames, makeFormSecret, setCookie } from "../../session/cookies.ts"
import { ownPath } from "../../session/ownPath.ts"

/** Returns the path to redirect to after the sign-in. It is always a path of this site. */
const target = ({ form, query }: Visit): string =>
  ownPath(form.values.get("redirect_to") ?? query.get("redirect_to") ?? query.get("next"), "/")

const wrongCode = "invalid one-time code"

const awaitsApproval = "This account waits for an administrator to activate it."
/** The error messages of the API for accounts with an unconfirmed email address and for disabled accounts. */
const unusable: ReadonlyArray<unknown> = [
  "This account is not activated.",
  "This account is prohibited from signing in, please contact your site administrator."
]

const messageIn = ({ body }: ServiceError): unknown => (body as { readonly message?: unknown } | undefined)?.message

/** `/user/login`: signs in with a password, and with a one-time code if the account requires it. */
export const signInPage = page({
  path: "/user/login",
  operations: ["account.session.create"],
  load: (visit) => {
    if (visit.viewer !== undefined) return Promise.reject(new Redirect(target(visit)))
    return Promise.resolve({
      to: target(visit),
      needsCode: typed(visit.form, "step") === "code" || visit.form.problems.code !== undefined
    })
  },
  view: ({ needsCode, to }, visit) => {
    const { texts } = visit
    const t = texts.session
    const { external, passwordReset, registration } = visit.signInWays
    return {
      title: t.title,
      body: html`<div class="narrow"><div class="title"><h1>${needsCode ? t.codeTitle : t.title}</h1></div>
${problemSummary(visit)}${needsCode && visit.form.problems.code === undefined && html`<p class="alert info" role="status">${t.codeWhy}</p>`}${to !== "/" && html`<p class="soft">${t.continueTo}</p>`}
${formTo(
  visit,
  "/user/login",
  html`<input type="hidden" name="redirect_to" value="${to}">
${textField(visit, { name: "user_name", label: t.name, required: true, autocomplete: "username", maxlength: 254 })}
${textField(visit, { name: "password", label: t.password, type: "password", required: true, autocomplete: "current-password" })}
${needsCode && html`<input type="hidden" name="step" value="code">${textField(visit, { name: "code", label: t.code, hint: t.codeHint, required: true, autocomplete: "one-time-code", maxlength: 64 })}`}
<p><button class="button primary">${t.submit}</button></p>`
)}
${passwordReset && html`<p class="small"><a href="/user/forgot_password">${t.forgotten}</a></p>`}
${registration && html`<p class="small">${t.noAccount} <a href="/user/sign_up">${t.createAccount}</a></p>`}
${external !== undefined && html`<p><a class="button" href="${`/user/login/outside?${new URLSearchParams({ next: "/user/settings/security" })}`}">${t.outside(external)}</a></p>`}</div>`
    }
  },
  submit: async (visit) => {
    const { form, forge, texts, url } = visit
    const code = typed(form, "code").trim()
    const authorization = basic(typed(form, "user_name"), typed(form, "password"))
    const headers = { authorization, ...(code === "" ? {} : { "x-gitea-otp": code }) }
    const response = await forge.account.session.create(undefined, { headers }).result()
    if (response.ok) {
      // Also a new secret: secrets of forms from before the sign-in are invalid after it.
      const secure = url.protocol === "https:"
      return { to: target(visit), cookies: [setCookie(cookieNames(secure).form, makeFormSecret(), secure)] }
    }
    const { error } = response
    if (!(error instanceof ServiceError)) throw error
    if (error.status === 429) return { problems: { "": texts.session.slowed }, status: 429 }
    if (error.status === 403 && messageIn(error) === awaitsApproval)
      return { problems: { "": texts.session.waitsForApproval }, status: 403 }
    if (error.status === 403 && unusable.includes(messageIn(error)))
      return { problems: { "": texts.session.notUsable }, status: 403 }
    if (error.status !== 401) throw error
    if (messageIn(error) !== wrongCode) return { problems: { password: texts.session.wrong }, status: 401 }
    if (code !== "") return { problems: { code: texts.session.wrongCode }, status: 401 }
    form.values.set("step", "code")
    return { problems: {}, status: 200 }
  }
})
