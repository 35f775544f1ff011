import type { PageRequest } from "@slipway/domain"
import type { ApiSettings } from "@slipway/domain/forge/base"

/** The query parameters that select a page of a list. */
export interface PageQuery {
  readonly page?: number
  readonly limit?: number
  readonly cursor?: string
}

const farthest = 1_000_000_000

/**
 * Returns the page that a query requests, by default the first page with the default size; limits the size.
 *
 * @example
 * pageOf({ page: 2, limit: 500 }, { defaultPageSize: 30, maxPageSize: 50 }) // => { page: 2, perPage: 50 }
 * pageOf({ cursor: "" }, { defaultPageSize: 30, maxPageSize: 50 }) // => { page: 1, perPage: 30 }
 */
export const pageOf = (
  { cursor, limit = 0, page = 1 }: PageQuery,
  { defaultPageSize, maxPageSize }: Pick<ApiSettings, "defaultPageSize" | "maxPageSize">
): PageRequest => ({
  page: Math.min(Math.max(page, 1), farthest),
  perPage: Math.min(limit < 1 ? defaultPageSize : limit, maxPageSize),
  ...(cursor === undefined || cursor === "" ? {} : { after: cursor })
})
