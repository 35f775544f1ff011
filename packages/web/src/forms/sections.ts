import { type Html, html, nothing } from "../html/Html.ts"
import type { BaseVisit } from "../page/BasePage.ts"
import { typed } from "../page/FormState.ts"
import { formTo, problemSummary } from "./fields.ts"

/** One form of a page with several forms. It is shown in a separate card. */
export interface FormSection<V extends BaseVisit = BaseVisit> {
  /** The value of the hidden field `do`, by which the page distinguishes its forms. */
  readonly key: string
  readonly title: string
  readonly hint?: string
  /** Renders the fields. The given visit (page request) contains only the typed values of this form. */
  readonly fields: (visit: V) => Html
  readonly button: string | Html
  readonly danger?: boolean
}

/**
 * Returns the visit (page request) with the typed values and messages of one form of the page. If another form was
 * submitted, it has none.
 */
export const forForm = <V extends BaseVisit>(visit: V, key: string): V =>
  typed(visit.form, "do") === key
    ? { ...visit, form: { ...visit.form, scope: key } }
    : {
        ...visit,
        form: { idempotencyKey: visit.form.idempotencyKey, values: new URLSearchParams(), problems: {}, scope: key }
      }

/** Renders the error messages that belong to none of the forms of a page. They are shown above all forms. */
export const otherProblems = (visit: BaseVisit, keys: ReadonlyArray<string>): Html =>
  keys.includes(typed(visit.form, "do")) ? nothing : problemSummary(visit)

/** Renders one form of a page with several forms, in a card. */
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

/**
 * Renders a form that consists of a button and hidden values. By convention, the first hidden value names the action.
 */
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

/**
 * Returns the error message if the typed confirmation differs from the required name, ignoring case. Returns
 * `undefined` if it is equal.
 */
export const typedNameProblem = ({ form, texts }: BaseVisit, field: string, name: string): string | undefined =>
  typed(form, field).trim().toLowerCase() === name.toLowerCase() ? undefined : texts.forms.typeName(name)
