import {
  card,
  empty,
  type Html,
  html,
  linkButton,
  nothing,
  pageNumber,
  pagination,
  pathOf,
  rowsPerPage
} from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** Returns the query of the current page of a list. */
export const pageQuery = (visit: ConsoleVisit) => ({ query: { page: pageNumber(visit), per_page: rowsPerPage } })

/** A list of stored resources, with the button that adds one. */
interface StoredList<Row> {
  readonly title: string
  readonly none: string
  readonly add: string
  readonly mayAdd: boolean
  /** The path above the page of each resource. */
  readonly path: `/${string}`
  readonly rows: ReadonlyArray<Row>
  /** Shows details of a row below its name. */
  readonly about: (row: Row) => Html
  /** Shows a badge before the name. */
  readonly badge?: (row: Row) => Html
}

/** Shows stored resources in a card, each with a link to its page. */
export const storedList = <Row extends { readonly uuid: string; readonly name: string }>({
  about,
  add,
  badge,
  mayAdd,
  none,
  path,
  rows,
  title
}: StoredList<Row>): Html => {
  const button = mayAdd ? linkButton(`${path}/new`, add, "plus", "push") : nothing
  return card(
    html`<h2>${title}</h2>${button}`,
    rows.length === 0
      ? empty(none)
      : html`<ul class="rows">${rows.map((row) => html`<li>${badge?.(row)}<div class="grow"><h3><a href="${path}${pathOf(row.uuid)}">${row.name}</a></h3><div class="small soft">${about(row)}</div></div></li>`)}</ul>`,
    title
  )
}

/** Shows the links to the pages around the current one of a list. */
export const storedPagination = (visit: ConsoleVisit, rows: ReadonlyArray<unknown>): Html =>
  pagination(visit, rows.length === rowsPerPage)
