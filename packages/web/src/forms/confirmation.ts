import { ServiceError } from "@slipway/client/forge"
import { type Html, html } from "../html/Html.ts"
import { typed } from "../page/FormState.ts"
import type { Submitted, Visit } from "../page/Page.ts"
import { textField } from "./fields.ts"
import { rejectedAt } from "./formProblems.ts"

const wrongCode = "invalid one-time code"

/**
 * Renders the fields for the password and one-time code with which a signed-in user confirms a change. `key`
 * distinguishes the forms of a page.
 */
export const confirmationFields = (
  visit: Visit,
  key: string,
  label: string = visit.texts.account.currentPassword
): Html => {
  const { account: t } = visit.texts
  return html`${textField(visit, { name: `current-${key}`, label, type: "password", autocomplete: "current-password" })}
${textField(visit, { name: `code-${key}`, label: t.oneTimeCode, hint: t.oneTimeCodeHint, autocomplete: "one-time-code", maxlength: 64 })}`
}

/** Returns the value of the `Authorization` header for basic authentication. */
export const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`, "utf8").toString("base64")}`

/**
 * Returns the headers that confirm an API request with the typed password and one-time code. They are options of an API
 * call.
 */
export const confirmationIn = ({ form, viewer }: Visit, key: string) => {
  const password = form.values.get(`current-${key}`) ?? ""
  const code = typed(form, `code-${key}`).trim()
  return {
    headers: {
      ...(password === "" ? {} : { authorization: basic(viewer?.login ?? "", password) }),
      ...(code === "" ? {} : { "x-gitea-otp": code })
    }
  }
}

/**
 * Converts a failed confirmation or a rejected value to error messages at the fields of the form. Throws every other
 * error.
 */
export const confirmationProblems = (
  { form, texts }: Visit,
  key: string,
  error: unknown,
  fields: Readonly<Record<string, string>> = {}
): Submitted => {
  if (!(error instanceof ServiceError)) throw error
  if (error.status === 429) return { problems: { "": texts.session.slowed }, status: 429 }
  if (error.status !== 401) return rejectedAt(error, fields)
  const { message } = (error.body ?? {}) as { readonly message?: unknown }
  if (message === wrongCode)
    return {
      problems: {
        [`code-${key}`]: typed(form, `code-${key}`) === "" ? texts.forms.required : texts.session.wrongCode
      }
    }
  return { problems: { [`current-${key}`]: texts.account.wrongPassword } }
}
