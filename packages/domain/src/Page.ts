/** A window on a list in creation order: rows behind `after` (an id), without the first `skip`, at most `limit`. */
export interface Window {
  readonly after?: number | undefined
  readonly skip?: number | undefined
  readonly limit: number
}

/** Asks for one page of a list; `page` counts from 1. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
}

/** One page of a list with the number of rows that the whole list has. */
export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly total: number
}

/**
 * Returns the window that a page request asks for.
 *
 * @example
 * windowOf({ page: 3, perPage: 20 }) // => { skip: 40, limit: 20 }
 */
export const windowOf = (request: PageRequest): Window => ({
  skip: (request.page - 1) * request.perPage,
  limit: request.perPage
})
