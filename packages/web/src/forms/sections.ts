import { type Html, html, nothing } from "../html/Html.ts"
import type { BaseVisit } from "../page/BasePage.ts"
import { typed } from "../page/FormState.ts"
import { formTo, problemSummary } from "./fields.ts"

/** One of several forms of a page, in a separate card. */
export interface FormSection<V extends BaseVisit = BaseVisit> {
  /** The value of the hidden field `do`, by which `submit` recognizes the form. */
  readonly key: string
  readonly title: string
  readonly hint?: string
  /** The fields, for a visit that has the typed values of this form only. */
  readonly fields: (visit: V) => Html
  readonly button: string | Html
  readonly danger?: boolean
}

/** Returns the visit with the values and messages of one form of the page, and none if another form was sent. */
export const forForm = <V extends BaseVisit>(visit: V, key: string): V =>
  typed(visit.form, "do") === key
    ? { ...visit, form: { ...visit.form, scope: key } }
    : {
        ...visit,
        form: { idempotencyKey: visit.form.idempotencyKey, values: new URLSearchParams(), problems: {}, scope: key }
      }

/** Returns the messages above a page of several forms that belong to none of them. */
export const otherProblems = (visit: BaseVisit, keys: ReadonlyArray<string>): Html =>
  keys.includes(typed(visit.form, "do")) ? nothing : problemSummary(visit)

/** Returns one of several forms of a page, in a card. */
export const formSection = <V extends BaseVisit>(
  visit: V,
  { button, danger = false, fields, hint, key, title }: FormSection<V>
): Html => {
  const own = forForm(visit, key)
  return html`<section class="card" id="${key}" aria-label="${title}"><header><h2>${title}</h2></header><div class="body">${problemSummary(own)}${hint !== undefined && html`<p class="soft">${hint}</p>`}${formTo(
    own,
    visit.url.pathname,
    html`<input type="hidden" name="do" value="${key}">${fields(own)}
${typeof button === "string" ? html`<button class="button ${danger ? "danger" : "primary"}">${button}</button>` : button}`
  )}</div></section>`
}

/** Returns a form of one button with hidden values; the first one says what to do. */
export const actionButton = (
  visit: BaseVisit,
  values: Readonly<Record<string, string>>,
  label: string,
  { className = "button", about }: { readonly className?: string; readonly about?: string } = {}
): Html =>
  formTo(
    visit,
    visit.url.pathname,
    html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="${className}">${label}${about !== undefined && html`<span class="hidden-text"> ${about}</span>`}</button>`,
    "inline"
  )

/** Returns the message for a name that was not typed as it must be; `undefined` if it was. */
export const typedNameProblem = ({ form, texts }: BaseVisit, field: string, name: string): string | undefined =>
  typed(form, field).trim().toLowerCase() === name.toLowerCase() ? undefined : texts.forms.typeName(name)
