import type { IssueConfig, IssueTemplate } from "@slipway/client/forge"
import { selectField, textArea, textField } from "../../forms/fields.ts"
import { type Html, html, nothing, safeHref } from "../../html/Html.ts"
import { card, linkButton } from "../../layout/components.ts"
import type { Problems } from "../../page/FormState.ts"
import { typed } from "../../page/FormState.ts"
import type { Visit } from "../../page/Page.ts"

type Field = IssueTemplate["body"][number]

const textIn = (attributes: Field["attributes"], name: string): string => {
  const value = attributes[name]
  return typeof value === "string" ? value : ""
}

/** Returns the labels of the options of a form field. Options of checkboxes are objects, other options are texts. */
const optionsOf = ({ attributes: { options } }: Field): ReadonlyArray<string> =>
  Array.isArray(options)
    ? options.flatMap((each: unknown) => {
        if (typeof each === "string") return [each]
        const { label } = (each ?? {}) as { readonly label?: unknown }
        return typeof label === "string" ? [label] : []
      })
    : []

const nameOf = (field: Field, at: number): string => `template-${field.id === "" ? at : field.id}`

const isRequired = ({ validations }: Field): boolean => validations.required === true

const isShown = ({ visible }: Field): boolean => visible.length === 0 || visible.includes("form")

/**
 * Renders the list of issue templates with their descriptions and the contact links. Adds a link for a blank issue if
 * the repository allows it.
 */
export const templateList = (visit: Visit, templates: ReadonlyArray<IssueTemplate>, config: IssueConfig): Html => {
  const { editing } = visit.texts
  const to = (template: string) => `${visit.url.pathname}?${String(new URLSearchParams({ template }))}`
  const links = config.contact_links.flatMap(({ about, name, url }) => {
    const href = safeHref(url)
    return href === undefined
      ? []
      : [
          html`<li><div class="grow"><h3>${name}</h3><span class="soft small">${about}</span></div>${linkButton(href, editing.link)}</li>`
        ]
  })
  return card(
    editing.templates,
    html`<ul class="rows">${templates.map(({ about, file_name: file, name }) => html`<li><div class="grow"><h3>${name}</h3><span class="soft small">${about}</span></div><a class="button primary" href="${to(file)}">${editing.useTemplate}<span class="hidden-text"> ${name}</span></a></li>`)}${links}${config.blank_issues_enabled ? html`<li><div class="grow"></div>${linkButton(to("blank"), editing.blank)}</li>` : nothing}</ul>`
  )
}

const fieldView = (visit: Visit, field: Field, at: number): Html => {
  const { attributes, type } = field
  const common = {
    name: nameOf(field, at),
    label: textIn(attributes, "label"),
    required: isRequired(field),
    ...(textIn(attributes, "description") === "" ? {} : { hint: textIn(attributes, "description") })
  }
  const value = textIn(attributes, "value")
  if (type === "textarea") return textArea(visit, { ...common, value, rows: 6 })
  if (type === "input") return textField(visit, { ...common, value })
  if (type === "dropdown")
    return selectField(visit, {
      ...common,
      options: [
        ...(common.required ? [] : [{ value: "", label: "" }]),
        ...optionsOf(field).map((each) => ({ value: each, label: each }))
      ]
    })
  if (type === "checkboxes")
    return html`<fieldset class="field"><legend>${common.label}</legend>${optionsOf(field).map((label, index) => html`<div class="check"><input type="checkbox" id="${common.name}-${index}" name="${common.name}" value="${index}"${visit.form.values.getAll(common.name).includes(String(index)) && html` checked`}><label for="${common.name}-${index}">${label}</label></div>`)}</fieldset>`
  return html`<p>${value}</p>`
}

/** Renders the fields of an issue form, as its template declares them. */
export const templateFields = (visit: Visit, { body }: IssueTemplate): Html =>
  html`${body.map((field, at) => (isShown(field) ? fieldView(visit, field, at) : nothing))}`

/** Returns an error message for each required field of a template without a value. */
export const templateProblems = (visit: Visit, { body }: IssueTemplate): Problems =>
  Object.fromEntries(
    body.flatMap((field, at) => {
      const name = nameOf(field, at)
      const isMissing = isRequired(field) && isShown(field) && typed(visit.form, name).trim() === ""
      return isMissing && field.type !== "markdown" && field.type !== "checkboxes"
        ? [[name, visit.texts.forms.required]]
        : []
    })
  )

const valueOf = (visit: Visit, field: Field, at: number): string => {
  const name = nameOf(field, at)
  if (field.type !== "checkboxes") return typed(visit.form, name).trim()
  const chosen = visit.form.values.getAll(name)
  return optionsOf(field)
    .map((label, index) => `- [${chosen.includes(String(index)) ? "x" : " "}] ${label}`)
    .join("\n")
}

/** Builds the issue description from the values of an issue form. Each field gets a heading. */
export const templateText = (visit: Visit, { body }: IssueTemplate): string =>
  body
    .flatMap((field, at) => {
      if (field.type === "markdown") return []
      const value = valueOf(visit, field, at)
      return value === "" ? [] : [`### ${textIn(field.attributes, "label")}\n\n${value}`]
    })
    .join("\n\n")
