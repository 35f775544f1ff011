import type { AccessChange } from "@slipway/client/forge"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty } from "../../layout/components.ts"
import { pathOf } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"

/** The maximum number of entries in a preview of access changes. */
export const mostPreviewed = 50

/** The query parameters that request a preview from an API operation, instead of the change. */
export const asPreview = { dry_run: "true", limit: mostPreviewed } as const

/** A preview of access changes: the result of a form that was submitted with the preview button. */
export class AccessPreview {
  readonly changes: ReadonlyArray<AccessChange>
  constructor(changes: ReadonlyArray<AccessChange>) {
    this.changes = changes
  }
}

/**
 * Reads the preview from a response of the API. If no preview was requested, the response is the changed resource and
 * the preview is empty.
 */
export const previewOf = (answer: object | ReadonlyArray<AccessChange>): AccessPreview =>
  new AccessPreview(Array.isArray(answer) ? (answer as ReadonlyArray<AccessChange>) : [])

const who = ({ texts }: Visit, { audience, user }: AccessChange): Html | string =>
  user === undefined
    ? texts.access.audiences[audience ?? "anonymous"]
    : html`<a class="user" href="${pathOf(user.login)}">${user.login}</a>`

const stepsOf = ({ texts: { access } }: Visit, { permission, units }: AccessChange): string => {
  const level = (word: string) => access.levels[word] ?? word
  const shown = (name: string, { after, before }: AccessChange["permission"]) =>
    `${name}: ${access.from(level(before), level(after))}`
  const changed = Object.entries(units).map(([unit, step]) => shown(access.units[unit] ?? unit, step))
  const overall = permission.before === permission.after ? [] : [shown(access.overall, permission)]
  return [...overall, ...changed].join(", ")
}

const row = (visit: Visit, change: AccessChange): Html => {
  const { access } = visit.texts
  const { full_name: name } = change.repository
  return html`<li>${change.gains && html`<span class="badge ok">${access.gains}</span>`}${change.loses && html`<span class="badge bad">${access.loses}</span>`}<div class="grow">${who(visit, change)} · <a href="${pathOf(...name.split("/"))}">${name}</a>
<div class="small soft">${stepsOf(visit, change)}</div></div></li>`
}

/**
 * Renders the requested preview: the users who would gain and lose access. Renders nothing if no preview was requested.
 */
export const previewCard = (visit: Visit): Html => {
  const { outcome } = visit.form
  if (!(outcome instanceof AccessPreview)) return nothing
  const { access } = visit.texts
  const { changes } = outcome
  const gaining = changes.filter(({ gains }) => gains).length
  const losing = changes.filter(({ loses }) => loses).length
  return html`<section class="card" aria-label="${access.previewTitle}" tabindex="-1" data-focus><header><h2>${access.previewTitle}</h2></header>${
    changes.length === 0
      ? empty(access.previewNone)
      : html`<div class="body"><p>${access.previewSummary(gaining, losing)} ${access.previewUnsaved}</p></div><ul class="rows">${changes.map((change) => row(visit, change))}</ul>`
  }${changes.length >= mostPreviewed && html`<div class="body"><p class="soft">${access.previewMore}</p></div>`}</section>`
}

const buttons = (save: string, preview: string): Html =>
  html`<p class="row"><button class="button primary">${save}</button><button class="button" name="preview" value="yes">${preview}</button></p>`

/**
 * Renders the buttons to save and to preview the main form of a page. Use it only once per page, so that the labels are
 * unique.
 */
export const previewButtons = ({ texts: { forms } }: Visit): Html => buttons(forms.save, forms.preview)

/** Renders the buttons to submit and to preview a form that adds an entry, such as a member. */
export const addButtons = ({ texts: { forms } }: Visit, add: string): Html => buttons(add, forms.previewShort)

/** Returns whether a form was sent with the preview button. */
export const wantsPreview = ({ form }: Visit): boolean => form.values.get("preview") === "yes"
