import type { PageRequest } from "@slipway/domain"
import { type ApiSettings, SiteSettings } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { pageHeaders } from "../lists.ts"

/** What a query says about the page that is wanted. */
export interface PageQuery {
  readonly page?: number
  readonly limit?: number
}

interface Rows<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly total: number | undefined
  readonly more?: boolean
}

const farthest = 1_000_000_000

/**
 * Returns the page that a query asks for: the first, of the usual size, unless it says otherwise; never a larger one.
 *
 * @example
 * pageOf({ page: 2, limit: 500 }, { defaultPageSize: 30, maxPageSize: 50 }) // => { page: 2, perPage: 50 }
 */
export const pageOf = (
  { limit = 0, page = 1 }: PageQuery,
  { defaultPageSize, maxPageSize }: Pick<ApiSettings, "defaultPageSize" | "maxPageSize">
): PageRequest => ({
  page: Math.min(Math.max(page, 1), farthest),
  perPage: Math.min(limit < 1 ? defaultPageSize : limit, maxPageSize)
})

/** Answers with one page of a list, with `Link` and `X-Total-Count`. */
export const answerPage = Effect.fnUntraced(function* <Row, E, R>(
  query: PageQuery,
  read: (request: PageRequest) => Effect.Effect<Rows<Row>, E, R>,
  show: (row: Row) => unknown,
  wrap: (shown: ReadonlyArray<unknown>) => unknown = (shown) => shown
) {
  const { api } = yield* SiteSettings
  const request = pageOf(query, api)
  const { more = false, rows, total } = yield* read(request)
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const headers = pageHeaders(url, request, total ?? { seen: rows.length, more }, "limit")
  return HttpServerResponse.jsonUnsafe(wrap(rows.map(show)), { headers })
})
