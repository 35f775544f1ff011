import { type IconName, icon } from "../assets/icons.ts"
import { type Html, html, nothing } from "../html/Html.ts"
import type { BaseVisit } from "../page/BasePage.ts"
import { withQuery } from "./urls.ts"

const pathOfAddress = (address: string): string => {
  if (!URL.canParse(address)) return address.startsWith("/") && !address.startsWith("//") ? address : ""
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

/** Renders the avatar of a user, organization or repository. Images are always loaded from this site. */
export const avatar = (address: string, size: "" | "big" | "huge" = ""): Html => {
  const own = pathOfAddress(address)
  const pixels = size === "huge" ? 88 : size === "big" ? 40 : 22
  return own === ""
    ? html`<span class="avatar ${size}"></span>`
    : html`<img class="avatar ${size}" src="${own}" alt="" width="${pixels}" height="${pixels}" loading="lazy">`
}

/** Renders a card with a header. */
export const card = (header: Html | string, body: Html, label?: string): Html =>
  html`<section class="card"${label !== undefined && html` aria-label="${label}"`}><header>${typeof header === "string" ? html`<h2>${header}</h2>` : header}</header>${body}</section>`

/** Renders the text for an empty list: the purpose of the list, and the action that adds an entry. */
export const empty = (text: string, action: Html = nothing): Html =>
  html`<div class="empty"><p>${text}</p>${action}</div>`

/** Renders a link that looks like a button. */
export const linkButton = (to: string, label: string, name?: IconName, className = ""): Html =>
  html`<a class="button ${className}" href="${to}">${name === undefined ? nothing : icon(name)}${label}</a>`

/** Renders a value with a copy button. The button needs scripts. */
export const copyField = ({ texts }: BaseVisit, label: string, value: string): Html =>
  html`<div class="copy"><input aria-label="${label}" readonly value="${value}"><button class="button" type="button" hidden data-copy="${value}" data-done="${texts.layout.copied}">${icon("copy")}<span>${texts.layout.copy}</span></button></div>`

/** The number of rows on a page of a list. */
export const rowsPerPage = 30

/** Returns the page number in the query of the URL. */
export const pageNumber = ({ query }: BaseVisit): number => {
  const page = Number(query.get("page"))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** Renders links to the pages around the current page. `hasNext` is true if another page follows. */
export const pagination = (visit: BaseVisit, hasNext: boolean): Html => {
  const current = pageNumber(visit)
  if (current === 1 && !hasNext) return nothing
  const { texts, url } = visit
  const to = (page: number) => withQuery(url, { page: page === 1 ? undefined : String(page) })
  return html`<nav class="pages" aria-label="${texts.layout.pagination}">${current > 1 && html`<a class="button" rel="prev" href="${to(current - 1)}">${texts.layout.previous}</a>`}
<span class="soft">${texts.layout.page(current)}</span>
${hasNext && html`<a class="button" rel="next" href="${to(current + 1)}">${texts.layout.next}</a>`}</nav>`
}
