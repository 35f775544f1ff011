import { type Html, html, nothing } from "../html/Html.ts"
import type { BaseVisit } from "../page/BasePage.ts"

/** A field of a form. Its label is always visible; `hint` explains what to enter. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly type?: "text" | "password" | "email" | "url" | "number" | "date" | "search"
  /** The initial value; the typed value replaces it. */
  readonly value?: string
  readonly required?: boolean
  readonly autocomplete?: string
  readonly maxlength?: number
  /** Whether a number may have decimals. */
  readonly decimals?: boolean
}

/**
 * Returns the HTML id of a field. If a page has several forms, the id includes the form, because field names may
 * repeat.
 */
const idOf = ({ form: { scope } }: BaseVisit, name: string): string =>
  scope === undefined ? `field-${name}` : `field-${scope}-${name}`

const problemOf = ({ form }: BaseVisit, name: string): Html => {
  const problem = form.problems[name]
  return problem === undefined ? nothing : html`<p class="error" id="error-${name}">${problem}</p>`
}

const hintOf = (visit: BaseVisit, { hint, name }: Pick<Field, "hint" | "name">): Html =>
  hint === undefined ? nothing : html`<p class="hint" id="hint-${idOf(visit, name)}">${hint}</p>`

/** Renders the `aria-describedby` attribute of a field: the ids of its hint and its error message. */
const describedBy = (visit: BaseVisit, { hint, name }: Pick<Field, "hint" | "name">): Html => {
  const { form } = visit
  const ids = [
    ...(form.problems[name] === undefined ? [] : [`error-${name}`]),
    ...(hint === undefined ? [] : [`hint-${idOf(visit, name)}`])
  ]
  const invalid = form.problems[name] === undefined ? nothing : html` aria-invalid="true"`
  return ids.length === 0 ? invalid : html`${invalid} aria-describedby="${ids.join(" ")}"`
}

/** Renders a text field with its label, hint and error message. A typed password is never sent back to the browser. */
export const textField = (visit: BaseVisit, field: Field): Html => {
  const {
    autocomplete,
    decimals = false,
    label,
    maxlength = 255,
    name,
    required = false,
    type = "text",
    value = ""
  } = field
  const shown = type === "password" ? "" : (visit.form.values.get(name) ?? value)
  return html`<div class="field"><label for="${idOf(visit, name)}">${label}</label>
<input id="${idOf(visit, name)}" name="${name}" type="${type}" value="${shown}" maxlength="${maxlength}"${required && html` required`}${decimals && html` step="any"`}${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${describedBy(visit, field)}>
${hintOf(visit, field)}${problemOf(visit, name)}</div>`
}

/** A text field with several lines. */
export const textArea = (visit: BaseVisit, field: Field & { readonly rows?: number }): Html => {
  const { label, maxlength = 65_535, name, required = false, rows = 8, value = "" } = field
  // A browser drops the first line break after the tag.
  return html`<div class="field"><label for="${idOf(visit, name)}">${label}</label>
<textarea id="${idOf(visit, name)}" name="${name}" rows="${rows}" maxlength="${maxlength}"${required && html` required`}${describedBy(visit, field)}>
${visit.form.values.get(name) ?? value}</textarea>
${hintOf(visit, field)}${problemOf(visit, name)}</div>`
}

/** Renders a field to select one value. */
export const selectField = (
  visit: BaseVisit,
  field: Field & { readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }> }
): Html => {
  const chosen = visit.form.values.get(field.name) ?? field.value ?? ""
  return html`<div class="field"><label for="${idOf(visit, field.name)}">${field.label}</label>
<select id="${idOf(visit, field.name)}" name="${field.name}"${describedBy(visit, field)}>
${field.options.map(({ label, value }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)}
</select>${hintOf(visit, field)}${problemOf(visit, field.name)}</div>`
}

/** A checkbox with the value `on`. */
export const checkField = (visit: BaseVisit, field: Omit<Field, "value"> & { readonly checked?: boolean }): Html => {
  const sent = visit.form.values.size > 0
  const checked = sent ? visit.form.values.get(field.name) === "on" : field.checked === true
  return html`<div class="field check"><input type="checkbox" id="${idOf(visit, field.name)}" name="${field.name}" value="on"${checked && html` checked`}${describedBy(visit, field)}>
<label for="${idOf(visit, field.name)}">${field.label}</label>${hintOf(visit, field)}${problemOf(visit, field.name)}</div>`
}

/** Renders a group of checkboxes with one name. Each checked option is sent as a separate value. */
export const checkGroup = (
  visit: BaseVisit,
  field: Pick<Field, "name" | "label" | "hint"> & {
    readonly chosen?: ReadonlyArray<string>
    readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
  }
): Html => {
  const { chosen = [], label, name, options } = field
  const checked = visit.form.values.size > 0 ? visit.form.values.getAll(name) : chosen
  return html`<fieldset class="field group" id="${idOf(visit, name)}"${describedBy(visit, field)}><legend>${label}</legend>${hintOf(visit, field)}${options.map(
    (option, at) =>
      html`<div class="check"><input type="checkbox" id="${idOf(visit, name)}-${at}" name="${name}" value="${option.value}"${checked.includes(option.value) && html` checked`}>
<label for="${idOf(visit, name)}-${at}">${option.label}</label></div>`
  )}${problemOf(visit, name)}</fieldset>`
}

const namedProblem = (name: string, problem: string): string =>
  // Problems of the API begin in lower case and continue the name of their field; sentences stand alone.
  /^\p{Lu}/u.test(problem) ? problem : `${name.replaceAll("_", " ")}: ${problem}`

/** Renders the list of all error messages above a form. Each message links to its field. */
export const problemSummary = (visit: BaseVisit): Html => {
  const { form, texts } = visit
  const problems = Object.entries(form.problems)
  if (problems.length === 0) return nothing
  return html`<div class="alert bad" role="alert" tabindex="-1" data-focus><h2>${texts.forms.summary(problems.length)}</h2>
<ul>${problems.map(([name, problem]) => (name === "" ? html`<li>${problem}</li>` : html`<li><a href="#${idOf(visit, name)}">${namedProblem(name, problem)}</a></li>`))}</ul></div>`
}

/** Renders a form with hidden fields that prevent CSRF and repeated submission. `action` is a path of this site. */
export const formTo = (visit: BaseVisit, action: string, content: Html, className = "form"): Html =>
  html`<form method="post" action="${action}" class="${className}"><input type="hidden" name="form" value="${visit.csrf}"><input type="hidden" name="idempotency_key" value="${visit.form.idempotencyKey}">${content}</form>`

/** Renders a form that can upload files. */
export const uploadForm = (visit: BaseVisit, action: string, content: Html): Html =>
  html`<form method="post" action="${action}" class="form" enctype="multipart/form-data"><input type="hidden" name="form" value="${visit.csrf}"><input type="hidden" name="idempotency_key" value="${visit.form.idempotencyKey}">${content}</form>`

/** Renders a field for files. If the form is shown again after an error, the user must choose the files again. */
export const fileField = (visit: BaseVisit, field: Pick<Field, "hint" | "label" | "name" | "required">): Html =>
  html`<div class="field"><label for="${idOf(visit, field.name)}">${field.label}</label>
<input id="${idOf(visit, field.name)}" name="${field.name}" type="file" multiple${field.required === true && html` required`}${describedBy(visit, field)}>
${hintOf(visit, field)}${problemOf(visit, field.name)}</div>`

/** Renders a field to select several values. */
export const choicesField = (
  visit: BaseVisit,
  field: {
    readonly name: string
    readonly label: string
    readonly chosen: ReadonlyArray<string>
    readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
  }
): Html => {
  const sent = visit.form.values.getAll(field.name)
  const chosen = sent.length > 0 ? sent : field.chosen
  return html`<fieldset class="field"><legend>${field.label}</legend>${field.options.map(
    ({ label, value }, at) =>
      html`<div class="check"><input type="checkbox" id="${idOf(visit, field.name)}-${at}" name="${field.name}" value="${value}"${chosen.includes(value) && html` checked`}><label for="${idOf(visit, field.name)}-${at}">${label}</label></div>`
  )}${problemOf(visit, field.name)}</fieldset>`
}

/** Renders a form that consists of only a button. */
export const buttonTo = (visit: BaseVisit, action: string, label: string | Html, className = "button"): Html =>
  formTo(visit, action, html`<button class="${className}">${label}</button>`, "inline")
